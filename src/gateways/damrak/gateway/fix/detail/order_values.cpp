#include <damrak/gateway/fix/detail/order_values.hpp>

#include <array>
#include <limits>
#include <string>

#include <fmt/format.h>

#include <damrak/base/time_units.hpp>
#include <damrak/fix_codec/tags.hpp>

namespace damrak::gateway::fix::detail {

namespace {

using fix_codec::Message;
using fix_codec::ValueError;
namespace tag = fix_codec::tag;

Asked<Price> read_price(const Message& message, fix_codec::Tag tag, std::string_view name,
                        const InstrumentDefinition& instrument) {
    const unsigned decimals = instrument.price_decimals;
    const auto value = message.decimal(tag, static_cast<int>(decimals));
    if (!value && value.error() == ValueError::absent)
        return refuse_value(OrderRefusal::k_other, "{} ({}) is missing", name, tag);
    if (value && Price{*value} <= instrument.floor())
        return refuse_value(
            OrderRefusal::k_other, "{} {}: it must be {}", name, message.text_or_empty(tag),
            instrument.minimum_price() == Price{}
                ? std::string{"above zero"}
                : fmt::format("at least {}",
                              decimal_text(instrument.minimum_price().value, decimals).view()));
    if (value && instrument.on_tick(Price{*value})) return Price{*value};
    if (!value && value.error() != ValueError::inexact)
        return refuse_value(OrderRefusal::k_other, "{} {}: it is out of range", name,
                            message.text_or_empty(tag));
    const Price tick = value ? instrument.tick_size_at(Price{*value}) : instrument.common_tick();
    return refuse_value(OrderRefusal::k_price_increment,
                        "{} {}: it must be a multiple of the tick {}", name,
                        message.text_or_empty(tag), decimal_text(tick.value, decimals).view());
}

}  // namespace

std::string_view Display::name() const { return tag == tag::max_floor ? "MaxFloor" : "DisplayQty"; }

Asked<Quantity> read_quantity(const Message& message, fix_codec::Tag tag, std::string_view name) {
    const auto value = message.decimal(tag, 0);
    if (value) [[likely]]
        return Quantity{*value};
    if (value.error() == ValueError::absent) return Quantity{0};
    return parse_quantity(message.text_or_empty(tag), name);
}

Asked<Quantity> parse_quantity(std::string_view text, std::string_view name) {
    const auto value = fix_codec::parse_decimal(text, 0);
    if (value) return Quantity{*value};
    return refuse_value(OrderRefusal::k_incorrect_quantity, "{} {}: {}", name, text,
                        value.error() == ValueError::out_of_range ? "it is out of range"
                                                                  : "a whole number is wanted");
}

Asked<Timestamp> read_expiry(const Message& message) {
    const bool has_date = message.has(tag::expire_date);
    if (message.has(tag::expire_time)) {
        if (has_date)
            return refuse_value(OrderRefusal::k_other,
                                "ExpireTime (126) or ExpireDate (432), not both of them");
        if (const auto time = message.timestamp(tag::expire_time)) return *time;
        return refuse_value(OrderRefusal::k_other, "ExpireTime {}: there is no such time here",
                            message.text_or_empty(tag::expire_time));
    }
    if (!has_date) return Timestamp{};
    const std::string_view text = message.text_or_empty(tag::expire_date);
    constexpr std::int64_t k_last_day = std::numeric_limits<std::int64_t>::max() / k_day_ns - 1;
    const auto days = fix_codec::parse_date(text);
    if (!days || *days > k_last_day || *days < -k_last_day)
        return refuse_value(OrderRefusal::k_other, "ExpireDate {}: there is no such date here",
                            text);
    return Timestamp{(*days + 1) * k_day_ns};
}

Asked<Display> read_display(const Message& message) {
    Display display;
    for (const fix_codec::Tag tag : {tag::display_qty, tag::max_floor}) {
        if (!message.has(tag)) continue;
        const Display one{.tag = tag, .shown = {}};
        const auto shown = read_quantity(message, tag, one.name());
        if (!shown) return std::unexpected{shown.error()};
        if (display.tag != 0 && display.shown != *shown)
            return refuse_value(OrderRefusal::k_other,
                                "MaxFloor (111) and DisplayQty (1138) are different");
        display = {.tag = tag, .shown = *shown};
    }
    const std::string_view method = message.text_or_empty(tag::display_method);
    if (!method.empty() && method != "1")
        return refuse_value(OrderRefusal::k_unsupported,
                            "DisplayMethod {}: here 1 is (as at first)", method);
    return display;
}

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
            return refuse_value(OrderRefusal::k_unsupported, "{} {}: here {} is", unit.name, *text,
                                unit.value);
    }
    return {};
}

Asked<void> read_prices(const Message& message, const InstrumentDefinition& instrument,
                        Command& command, StopPrice stop_price) {
    if (has_limit(command.order_type)) {
        const auto price = read_price(message, tag::price, "Price", instrument);
        if (!price) return std::unexpected{price.error()};
        command.price = *price;
    } else if (message.has(tag::price)) {
        return refuse_value(OrderRefusal::k_unsupported,
                            "Price (44) is for limit and stop limit orders");
    }
    if (stop_price == StopPrice::wanted ||
        (stop_price == StopPrice::optional && message.has(tag::stop_px))) {
        const auto stop = read_price(message, tag::stop_px, "StopPx", instrument);
        if (!stop) return std::unexpected{stop.error()};
        command.order.stop_price = *stop;
    }
    return {};
}

Asked<Side> read_side(const Message& message) {
    const std::string_view text = message.text_or_empty(tag::side);
    const char letter = letter_of(text);
    if (letter == '1') return Side::buy;
    if (letter == '2' || letter == '5' || letter == '6') return Side::sell;
    return refuse_value(
        OrderRefusal::k_unsupported,
        "Side {}: here 1, 2, 5 and 6 are (buy, sell, sell short, sell short exempt)", text);
}

Asked<TypeAsked> read_type(const Message& message) {
    const std::string_view text = message.text_or_empty(tag::ord_type);
    switch (letter_of(text)) {
        case '1':
            return TypeAsked{OrderType::market};
        case '2':
            return TypeAsked{OrderType::limit};
        case '3':
            return TypeAsked{OrderType::stop};
        case '4':
            return TypeAsked{OrderType::stop_limit};
        case 'K':
            return TypeAsked{OrderType::market, 'K'};
        case 'P':
            return TypeAsked{message.has(tag::price) ? OrderType::limit : OrderType::market, 'P'};
        default:
            return refuse_value(OrderRefusal::k_unsupported,
                                "OrdType {}: here 1, 2, 3, 4, K and P are (market, limit, stop, "
                                "stop limit, market with left over as limit, pegged)",
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
        case '2':
            return TimeInForce::at_open;
        case '7':
            return TimeInForce::at_close;
        case '9':
            return TimeInForce::at_auction;
        default:
            return refuse_value(OrderRefusal::k_unsupported,
                                "TimeInForce {}: here 0, 1, 2, 3, 4, 6, 7 and 9 are (day, GTC, at "
                                "the opening, IOC, FOK, GTD, at the close, at crossing)",
                                text);
    }
}

}  // namespace damrak::gateway::fix::detail
