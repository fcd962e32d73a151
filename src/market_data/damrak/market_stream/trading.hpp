// Orders of viewers who may trade. The stream passes them on; who enters them at the exchange, and
// as which participant, is the program's affair. See docs/protocols/stream.md.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <damrak/domain/order_terms.hpp>
#include <damrak/market_stream/request.hpp>

namespace damrak::market_stream {

/// Prices are in units of 0.01.
struct ViewerOrder {
    std::uint32_t number = 0;
    std::uint64_t reference = 0;  ///< in the feed; zero: not known yet
    std::string symbol{};
    Side side{};
    std::uint64_t price_e2 = 0;  ///< zero: a market order
    std::uint64_t open = 0;
    std::uint64_t filled = 0;
    std::string_view state{};  ///< sent, open, finished, unsure
};

/// Something that happened to a viewer's order.
struct OrderReport {
    ViewerOrder order{};  ///< after what happened
    std::string_view what{};
    std::string message{};                                          ///< the reason, if there is one
    std::optional<std::pair<std::uint64_t, std::uint64_t>> fill{};  ///< price and quantity
};

/// A message `order`. `request`: what the viewer called its request; empty: it was another's.
[[nodiscard]] std::string text_of(const OrderReport& report, std::optional<std::uint64_t> request);

/// Enters the orders of viewers, and reports what becomes of them.
class ViewerTrading {
  public:
    ViewerTrading() = default;
    ViewerTrading(const ViewerTrading&) = delete;
    ViewerTrading& operator=(const ViewerTrading&) = delete;
    virtual ~ViewerTrading() = default;

    /// The number of the new order.
    [[nodiscard]] virtual RequestResult<std::uint32_t> enter(const EnterOrder& order) = 0;
    [[nodiscard]] virtual RequestResult<void> replace(const ReplaceOrder& order) = 0;
    [[nodiscard]] virtual RequestResult<void> cancel(const CancelOrder& order) = 0;
    /// Those that are open or pending.
    [[nodiscard]] virtual std::vector<ViewerOrder> orders() = 0;
    /// A turn of the connection to the exchange; what happened since the last one.
    [[nodiscard]] virtual std::vector<OrderReport> take_reports() = 0;
};

}  // namespace damrak::market_stream
