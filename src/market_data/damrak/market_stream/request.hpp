// A viewer's messages: checked, so that anything else than what docs/protocols/stream.md describes
// gives an error that names the wrong member and the accepted values.
#pragma once

#include <cstdint>
#include <expected>
#include <string>
#include <string_view>
#include <variant>

#include <damrak/domain/order_terms.hpp>
#include <damrak/market_stream/detail/topic.hpp>

namespace damrak::market_stream {

/// Why a viewer's request cannot be done.
struct RequestError {
    std::string code;     ///< for programs
    std::string message;  ///< for people
    std::string channel{};
};
template <class T>
using RequestResult = std::expected<T, RequestError>;

[[nodiscard]] std::string text_of(const RequestError& error);

/// Asks for a topic.
struct Subscribe {
    Topic topic;
};
/// Ends a topic.
struct Unsubscribe {
    Topic topic;  ///< channel and symbol count
};

/// `request` is what the viewer calls it.
struct EnterOrder {
    std::uint64_t request = 0;
    std::string symbol{};
    Side side{};
    std::uint32_t quantity = 0;
    std::uint32_t price_e2 = 0;  ///< zero: a market order
};
/// Replaces a viewer's order. `request` is what the viewer calls it.
struct ReplaceOrder {
    std::uint64_t request = 0;
    std::uint32_t order = 0;
    std::uint32_t quantity = 0;  ///< the new open one
    std::uint32_t price_e2 = 0;
};
/// Cancels a viewer's order. `request` is what the viewer calls it.
struct CancelOrder {
    std::uint64_t request = 0;
    std::uint32_t order = 0;
};

using Request = std::variant<Subscribe, Unsubscribe, EnterOrder, ReplaceOrder, CancelOrder>;

/// Whether subscriptions have the binary form depends on the connection.
[[nodiscard]] RequestResult<Request> parse_request(std::string_view message, bool is_binary);

/// `subscribed` or `unsubscribed`, with the parameters in force.
[[nodiscard]] std::string answer_text(std::string_view type, const Topic& topic);

}  // namespace damrak::market_stream
