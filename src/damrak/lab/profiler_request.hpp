// Tells callgrind where the measured part begins and ends, so that it writes what that part alone
// took. The sequence is the one by which programs speak to valgrind on x86-64 (Valgrind manual,
// "The client request mechanism"); without valgrind around it is five instructions that change
// nothing. Called by measured().
#pragma once

#include <array>
#include <cstdint>

namespace damrak::lab {

enum class ProfilerRequest : std::uint32_t {
    dump = 0x43540000,  ///< write the counts since the last of either request
    zero = 0x43540001
};

inline void tell_profiler([[maybe_unused]] ProfilerRequest request) {
#if defined(__x86_64__)
    const std::array<std::uint64_t, 6> words{static_cast<std::uint64_t>(request)};
    std::uint64_t answer = 0;
    asm volatile(  // NOLINT(hicpp-no-assembler): there is no other way to say it
        "rolq $3, %%rdi; rolq $13, %%rdi; rolq $61, %%rdi; rolq $51, %%rdi; xchgq %%rbx, %%rbx"
        : "+d"(answer)
        : "a"(words.data())
        : "cc", "memory");
#endif
}

}  // namespace damrak::lab
