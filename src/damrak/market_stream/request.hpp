// A viewer's messages: checked, so that anything else than what docs/protocols/stream.md describes
// gives an error that names the wrong member and the accepted values.
#pragma once

#include <cstdint>
#include <expected>
#include <string>
#include <string_view>
#include <variant>

#include <damrak/domain/order_terms.hpp>
#include <damrak/market_stream/topic.hpp>

namespace damrak::market_stream {

struct RequestError {
    std::string code;     ///< for programs
    std::string message;  ///< for people
    std::string channel{};
};
template <class T>
using RequestResult = std::expected<T, RequestError>;

[[nodiscard]] std::string text_of(const RequestError& error);

struct Subscribe {
    Topic topic;
};
struct Unsubscribe {
    Topic topic;  ///< channel and symbol count
};

using Request = std::variant<Subscribe, Unsubscribe>;

/// Whether subscriptions have the binary form depends on the connection.
[[nodiscard]] RequestResult<Request> parse_request(std::string_view message, bool is_binary);

/// `subscribed` or `unsubscribed`, with the parameters in force.
[[nodiscard]] std::string answer_text(std::string_view type, const Topic& topic);

}  // namespace damrak::market_stream
