// The feeds of an exchange that have a door of their own: one row each. Used once, at the start.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include <damrak/exchange/settings.hpp>
#include <damrak/feed/market_observer.hpp>
#include <damrak/journal/file_system.hpp>

namespace damrak::exchange {

struct OpenFeed {
    std::unique_ptr<feed::MarketObserver> feed;
    std::uint16_t port = 0;  ///< as it is, where a free one was requested
};

struct FeedDoor {
    std::string_view door;  ///< in Settings::ports; where it is not, there is no such feed
    journal::Result<OpenFeed> (*open)(std::uint16_t port, const Settings& settings);
};

[[nodiscard]] std::span<const FeedDoor> feed_doors();

}  // namespace damrak::exchange
