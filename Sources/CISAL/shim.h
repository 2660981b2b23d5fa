// ISA-L, which writes gzip.
#pragma once
#include <isa-l/igzip_lib.h>

// Sums of macros, which Swift does not import.
enum {
    // Working memory of level 1 for blocks of 16 Ki tokens.
    CISAL_LEVEL1_BUFFER_BYTES = ISAL_DEF_LVL1_SMALL,
};
