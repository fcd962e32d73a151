#include <damrak/gateway/detail/fix_requests.hpp>

#include <optional>
#include <string_view>

#include <damrak/wire/fix/tags.hpp>

namespace damrak::gateway::detail {

namespace {

using wire::fix::Message;
using wire::fix::ValueError;
namespace tag = wire::fix::tag;

// OrdRejReason.
constexpr int k_unsupported = 11;
constexpr int k_incorrect_quantity = 13;
constexpr int k_other = 99;

constexpr std::int64_t k_day_ns = std::int64_t{24} * 60 * 60 * 1'000'000'000;

template <class... Arguments>
std::unexpected<Refusal> refuse(int code, fmt::format_string<Arguments...> format,
                                Arguments&&... arguments) {
    return std::unexpected{
        Refusal{.code = code, .text = FixText{format, std::forward<Arguments>(arguments)...}}};
}

// Of a value of one letter; zero for others.
char letter_of(std::string_view text) { return text.size() == 1 ? text.front() : '\0'; }

// A whole number of shares, however it is written.
Asked<Quantity> read_quantity(const Message& message, wire::fix::Tag tag, std::string_view name) {
    const auto value = message.decimal(tag, 0);
    if (value) return Quantity{*value};
    if (value.error() == ValueError::absent) return Quantity{0};
    return refuse(k_incorrect_quantity, "{} {}: a whole number is wanted", name,
                  message.text_or_empty(tag));
}

Asked<Price> read_price(const Message& message, wire::fix::Tag tag, std::string_view name,
                        const InstrumentDefinition& instrument) {
    const unsigned decimals = instrument.price_decimals;
    const auto value = message.decimal(tag, static_cast<int>(decimals));
    if (!value && value.error() == ValueError::absent)
        return refuse(k_other, "{} ({}) is missing", name, tag);
    if (value && *value <= 0)
        return refuse(k_other, "{} {}: it must be above zero", name, message.text_or_empty(tag));
    if (value && instrument.on_tick(Price{*value})) return Price{*value};
    if (!value && value.error() != ValueError::inexact)
        return refuse(k_other, "{} {}: it is out of range", name, message.text_or_empty(tag));
    const Price tick = value ? instrument.tick_size_at(Price{*value}) : instrument.smallest_tick();
    return refuse(k_other, "{} {}: it must be a multiple of the tick {}", name,
                  message.text_or_empty(tag), decimal_text(tick.value, decimals).view());
}

// ExpireTime, or the end of ExpireDate.
Asked<Timestamp> read_expiry(const Message& message) {
    if (const auto time = message.timestamp(tag::expire_time)) return *time;
    if (const auto text = message.text(tag::expire_date))
        if (const auto days = wire::fix::parse_date(*text))
            return Timestamp{(*days + 1) * k_day_ns};
    return refuse(k_other, "TimeInForce 6 (GTD) needs ExpireTime (126) or ExpireDate (432)");
}

// MaxFloor of the older versions is DisplayQty of the newer ones; zero: nothing is shown.
Asked<void> read_display(const Message& message, Command& command) {
    for (const wire::fix::Tag tag : {tag::display_qty, tag::max_floor}) {
        if (!message.has(tag)) continue;
        const auto shown = read_quantity(message, tag, "MaxFloor");
        if (!shown) return std::unexpected{shown.error()};
        if (shown->value == 0) {
            command.flags |= CommandFlags::k_hidden;
        } else {
            command.order.display_quantity = *shown;
        }
        return {};
    }
    return {};
}

// Letters and digits with spaces between them.
bool has_instruction(std::string_view instructions, char wanted) {
    for (const char c : instructions)
        if (c == wanted) return true;
    return false;
}

Asked<void> read_prices(const Message& message, const InstrumentDefinition& instrument,
                        Command& command, bool waits_for_stop) {
    if (has_limit(command.order_type)) {
        const auto price = read_price(message, tag::price, "Price", instrument);
        if (!price) return std::unexpected{price.error()};
        command.price = *price;
    } else if (message.has(tag::price) && command.kind == CommandKind::new_order) {
        return refuse(k_unsupported, "Price (44) is for limit and stop limit orders");
    }
    if (waits_for_stop) {
        const auto stop = read_price(message, tag::stop_px, "StopPx", instrument);
        if (!stop) return std::unexpected{stop.error()};
        command.order.stop_price = *stop;
    }
    return {};
}

}  // namespace

Asked<Side> read_side(const Message& message) {
    const std::string_view text = message.text_or_empty(tag::side);
    const char letter = letter_of(text);
    if (letter == '1') return Side::buy;
    if (letter == '2') return Side::sell;
    return refuse(k_unsupported, "Side {}: here 1 and 2 are (buy, sell)", text);
}

Asked<OrderType> read_type(const Message& message) {
    const std::string_view text = message.text_or_empty(tag::ord_type);
    switch (letter_of(text)) {
        case '1':
            return OrderType::market;
        case '2':
            return OrderType::limit;
        case '3':
            return OrderType::stop;
        case '4':
            return OrderType::stop_limit;
        default:
            return refuse(k_unsupported,
                          "OrdType {}: here 1, 2, 3 and 4 are (market, limit, stop, stop "
                          "limit)",
                          text);
    }
}

Asked<TimeInForce> read_time_in_force(const Message& message) {
    const std::string_view text = message.text_or_empty(tag::time_in_force);
    if (text.empty()) return TimeInForce::day;
    switch (letter_of(text)) {
        case '0':
            return TimeInForce::day;
        case '1':
            return TimeInForce::gtc;
        case '3':
            return TimeInForce::ioc;
        case '4':
            return TimeInForce::fok;
        case '6':
            return TimeInForce::gtd;
        default:
            return refuse(k_unsupported,
                          "TimeInForce {}: here 0, 1, 3, 4 and 6 are (day, GTC, IOC, FOK, "
                          "GTD)",
                          text);
    }
}

Asked<Command> read_new_order(const Message& message, const InstrumentDefinition& instrument) {
    Command command{};
    command.kind = CommandKind::new_order;
    command.instrument = instrument.id;
    const auto side = read_side(message);
    if (!side) return std::unexpected{side.error()};
    const auto type = read_type(message);
    if (!type) return std::unexpected{type.error()};
    const auto time_in_force = read_time_in_force(message);
    if (!time_in_force) return std::unexpected{time_in_force.error()};
    const auto quantity = read_quantity(message, tag::order_qty, "OrderQty");
    if (!quantity) return std::unexpected{quantity.error()};
    command.side = *side;
    command.order_type = *type;
    command.time_in_force = *time_in_force;
    command.quantity = *quantity;
    if (const auto prices = read_prices(message, instrument, command, is_stop(*type)); !prices)
        return std::unexpected{prices.error()};
    const auto minimum = read_quantity(message, tag::min_qty, "MinQty");
    if (!minimum) return std::unexpected{minimum.error()};
    command.order.minimum_quantity = *minimum;
    if (const auto display = read_display(message, command); !display)
        return std::unexpected{display.error()};
    if (*time_in_force == TimeInForce::gtd) {
        const auto expiry = read_expiry(message);
        if (!expiry) return std::unexpected{expiry.error()};
        command.order.expire_time = *expiry;
    }
    constexpr char k_participate_only = '6';
    if (has_instruction(message.text_or_empty(tag::exec_inst), k_participate_only))
        command.flags |= CommandFlags::k_post_only;
    return command;
}

Asked<Command> read_replace(const Message& message, const views::FixOrder& order,
                            const InstrumentDefinition& instrument) {
    Command command{};
    command.kind = CommandKind::replace_order;
    command.instrument = order.instrument;
    command.participant = order.participant;
    command.order_id = order.id;
    command.new_order_id = order.id;  // it stays the same order for its client
    command.flags = CommandFlags::k_quantity_is_total;
    const auto quantity = read_quantity(message, tag::order_qty, "OrderQty");
    if (!quantity) return std::unexpected{quantity.error()};
    command.quantity = *quantity;
    const auto type = read_type(message);
    if (!type) return std::unexpected{type.error()};
    const bool triggered = order.triggered;
    const OrderType now = triggered && has_limit(order.type) ? OrderType::limit : order.type;
    if (*type != order.type && *type != now)
        return refuse(k_other, "OrdType cannot change: cancel the order and enter another");
    command.order_type = *type;
    if (const auto prices =
            read_prices(message, instrument, command, is_stop(order.type) && !triggered);
        !prices)
        return std::unexpected{prices.error()};
    // What only a new order states.
    command.order_type = {};
    return command;
}

Command read_cancel(const views::FixOrder& order) {
    Command command{};
    command.kind = CommandKind::cancel_order;
    command.instrument = order.instrument;
    command.participant = order.participant;
    command.order_id = order.id;
    return command;
}

Asked<void> check_target(const Message& message, const views::FixOrder& order,
                         const InstrumentDefinition& instrument) {
    const auto symbol = message.text(tag::symbol);
    if (symbol && *symbol != instrument.symbol.view())
        return refuse(k_other, "Symbol {}: the order is in {}", *symbol, instrument.symbol.view());
    if (!message.has(tag::side)) return {};
    const auto side = read_side(message);
    if (!side) return std::unexpected{side.error()};
    if (*side != order.side)
        return refuse(k_other, "Side {}: the order is on the other side",
                      message.text_or_empty(tag::side));
    return {};
}

}  // namespace damrak::gateway::detail
