// The measured part of a repetition: time by the clock that is asked for, and instructions where
// the processor's counters can be read. Called by variants, on the thread that runs them; reading
// clock and counters takes some microseconds a repetition, and nothing of each operation.
#pragma once

#include <cstdint>
#include <memory>
#include <type_traits>

#include <damrak/lab/experiment.hpp>

namespace damrak::lab {

namespace detail {

/// Does `work(context)` between two readings.
[[nodiscard]] Sample run_measured_part(std::int64_t operations, Clock clock,
                                       void (*work)(void* context), void* context);

}  // namespace detail

/// Runs `work` once and tells what it took. One part a repetition.
template <class Work>
[[nodiscard]] Sample measured(std::int64_t operations, Clock clock, Work&& work) {
    using Context = std::remove_reference_t<Work>;
    return detail::run_measured_part(
        operations, clock, [](void* context) { (*static_cast<Context*>(context))(); },
        const_cast<void*>(static_cast<const void*>(std::addressof(work))));
}

/// By this clock, from an arbitrary beginning.
[[nodiscard]] std::int64_t now_ns(Clock clock);

/// Keeps the compiler from leaving out the work that made `value`.
template <class T>
void keep(const T& value) {
    asm volatile("" : : "r,m"(value) : "memory");  // NOLINT(hicpp-no-assembler)
}

}  // namespace damrak::lab
