#include <damrak/client/order_client.hpp>

#include <algorithm>
#include <chrono>
#include <utility>

#include <damrak/base/system_time.hpp>
#include <damrak/base/time_units.hpp>

namespace damrak::client {

namespace {

std::int64_t steady_time_ns() {
    return std::chrono::nanoseconds{std::chrono::steady_clock::now().time_since_epoch()}.count();
}

/// Rounded up, so that nobody wakes up too early.
std::int64_t milliseconds(std::int64_t time_ns) {
    return (std::max<std::int64_t>(time_ns, 0) + k_millisecond_ns - 1) / k_millisecond_ns;
}

}  // namespace

void OrderClient::poll(int timeout_ms) {
    const std::int64_t now_ns = system_time_ns();
    if (do_work(now_ns) > 0) return;
    const std::int64_t step_ms = milliseconds(next_step_ns(now_ns) - now_ns);
    pollfd waits = waits_for();
    ::poll(&waits, 1, static_cast<int>(std::min<std::int64_t>(timeout_ms, step_ms)));
    do_work(system_time_ns());
}

std::optional<News> OrderClient::next(int timeout_ms) {
    const auto has_heard = [this] {
        for (News& news : gateway().take_news()) heard_.push_back(std::move(news));
        return !heard_.empty();
    };
    if (!poll_until(has_heard, timeout_ms)) return {};
    News first = std::move(heard_.front());
    heard_.pop_front();
    return first;
}

std::int64_t OrderClient::deadline_after(int timeout_ms) {
    return steady_time_ns() + timeout_ms * k_millisecond_ns;
}

int OrderClient::left_until(std::int64_t deadline_ns) {
    return static_cast<int>(milliseconds(deadline_ns - steady_time_ns()));
}

}  // namespace damrak::client
