// The feeds of an exchange that have their own ports: one row each. Used once, at the start.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include <damrak/exchange/settings.hpp>
#include <damrak/feed/market_observer.hpp>
#include <damrak/journal/file_system.hpp>

namespace damrak::archive {
class Archiver;
class EventLog;
}  // namespace damrak::archive
namespace damrak::feed {
class FeedSession;
class ItchFeed;
}  // namespace damrak::feed
namespace damrak::gateway {
class FeedServer;
}  // namespace damrak::gateway

namespace damrak::exchange {

struct OpenFeed {
    std::unique_ptr<feed::MarketObserver> feed;
    std::map<std::string, std::uint16_t> ports;  ///< actual ports, by gateway
    std::shared_ptr<void> server = nullptr;      ///< with its own thread, if it has one
    // For the order-by-order feed:
    const feed::ItchFeed* itch = nullptr;
    const gateway::FeedServer* subscribers = nullptr;
    std::shared_ptr<archive::Archiver> archiver = nullptr;
    std::shared_ptr<archive::EventLog> event_log = nullptr;
};

struct FeedGateway {
    /// In Settings::ports; the feed exists if one of them is open.
    std::span<const std::string_view> gateways;
    journal::Result<OpenFeed> (*open)(const Settings& settings);
};

[[nodiscard]] std::span<const FeedGateway> feed_gateways();

}  // namespace damrak::exchange
