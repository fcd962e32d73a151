// The way back of a venue's speed bump: what the exchange did waits here before its gateways hear
// of it. In order, so nothing overtakes. What waits is in the journal: a kill loses it like bytes
// in a socket, and clients learn it as after any lost connection.
//
// Used by the thread that polls the gateways. An event costs a copy in and one out; no allocation
// once there was as much.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory_resource>

#include <damrak/domain/event.hpp>
#include <damrak/domain/origin.hpp>

namespace damrak::exchange {

class HeldReports {
  public:
    /// From this many on, no more requests should be read.
    static constexpr std::size_t k_enough = 65'536;

    /// For what is added from now on.
    void set(std::int64_t delay_ns) { delay_ = Timestamp{delay_ns}; }

    [[nodiscard]] bool empty() const { return held_.empty(); }
    [[nodiscard]] bool is_full() const { return held_.size() >= k_enough; }
    /// Whether what comes now must wait.
    [[nodiscard]] bool holds() const { return delay_ != Timestamp{} || !held_.empty(); }
    /// The last command of which nothing waits; the largest number if nothing does.
    [[nodiscard]] std::uint64_t passed_position() const {
        return held_.empty() ? UINT64_MAX : held_.front().stamp.sequence.value - 1;
    }

    void add(const Event& event, const Origin& origin, const CommandStamp& stamp) {
        held_.push_back({event, origin, stamp, false});
        last_ = stamp;
    }
    /// The end of a command goes with its last event. False: that did not wait.
    [[nodiscard]] bool add_end(const Origin& origin) {
        if (held_.empty()) return false;
        held_.push_back({{}, origin, last_, true});
        return true;
    }

    /// Calls `on_event(event, origin, stamp)` and `on_end(origin)` for what is due by then.
    template <class OnEvent, class OnEnd>
    void release(Timestamp now, OnEvent&& on_event, OnEnd&& on_end) {
        while (!held_.empty() && held_.front().stamp.timestamp + delay_ <= now) {
            const Held one = held_.front();
            held_.pop_front();
            one.is_end ? on_end(one.origin) : on_event(one.event, one.origin, one.stamp);
        }
    }

  private:
    struct Held {
        Event event{};
        Origin origin{};
        CommandStamp stamp{};
        bool is_end = false;
    };

    Timestamp delay_{};
    CommandStamp last_{};
    std::pmr::unsynchronized_pool_resource memory_;
    std::pmr::deque<Held> held_{&memory_};
};

}  // namespace damrak::exchange
