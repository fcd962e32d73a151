// The feeds of an exchange that have their own ports: how one is opened, and what it has then. Used
// once, at the start; docs/how-to/add-a-feed.md adds one.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include <damrak/domain/trading_day.hpp>
#include <damrak/feed/market_observer.hpp>
#include <damrak/gateway/settings.hpp>
#include <damrak/journal/file_system.hpp>

namespace damrak::archive {
class Archiver;
class EventLog;
}  // namespace damrak::archive
namespace damrak::feed {
class FeedSession;
}  // namespace damrak::feed

namespace damrak::gateway::feeds {

class FeedServer;

struct OpenFeed {
    std::unique_ptr<feed::MarketObserver> feed;
    std::map<std::string, std::uint16_t> ports;  ///< actual ports, by gateway
    std::shared_ptr<void> server = nullptr;      ///< with its own thread, if it has one
    // For the order-by-order feed:
    /// Null as long as there is none. Empty for other feeds.
    std::function<std::shared_ptr<const feed::FeedSession>()> session = nullptr;
    /// Whether the files of this day's session can be opened.
    std::function<journal::Result<void>(const TradingDay&)> check_session = nullptr;
    std::function<bool()> is_failing = nullptr;  ///< it is not published now
    const FeedServer* subscribers = nullptr;
    std::shared_ptr<archive::Archiver> archiver = nullptr;
    std::shared_ptr<archive::EventLog> event_log = nullptr;
};

/// A feed of an exchange, and the gateways that serve it.
struct FeedGateway {
    /// In Settings::ports; the feed exists if one of them is open.
    std::span<const std::string_view> gateways;
    journal::Result<OpenFeed> (*open)(const Settings& settings);
};

}  // namespace damrak::gateway::feeds
