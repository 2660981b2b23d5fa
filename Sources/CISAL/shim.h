// ISA-L, which writes gzip.
#pragma once
#include <isa-l/igzip_lib.h>
