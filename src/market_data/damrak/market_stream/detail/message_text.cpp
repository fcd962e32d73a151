#include <damrak/market_stream/detail/message_text.hpp>

#include <array>
#include <bit>
#include <utility>

#include <fmt/format.h>

#include <damrak/archive/day_json.hpp>
#include <damrak/base/byte_order.hpp>

namespace damrak::market_stream {

namespace {

template <class... Values>
void append(std::string& json, fmt::format_string<Values...> format, Values&&... values) {
    // Not format_to(), with which each file that uses it compiles the whole of fmt.
    json += fmt::format(format, std::forward<Values>(values)...);
}

template <class T>
void append_le(std::string& frame, T value) {
    std::array<std::byte, sizeof(T)> bytes;
    store_le(bytes.data(), value);
    frame.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
}

void append_f64(std::string& frame, auto number) {
    append_le(frame, std::bit_cast<std::uint64_t>(static_cast<double>(number)));
}

std::string_view name_of_cross(char type) {
    switch (type) {
        case 'O':
            return "opening";
        case 'C':
            return "closing";
        case 'H':
            return "reopening";
        default:
            return "intraday";
    }
}

void append_side(std::string& frame, Side side, std::size_t zeros) {
    frame += side == Side::buy ? '\0' : '\1';
    frame.append(zeros, '\0');
}

}  // namespace

void append_head(std::string& json, const Topic& topic, const Head& head) {
    append(json, R"({{"type":"{}","channel":"{}")", head.is_snapshot ? "snapshot" : "changes",
           name(topic.channel));
    if (!topic.symbol.empty()) {
        json += R"(,"symbol":)";
        archive::append_string(json, topic.symbol);
    }
    if (!head.is_snapshot) append(json, R"(,"previous":{})", head.previous);
    append(json, R"(,"sequence":{},"time_ns":{})", head.sequence, head.time_ns);
}

void append_price(std::string& json, std::uint64_t price_e4) {
    constexpr std::uint64_t k_unit = 10'000;
    append(json, "{}.{:04}", price_e4 / k_unit, price_e4 % k_unit);
}

void append_row(std::string& json, const std::optional<archive::BookLevel>& level) {
    if (level)
        append_row(json, *level);
    else
        json += "null";
}

void append_row(std::string& json, const archive::BookLevel& level) {
    json += '[';
    append_price(json, level.price_e4);
    append(json, ",{},", level.shares);
    if (level.orders)
        append(json, "{}]", *level.orders);
    else
        json += "null]";
}

void append_row(std::string& json, const archive::BookOrder& order) {
    append(json, "[{},", order.reference);
    append_price(json, order.price_e4);
    append(json, ",{}]", order.shares);
}

void append_row(std::string& json, const Trade& trade) {
    append(json, "[{},{},", trade.sequence, trade.time_ns);
    append_price(json, trade.price_e4);
    append(json, ",{},{}]", trade.quantity, number_of(trade.aggressor));
}

void append_row(std::string& json, const archive::Candle& candle) {
    append(json, "[{}", candle.begin_ns);
    for (const std::uint32_t price :
         {candle.open_e4, candle.high_e4, candle.low_e4, candle.close_e4}) {
        json += ',';
        append_price(json, price);
    }
    append(json, ",{},{},", candle.quantity, candle.trades);
    append_price(json, candle.turnover_e4);
    json += ']';
}

void append_collar(std::string& json, const std::optional<order_flow::HaltState::Collar>& collar) {
    if (!collar) {
        json += "null";
        return;
    }
    json += '[';
    append_price(json, static_cast<std::uint64_t>(collar->lower.value));
    json += ',';
    append_price(json, static_cast<std::uint64_t>(collar->upper.value));
    json += ']';
}

void append_auction(std::string& json, const std::optional<order_flow::Indicative>& auction) {
    if (!auction) {
        json += "null";
        return;
    }
    append(json, R"({{"type":"{}","price":)", name_of_cross(auction->cross_type));
    if (auction->price.value == 0)
        json += "null";
    else
        append_price(json, static_cast<std::uint64_t>(auction->price.value));
    append(json, R"(,"quantity":{},"imbalance":{},"side":)", auction->paired, auction->imbalance);
    if (auction->side)
        json += *auction->side == Side::buy ? R"("buy"})" : R"("sell"})";
    else
        json += "null}";
}

void append_members(std::string& json, const Statistics& statistics) {
    const auto append_known = [&](std::string_view key, std::uint32_t price) {
        append(json, R"(,"{}":)", key);
        if (statistics.open_e4)
            append_price(json, price);
        else
            json += "null";
    };
    append_known("open", statistics.open_e4.value_or(0));
    append_known("high", statistics.high_e4);
    append_known("low", statistics.low_e4);
    append_known("last", statistics.last_e4);
    append(json, R"(,"volume":{},"turnover":)", statistics.volume);
    append_price(json, statistics.turnover_e4);
    append(json, R"(,"trades":{},"orders":{},"executions":{},"cancels":{})", statistics.trades,
           statistics.orders, statistics.executions, statistics.cancels);
}

void append_binary_head(std::string& frame, Channel channel, std::uint16_t locate, std::size_t rows,
                        const Head& head) {
    // Numbers of the channels in this form.
    const char number = channel == Channel::depth ? '\2' : channel == Channel::orders ? '\3' : '\4';
    frame += head.is_snapshot ? '\1' : '\2';
    frame += number;
    append_le(frame, locate);
    append_le(frame, static_cast<std::uint32_t>(rows));
    append_f64(frame, head.sequence);
    append_f64(frame, head.is_snapshot ? 0 : head.previous);
    append_f64(frame, head.time_ns);
    append_f64(frame, head.omitted);
}

void append_binary_row(std::string& frame, const archive::BookLevel& level, Side side) {
    append_f64(frame, level.price_e4);
    append_f64(frame, level.shares);
    append_le(frame, level.orders.value_or(0));
    append_side(frame, side, 3);
}

void append_binary_row(std::string& frame, const archive::BookOrder& order, Side side) {
    append_le(frame, order.reference);
    append_f64(frame, order.price_e4);
    append_f64(frame, order.shares);
    append_side(frame, side, 7);
}

void append_binary_row(std::string& frame, const Trade& trade) {
    append_f64(frame, trade.sequence);
    append_f64(frame, trade.time_ns);
    append_f64(frame, trade.price_e4);
    append_f64(frame, trade.quantity);
    frame += static_cast<char>(number_of(trade.aggressor));
    frame.append(7, '\0');
}

int number_of(std::optional<Side> aggressor) {
    if (!aggressor) return 0;
    return *aggressor == Side::buy ? 1 : -1;
}

}  // namespace damrak::market_stream
