// Attributes for the matching path. DAMRAK_HOT: a small step that must be inlined (the compiler
// weighs size; we have measured). DAMRAK_COLD: a rare path, kept out of the instruction cache lines
// of the common one.
#pragma once

#define DAMRAK_HOT [[gnu::always_inline]] inline
#define DAMRAK_COLD [[gnu::noinline]]
