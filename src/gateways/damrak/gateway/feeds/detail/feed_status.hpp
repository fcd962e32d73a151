// How the order-by-order feed reaches its subscribers, for operators. Read from any thread.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <damrak/feed/retransmission.hpp>

namespace damrak::gateway::feeds {

/// A subscriber over TCP that does not take what there is for it.
struct SlowSubscriber {
    /// With fewer messages waiting for it, a subscriber is not slow.
    static constexpr std::uint64_t k_least_behind = 1'000;

    std::string_view service;  ///< itch or glimpse
    std::string client;        ///< its address
    std::uint64_t behind = 0;  ///< messages that wait for it
};

struct FeedStatus {
    std::uint64_t subscribers = 0;  ///< over TCP
    std::vector<SlowSubscriber> slow{};
    feed::RetransmissionServer::Counters retransmission{};

    [[nodiscard]] std::uint64_t most_behind() const {
        const auto most = std::ranges::max_element(slow, {}, &SlowSubscriber::behind);
        return most == slow.end() ? 0 : most->behind;
    }
};

}  // namespace damrak::gateway::feeds
