// Waits for what another thread or process does. The only place where tests sleep or read a clock
// of the machine: they wait for a condition, as long as it takes on a machine with other work, and
// assert no time. tools/tidy.py sees to it.
#pragma once

#include <chrono>
#include <concepts>
#include <thread>
#include <utility>

namespace damrak::testing {

/// A time within which everything that is to happen has happened, however busy the machine is.
class Patience {
  public:
    [[nodiscard]] bool is_over() const { return std::chrono::steady_clock::now() > end_; }

  private:
    static constexpr std::chrono::seconds k_patience{60};
    std::chrono::steady_clock::time_point end_ = std::chrono::steady_clock::now() + k_patience;
};

/// Calls `turn` until the condition holds; false: patience is over. For what makes progress in
/// turns of the caller.
template <std::invocable Turn, std::predicate Holds>
[[nodiscard]] bool turns_until(Turn&& turn, Holds&& holds) {
    const Patience patience;
    while (!holds()) {
        if (patience.is_over()) return false;
        turn();
    }
    return true;
}

/// Looks every other millisecond until the condition holds; false: patience is over.
template <std::predicate Holds>
[[nodiscard]] bool eventually(Holds&& holds) {
    return turns_until([] { std::this_thread::sleep_for(std::chrono::milliseconds{2}); },
                       std::forward<Holds>(holds));
}

/// The same for scripts of /bin/sh: eventually 'COMMAND'.
inline constexpr const char* k_shell_eventually =
    "eventually() { n=6000; until eval \"$1\"; do n=$((n - 1)); [ $n -gt 0 ] || return 1; "
    "sleep 0.01; done; }; ";

}  // namespace damrak::testing
