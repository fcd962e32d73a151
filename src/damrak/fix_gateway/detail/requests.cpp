#include <damrak/fix_gateway/detail/requests.hpp>

#include <array>
#include <limits>
#include <string_view>
#include <utility>

#include <damrak/base/time_units.hpp>
#include <damrak/fix_codec/tags.hpp>

namespace damrak::gateway::detail {

namespace {

using fix_codec::Message;
using fix_codec::ValueError;
namespace tag = fix_codec::tag;

// OrdRejReason.
constexpr int k_unsupported = 11;
constexpr int k_incorrect_quantity = 13;
constexpr int k_other = 99;

template <class... Arguments>
std::unexpected<Refusal> refuse(int code, fmt::format_string<Arguments...> format,
                                Arguments&&... arguments) {
    return std::unexpected{
        Refusal{.code = code, .text = FixText{format, std::forward<Arguments>(arguments)...}}};
}

// Of a value of one letter; zero for others.
char letter_of(std::string_view text) { return text.size() == 1 ? text.front() : '\0'; }

// A whole number of shares, however it is written.
Asked<Quantity> read_quantity(const Message& message, fix_codec::Tag tag, std::string_view name) {
    const auto value = message.decimal(tag, 0);
    if (value) return Quantity{*value};
    if (value.error() == ValueError::absent) return Quantity{0};
    return refuse(k_incorrect_quantity, "{} {}: a whole number is wanted", name,
                  message.text_or_empty(tag));
}

Asked<Price> read_price(const Message& message, fix_codec::Tag tag, std::string_view name,
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

// ExpireTime, or the end of ExpireDate; none of them is no time.
Asked<Timestamp> read_expiry(const Message& message) {
    const bool has_date = message.has(tag::expire_date);
    if (message.has(tag::expire_time)) {
        if (has_date)
            return refuse(k_other, "ExpireTime (126) or ExpireDate (432), not both of them");
        if (const auto time = message.timestamp(tag::expire_time)) return *time;
        return refuse(k_other, "ExpireTime {}: there is no such time here",
                      message.text_or_empty(tag::expire_time));
    }
    if (!has_date) return Timestamp{};
    const std::string_view text = message.text_or_empty(tag::expire_date);
    constexpr std::int64_t k_last_day = std::numeric_limits<std::int64_t>::max() / k_day_ns - 1;
    const auto days = fix_codec::parse_date(text);
    if (!days || *days > k_last_day || *days < -k_last_day)
        return refuse(k_other, "ExpireDate {}: there is no such date here", text);
    return Timestamp{(*days + 1) * k_day_ns};
}

/// What is shown of an order. MaxFloor of the older versions is DisplayQty of the newer ones; zero:
/// nothing.
struct Display {
    fix_codec::Tag tag{};  ///< zero: nothing is said about it
    Quantity shown{};
    [[nodiscard]] std::string_view name() const {
        return tag == tag::max_floor ? "MaxFloor" : "DisplayQty";
    }
};
Asked<Display> read_display(const Message& message) {
    Display display;
    for (const fix_codec::Tag tag : {tag::display_qty, tag::max_floor}) {
        if (!message.has(tag)) continue;
        const Display one{.tag = tag, .shown = {}};
        const auto shown = read_quantity(message, tag, one.name());
        if (!shown) return std::unexpected{shown.error()};
        if (display.tag != 0 && display.shown != *shown)
            return refuse(k_other, "MaxFloor (111) and DisplayQty (1138) are different");
        display = {.tag = tag, .shown = *shown};
    }
    const std::string_view method = message.text_or_empty(tag::display_method);
    if (!method.empty() && method != "1")
        return refuse(k_unsupported, "DisplayMethod {}: here 1 is (as at first)", method);
    return display;
}

/// Letters and digits with spaces between them. Some say how a broker is to work the order, which
/// is nothing to an exchange.
Asked<bool> read_post_only(const Message& message) {
    constexpr char k_do_not_initiate = '6';
    constexpr std::string_view k_for_brokers = "125 ";
    bool post_only = false;
    for (const char c : message.text_or_empty(tag::exec_inst)) {
        if (c == k_do_not_initiate) {
            post_only = true;
        } else if (!k_for_brokers.contains(c)) {
            return refuse(k_unsupported, "ExecInst {}: here 6 is (participate, do not initiate)",
                          c);
        }
    }
    return post_only;
}

/// Prices are of one share, quantities in shares.
Asked<void> check_units(const Message& message) {
    struct Unit {
        fix_codec::Tag tag;
        std::string_view value;
        std::string_view name;
    };
    static constexpr std::array<Unit, 3> k_units{{{tag::price_type, "2", "PriceType"},
                                                  {tag::quantity_type, "1", "QuantityType"},
                                                  {tag::qty_type, "0", "QtyType"}}};
    for (const Unit& unit : k_units) {
        const auto text = message.text(unit.tag);
        if (text && *text != unit.value)
            return refuse(k_unsupported, "{} {}: here {} is", unit.name, *text, unit.value);
    }
    return {};
}

Asked<void> read_prices(const Message& message, const InstrumentDefinition& instrument,
                        Command& command, bool waits_for_stop) {
    if (has_limit(command.order_type)) {
        const auto price = read_price(message, tag::price, "Price", instrument);
        if (!price) return std::unexpected{price.error()};
        command.price = *price;
    } else if (message.has(tag::price)) {
        return refuse(k_unsupported, "Price (44) is for limit and stop limit orders");
    }
    if (waits_for_stop) {
        const auto stop = read_price(message, tag::stop_px, "StopPx", instrument);
        if (!stop) return std::unexpected{stop.error()};
        command.order.stop_price = *stop;
    }
    return {};
}

std::unexpected<Refusal> cannot_change(std::string_view name, std::string_view text) {
    return refuse(k_other, "{} {}: a replace cannot change it, cancel the order and enter another",
                  name, text);
}

/// What a replace may state, but only as it is.
Asked<void> check_unchanged(const Message& message, const gateway::FixOrder& order,
                            const gateway::FixTerms& terms,
                            const InstrumentDefinition& instrument) {
    if (message.has(tag::time_in_force)) {
        const auto time_in_force = read_time_in_force(message);
        if (!time_in_force) return std::unexpected{time_in_force.error()};
        if (*time_in_force != order.time_in_force)
            return cannot_change("TimeInForce", message.text_or_empty(tag::time_in_force));
    }
    // Of one that was triggered.
    const auto decimals = static_cast<int>(instrument.price_decimals);
    const bool waits = is_stop(order.type) && !order.triggered;
    if (message.has(tag::stop_px) && !waits &&
        message.decimal(tag::stop_px, decimals) != order.stop.value)
        return cannot_change("StopPx", message.text_or_empty(tag::stop_px));
    const auto expiry = read_expiry(message);
    if (!expiry) return std::unexpected{expiry.error()};
    for (const auto& [tag, name] : {std::pair{tag::expire_time, std::string_view{"ExpireTime"}},
                                    std::pair{tag::expire_date, std::string_view{"ExpireDate"}}})
        if (message.has(tag) && *expiry != terms.expiry)
            return cannot_change(name, message.text_or_empty(tag));
    const auto minimum = read_quantity(message, tag::min_qty, "MinQty");
    if (!minimum) return std::unexpected{minimum.error()};
    if (message.has(tag::min_qty) && *minimum != terms.minimum)
        return cannot_change("MinQty", message.text_or_empty(tag::min_qty));
    const auto display = read_display(message);
    if (!display) return std::unexpected{display.error()};
    // Nothing is shown, or a part; what shows the whole order states neither.
    const bool same_display =
        display->shown.value == 0 ? terms.hidden : display->shown == terms.display;
    if (display->tag != 0 && !same_display)
        return cannot_change(display->name(), message.text_or_empty(display->tag));
    const auto post_only = read_post_only(message);
    if (!post_only) return std::unexpected{post_only.error()};
    if (message.has(tag::exec_inst) && *post_only != terms.post_only)
        return cannot_change("ExecInst", message.text_or_empty(tag::exec_inst));
    return {};
}

}  // namespace

Asked<Side> read_side(const Message& message) {
    const std::string_view text = message.text_or_empty(tag::side);
    const char letter = letter_of(text);
    if (letter == '1') return Side::buy;
    if (letter == '2' || letter == '5' || letter == '6') return Side::sell;
    return refuse(k_unsupported,
                  "Side {}: here 1, 2, 5 and 6 are (buy, sell, sell short, sell short exempt)",
                  text);
}

std::uint8_t note_flags(const Message& message) {
    using gateway::FixNote;
    std::uint8_t flags = message.has(tag::time_in_force) ? 0 : FixNote::k_no_time_in_force;
    const char side = letter_of(message.text_or_empty(tag::side));
    if (side == '5') flags |= FixNote::k_sell_short;
    if (side == '6') flags |= FixNote::k_sell_short_exempt;
    return flags;
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
    if (!message.has(tag::order_qty))
        return refuse(k_incorrect_quantity, "OrderQty (38) is missing");
    const auto quantity = read_quantity(message, tag::order_qty, "OrderQty");
    if (!quantity) return std::unexpected{quantity.error()};
    command.side = *side;
    command.order_type = *type;
    command.time_in_force = *time_in_force;
    command.quantity = *quantity;
    if (const auto prices = read_prices(message, instrument, command, is_stop(*type)); !prices)
        return std::unexpected{prices.error()};
    if (message.has(tag::stop_px) && !is_stop(*type))
        return refuse(k_unsupported, "StopPx (99) is for stop and stop limit orders");
    const auto minimum = read_quantity(message, tag::min_qty, "MinQty");
    if (!minimum) return std::unexpected{minimum.error()};
    command.order.minimum_quantity = *minimum;
    const auto display = read_display(message);
    if (!display) return std::unexpected{display.error()};
    command.order.display_quantity = display->shown;
    if (display->tag != 0 && display->shown.value == 0) command.flags |= CommandFlags::k_hidden;
    const auto expiry = read_expiry(message);
    if (!expiry) return std::unexpected{expiry.error()};
    const bool is_gtd = *time_in_force == TimeInForce::gtd;
    if (is_gtd && expiry->value == 0)
        return refuse(k_other, "TimeInForce 6 (GTD) needs ExpireTime (126) or ExpireDate (432)");
    if (!is_gtd && expiry->value != 0)
        return refuse(k_other, "ExpireTime (126) and ExpireDate (432) are for TimeInForce 6 (GTD)");
    command.order.expire_time = *expiry;
    const auto post_only = read_post_only(message);
    if (!post_only) return std::unexpected{post_only.error()};
    if (*post_only) command.flags |= CommandFlags::k_post_only;
    if (const auto units = check_units(message); !units) return std::unexpected{units.error()};
    return command;
}

Asked<Command> read_replace(const Message& message, const gateway::FixOrder& order,
                            const gateway::FixTerms& terms,
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
    if (const auto same = check_unchanged(message, order, terms, instrument); !same)
        return std::unexpected{same.error()};
    if (const auto units = check_units(message); !units) return std::unexpected{units.error()};
    return command;
}

Asked<Command> read_cancel(const Message& message, const gateway::FixOrder& order) {
    const auto type = message.text(tag::cxl_type);
    if (type && *type != "F")
        return refuse(k_other, "CxlType {}: here F is (all that is open)", *type);
    Command command{};
    command.kind = CommandKind::cancel_order;
    command.instrument = order.instrument;
    command.participant = order.participant;
    command.order_id = order.id;
    return command;
}

Asked<void> check_side(const Message& message, const gateway::FixOrder& order, bool exact) {
    const auto text = message.text(tag::side);
    const char usual = order.side == Side::buy ? '1' : '2';
    const char entered = order.side_sent == '\0' ? usual : order.side_sent;
    const char stated = letter_of(text.value_or(std::string_view{}));
    if (!text || stated == entered || (!exact && stated == usual)) return {};
    return refuse(k_other, "Side {}: the order was entered with {}", *text, entered);
}

}  // namespace damrak::gateway::detail
