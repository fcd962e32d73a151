// The head of a fuzz target. In the preset `fuzz` it has the name that libFuzzer calls, one
// target a program; in ordinary builds that of the target, in one program with the others.
#pragma once

#ifdef DAMRAK_FUZZ
#define DAMRAK_FUZZ_TARGET(name) extern "C" int LLVMFuzzerTestOneInput
#else
#define DAMRAK_FUZZ_TARGET(name) extern "C" int fuzz_##name
#endif
