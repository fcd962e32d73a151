// Two words for the matching path. DAMRAK_HOT: a small step of it, which must not become a call
// (the compiler weighs size, we have measured). DAMRAK_COLD: a rare way, kept out of the
// instruction cache lines of the common one.
#pragma once

#define DAMRAK_HOT [[gnu::always_inline]] inline
#define DAMRAK_COLD [[gnu::noinline]]
