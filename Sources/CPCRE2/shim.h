// PCRE2 for subjects of 8-bit units; its functions end in _8 then.
#pragma once
#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>
