// Orders of viewers of the live page who have shown the operator's token. They trade as one OUCH
// user, over a connection to the exchange's own OUCH gateway, so the exchange treats them like any
// other client. After a restart the user's open orders are taken over. On the thread of the HTTP
// server.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <damrak/client/ouch_order_client.hpp>
#include <damrak/exchange/exchange.hpp>
#include <damrak/market_stream/trading.hpp>

#include "serve/settings.hpp"

namespace damrak::app {

class PageTrading final : public market_stream::ViewerTrading {
  public:
    /// The connection is made when the first order or look needs it.
    explicit PageTrading(client::OuchOrderClientSettings gateway) : gateway_(std::move(gateway)) {}

    [[nodiscard]] market_stream::RequestResult<std::uint32_t> enter(
        const market_stream::EnterOrder& order) override;
    [[nodiscard]] market_stream::RequestResult<void> replace(
        const market_stream::ReplaceOrder& order) override;
    [[nodiscard]] market_stream::RequestResult<void> cancel(
        const market_stream::CancelOrder& order) override;
    [[nodiscard]] std::vector<market_stream::ViewerOrder> orders() override;
    [[nodiscard]] std::vector<market_stream::OrderReport> take_reports() override;

  private:
    void connect();
    /// Sends what waits, and hears what came.
    void turn();
    void report_all(std::string_view what, const std::string& why = {});
    [[nodiscard]] market_stream::RequestResult<void> ready() const;
    [[nodiscard]] market_stream::ViewerOrder order_of(const client::OwnOrder& order) const;
    [[nodiscard]] market_stream::OrderReport report_of(const client::News& news) const;
    [[nodiscard]] market_stream::RequestResult<void> expect_order(std::uint32_t number) const;

    client::OuchOrderClientSettings gateway_;
    std::optional<client::OuchOrderClient> link_;
    std::vector<market_stream::OrderReport> reports_;
};

/// Gives the page's user a password and places of its own; unless a participant names it, nobody
/// else logs in as it. Before the exchange is made.
void name_page_user(ServeSettings& settings);
/// Over a reload it stays.
void keep_page_user(const ServeSettings& running, ServeSettings& wanted);

/// For the exchange's OUCH gateway; null if it is closed or the page has no user.
[[nodiscard]] std::unique_ptr<PageTrading> make_page_trading(const ServeSettings& settings,
                                                             const exchange::Exchange& exchange);

}  // namespace damrak::app
