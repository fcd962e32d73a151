// Waits for what another thread or process does. The only place where tests sleep or read a clock
// of the machine: they wait for a condition, as long as it takes on a machine with other work, and
// assert no time. tools/tidy.py sees to it.
#pragma once

#include <chrono>
#include <concepts>
#include <cstdlib>
#include <thread>
#include <utility>

#include <poll.h>
#include <sys/socket.h>
#include <sys/time.h>

namespace damrak::testing {

/// The time within which everything that is to happen has happened, however busy the machine is:
/// the only limit of tests, which matters to failing ones alone. DAMRAK_TEST_PATIENCE sets it, for
/// who expects failures, such as tools/mutants.
[[nodiscard]] inline int patience_s() {
    constexpr int k_seconds = 600;
    static const int seconds = [] {
        const char* const text = std::getenv("DAMRAK_TEST_PATIENCE");
        return text == nullptr ? k_seconds : std::atoi(text);
    }();
    return seconds;
}
[[nodiscard]] inline int patience_ms() { return patience_s() * 1'000; }

class Patience {
  public:
    [[nodiscard]] bool is_over() const { return std::chrono::steady_clock::now() > end_; }

  private:
    std::chrono::steady_clock::time_point end_ =
        std::chrono::steady_clock::now() + std::chrono::seconds{patience_s()};
};

/// Waits until the descriptor can be read; false: patience is over.
[[nodiscard]] inline bool is_readable(int descriptor) {
    pollfd waiting{.fd = descriptor, .events = POLLIN, .revents = 0};
    return ::poll(&waiting, 1, patience_ms()) == 1;
}

/// From now on reads from the socket fail when patience is over.
inline void read_patiently(int socket) {
    const timeval limit{.tv_sec = patience_s(), .tv_usec = 0};
    ::setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
}

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

/// The same for scripts of /bin/sh: eventually 'COMMAND'; and `timeout $patience`, in seconds.
inline constexpr const char* k_shell_eventually =
    "patience=${DAMRAK_TEST_PATIENCE:-600}; eventually() { n=$((patience * 100)); until eval "
    "\"$1\"; do n=$((n - 1)); [ $n -gt 0 ] || return 1; "
    "sleep 0.01; done; }; ";

}  // namespace damrak::testing
