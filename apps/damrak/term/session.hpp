// Common part of both user interfaces of `damrak term`: the connection to the exchange, the market
// data, and the model. One thread, which waits in wait().
#pragma once

#include <cstdint>
#include <expected>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <damrak/client/order_client.hpp>
#include <damrak/client/term_model.hpp>
#include <damrak/net/udp.hpp>

#include "term/feed_watch.hpp"
#include "term/trades.hpp"

namespace damrak::app {

struct TermSettings {
    std::optional<std::uint16_t> l2_port = 9'001;  ///< nothing: no market data
    std::string group = "239.0.0.1";
    std::string interface = "127.0.0.1";
    std::optional<std::uint16_t> itch_port{};  ///< market data from there instead
    std::uint16_t glimpse_port = 26'405;
    // Source of instruments for gateways that do not list them.
    std::string host{};
    std::uint16_t binary_port = 0;
    std::optional<std::uint16_t> http_port{};
};

class TermSession {
  public:
    TermSession(const TermSettings& settings, std::unique_ptr<client::OrderClient> link);

    /// Until something comes, or `other` can be read, or this long has passed. False if nobody is
    /// at the other end of `other` any more.
    bool wait(int timeout_ms, int other = -1) const;
    /// Takes what came. What happened, as lines; they are in the model as well.
    std::vector<client::TermLine> do_work();
    /// Says goodbye to the exchange, for half a second at most.
    void leave();

    /// The command of a line. An instrument that is not known is asked for once more.
    [[nodiscard]] std::expected<client::TermCommand, std::string> parse(std::string_view line);

    /// What the model does, or the HTTP port of the exchange; lines to show, or why not.
    [[nodiscard]] std::expected<std::vector<std::string>, std::string> execute(
        const client::TermCommand& command);

    [[nodiscard]] client::TermModel& model() { return model_; }
    [[nodiscard]] client::OrderClient& link() { return *link_; }
    [[nodiscard]] bool up() const { return link_->state() == client::OrderClient::State::up; }

  private:
    void hear_market(std::int64_t now_ns);
    void tell_link(std::int64_t now_ns);
    void ask_for_instruments();
    void ask_for_trades(std::int64_t now_ns);

    TermSettings settings_;
    std::string no_instruments_;  ///< why none are known
    std::unique_ptr<client::OrderClient> link_;
    client::TermModel model_;
    std::optional<net::MulticastReceiver> market_;
    std::optional<FeedWatch> feed_;
    std::int64_t last_datagram_ns_;
    std::optional<TradeQuery> trades_;  ///< nothing: the exchange does not tell them
    std::int64_t trades_due_ns_ = 0;
    std::uint64_t reported_losses_ = 0;
};

/// On a terminal with a screen, until the user quits; the exit code.
[[nodiscard]] int run_term_screen(TermSession& session);
/// From standard input, line by line; 1 if a command failed.
[[nodiscard]] int run_term_script(TermSession& session);

}  // namespace damrak::app
