// The measured part of a repetition: time by the requested clock, and instructions if the
// processor's counters are readable. Called by variants, on the thread that runs them. Reading
// clock and counters takes some microseconds per repetition, and nothing per operation.
#pragma once

#include <cstdint>
#include <memory>
#include <type_traits>

#include <damrak/lab/experiment.hpp>

namespace damrak::lab {

namespace detail {

/// Runs `work(context)` between two readings.
[[nodiscard]] Sample run_measured_part(std::int64_t operations, Clock clock,
                                       void (*work)(void* context), void* context);

}  // namespace detail

/// Runs `work` once and returns its cost. Call it once per repetition.
template <class Work>
[[nodiscard]] Sample measured(std::int64_t operations, Clock clock, Work&& work) {
    using Context = std::remove_reference_t<Work>;
    return detail::run_measured_part(
        operations, clock, [](void* context) { (*static_cast<Context*>(context))(); },
        const_cast<void*>(static_cast<const void*>(std::addressof(work))));
}

/// Time of this clock, from an arbitrary origin.
[[nodiscard]] std::int64_t now_ns(Clock clock);

/// Prevents the compiler from removing the work that made `value`.
template <class T>
void keep(const T& value) {
    asm volatile("" : : "r,m"(value) : "memory");  // NOLINT(hicpp-no-assembler)
}

}  // namespace damrak::lab
