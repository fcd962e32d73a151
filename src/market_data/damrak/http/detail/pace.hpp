// Limits how often something is done in a second: what comes too early waits. A burst of as much as
// in a second is free. One thread.
#pragma once

#include <algorithm>
#include <chrono>
#include <functional>
#include <utility>

#include <damrak/http/detail/event_loop.hpp>

namespace damrak::http {

class Pace {
  public:
    using Next = std::move_only_function<void()>;

    Pace(const Executor& executor, unsigned per_second)
        : timer_(executor), step_(std::chrono::nanoseconds{std::chrono::seconds{1}} / per_second) {}

    /// Calls `next` now, or when it is due; never if this is destroyed before.
    void wait(Next next) {
        const auto now = std::chrono::steady_clock::now();
        due_ = std::max(due_, now - std::chrono::seconds{1}) + step_;
        if (due_ <= now) return next();
        timer_.expires_at(due_);
        timer_.async_wait([next = std::move(next)](const boost::system::error_code& error) mutable {
            if (!error) next();
        });
    }

  private:
    Timer timer_;
    std::chrono::nanoseconds step_;
    std::chrono::steady_clock::time_point due_{};
};

}  // namespace damrak::http
