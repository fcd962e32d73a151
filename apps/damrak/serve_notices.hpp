// Tells on stderr why the exchange ended a session, from a thread of its own: whoever reads stderr
// slowly, or a client that makes the exchange end thousands of connections a second, must not hold
// up the thread that trades.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include <damrak/base/runner.hpp>
#include <damrak/base/spsc_ring.hpp>
#include <damrak/domain/origin.hpp>

namespace damrak::app {

class SessionNotices {
  public:
    /// The door's thread. `reason` must live for ever. What is too much to tell is counted.
    void tell(SessionId session, std::string_view reason);

    // An agent, stepped by the runner below.
    void on_start() {}
    std::size_t do_work(std::int64_t now_ns);
    void on_close() { do_work(0); }

  private:
    struct Notice {
        SessionId session;
        std::string_view reason;
    };
    static constexpr std::size_t k_notices = 256;

    SpscRing<Notice> waiting_{k_notices};
    std::atomic<std::uint64_t> untold_{0};
    Runner runner_{{.name = "notices", .pause = std::chrono::milliseconds{10}, .gives_way = true},
                   {AgentRef{*this}}};
};

}  // namespace damrak::app
