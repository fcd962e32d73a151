// The parts of the stream's messages: in JSON, which appends to a text, and in the binary form. See
// docs/protocols/stream.md.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <damrak/archive/day.hpp>
#include <damrak/market_stream/detail/market_state.hpp>
#include <damrak/market_stream/detail/topic.hpp>

namespace damrak::market_stream {

/// What a message says of itself.
struct Head {
    bool is_snapshot = true;
    std::uint64_t previous = 0;  ///< of changes: the state to which they apply
    std::uint64_t sequence = 0;
    std::int64_t time_ns = 0;
    std::uint64_t omitted = 0;  ///< trades
};

/// The members up to `time_ns`, from the opening brace on.
void append_head(std::string& json, const Topic& topic, const Head& head);

void append_price(std::string& json, std::uint64_t price_e4);
/// null, or `[price, quantity, orders]`.
void append_row(std::string& json, const std::optional<archive::BookLevel>& level);
void append_row(std::string& json, const archive::BookLevel& level);
void append_row(std::string& json, const archive::BookOrder& order);
void append_row(std::string& json, const Trade& trade);
void append_row(std::string& json, const archive::Candle& candle);
/// null, or an object.
void append_collar(std::string& json, const std::optional<order_flow::HaltState::Collar>& collar);
void append_auction(std::string& json, const std::optional<order_flow::Indicative>& auction);
/// The members of the channel.
void append_members(std::string& json, const Statistics& statistics);

/// `[…, …]` of the rows.
template <class Rows>
void append_rows(std::string& json, const Rows& rows) {
    json += '[';
    for (const auto& row : rows) {
        if (json.back() != '[') json += ',';
        append_row(json, row);
    }
    json += ']';
}

/// The head of a binary frame with this many rows.
void append_binary_head(std::string& frame, Channel channel, std::uint16_t locate, std::size_t rows,
                        const Head& head);
void append_binary_row(std::string& frame, const archive::BookLevel& level, Side side);
void append_binary_row(std::string& frame, const archive::BookOrder& order, Side side);
void append_binary_row(std::string& frame, const Trade& trade);

/// 1: buyer, -1: seller, 0: not reported.
[[nodiscard]] int number_of(std::optional<Side> aggressor);

}  // namespace damrak::market_stream
