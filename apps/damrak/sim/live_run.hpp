// Participants of a market file as clients of an exchange: a connection each, and one to the feed.
// Used by `damrak sim join` and the demo market; one thread.
#pragma once

#include <cstdint>
#include <expected>
#include <memory>
#include <string>
#include <vector>

#include <poll.h>

#include <damrak/client/itch/soup_receiver.hpp>
#include <damrak/client/order_client.hpp>
#include <damrak/live_participants/live_market.hpp>

namespace damrak::app {

class LiveRun {
  public:
    using Links = std::vector<std::unique_ptr<client::OrderClient>>;

    /// A link for each seat.
    LiveRun(market_kernel::MarketSetup setup, Links links, const client::SoupReceiverConfig& feed);
    LiveRun(const LiveRun&) = delete;
    LiveRun& operator=(const LiveRun&) = delete;

    /// Waits for at most ten milliseconds until something happens, and handles it.
    void turn(std::int64_t now_ns);
    /// Cancels all orders; true when none are left, or nothing can be done about them. In turns
    /// with turn().
    [[nodiscard]] bool leave();

    [[nodiscard]] const live_participants::LiveMarket& market() const { return market_; }
    /// Why nobody trades: a refused login, no connection, or instruments that the exchange has not;
    /// empty: all is well.
    [[nodiscard]] std::string trouble() const;
    /// Trying again is no use.
    [[nodiscard]] bool is_refused() const;

  private:
    void wait(std::int64_t now_ns);

    client::FeedBooks books_;
    client::SoupReceiver<client::FeedBooks> feed_;
    Links links_;
    live_participants::LiveMarket market_;
    std::vector<pollfd> waits_;
};

}  // namespace damrak::app
