// zlib, which reads gzip and writes it where ISA-L cannot be had.
#pragma once
#include <zlib.h>
