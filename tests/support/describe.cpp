#include "support/describe.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <damrak/domain/kind_names.hpp>
#include <damrak/domain/measures.hpp>
#include <damrak/domain/order_terms.hpp>
#include <damrak/domain/reason.hpp>

namespace damrak {

namespace {

constexpr auto k_command_flags = std::to_array<std::string_view>(
    {"hidden", "post_only", "reprice", "total", "both_sides", "lose_priority",
     "cancel_on_disconnect", "number_refused", "write_off", "default_limits", "print_rest",
     "pegged", "imbalance_only", "to_limit", "trailing", "linked"});
constexpr auto k_event_flags = std::to_array<std::string_view>(
    {"on_book", "aggressor", "hidden", "repriced", "pending", "held", "cross", "implied"});

class Line {
  public:
    explicit Line(std::string start) : text_{std::move(start)} {}
    Line& word(std::string_view value) {
        fmt::format_to(std::back_inserter(text_), " {}", value);
        return *this;
    }
    template <class Number>
    Line& field(std::string_view name, Number value) {
        if (value != Number{}) fmt::format_to(std::back_inserter(text_), " {}={}", name, value);
        return *this;
    }
    Line& flags(std::span<const std::string_view> names, std::uint16_t bits) {
        for (unsigned bit = 0; bit < 16; ++bit) {
            if ((unsigned{bits} >> bit & 1U) == 0) continue;
            fmt::format_to(std::back_inserter(text_), " +{}",
                           bit < names.size() ? names[bit] : "unknown_flag");
        }
        return *this;
    }
    [[nodiscard]] std::string take() { return std::move(text_); }

  private:
    std::string text_;
};

void describe_terms(Line& line, const Command& command) {
    line.word(name(command.side))
        .word(name(command.order_type))
        .word(name(command.time_in_force))
        .field("rule", command.self_trade_prevention == SelfTradePrevention::none
                           ? std::string_view{}
                           : name(command.self_trade_prevention));
}

/// The rules of an instrument.
void describe_rules(Line& line, const Command& command) {
    switch (command.kind) {
        case CommandKind::set_price_limits: {
            const PriceLimitDetails& limits = command.price_limits;
            const auto margin = [&](std::string_view name, const PriceLimitDetails::Margin& one) {
                line.field(name, std::int64_t{one.basis_points})
                    .field("at_least", std::int64_t{one.at_least});
            };
            margin("dynamic", limits.dynamic_corridor);
            margin("static", limits.static_corridor);
            margin("collar", limits.market_collar);
            margin("entry", limits.entry_limit);
            margin("auction", limits.auction_corridor);
            line.field("on_breach", int{std::to_underlying(limits.on_breach)})
                .field("on_own_cross", int{std::to_underlying(limits.on_own_cross)})
                .field("refuse_reached_stops", int{limits.refuse_reached_stops});
            break;
        }
        case CommandKind::set_price_band:
            line.field("lower", command.price_band.lower.value)
                .field("upper", command.price_band.upper.value)
                .field("reference", command.price_band.reference.value);
            break;
        case CommandKind::set_allocation:
            for (const AllocationStep step : command.allocation.steps)
                line.field("step", int{std::to_underlying(step)});
            line.field("split", command.allocation.split_basis_points)
                .field("rounding", int{command.allocation.split_rounding})
                .field("top_minimum", command.allocation.top_minimum.value)
                .field("top_maximum", command.allocation.top_maximum.value)
                .field("pro_rata_minimum", command.allocation.pro_rata_minimum.value);
            break;
        case CommandKind::set_lead_maker:
            line.field("share", command.lead_maker.basis_points);
            break;
        case CommandKind::bust_trade:
        case CommandKind::correct_trade:
            line.field("trade", command.bust.trade.value)
                .field("seller", command.bust.seller.value)
                .field("new_price", command.bust.new_price.value)
                .field("new_quantity", command.bust.new_quantity.value);
            break;
        default:
            break;
    }
}

/// Fields in the second half of the command, by its kind.
void describe_details(Line& line, const Command& command) {
    switch (command.kind) {
        case CommandKind::new_order:
        case CommandKind::replace_order:
            line.field("stop", command.order.stop_price.value)
                .field("display", command.order.display_quantity.value)
                .field("minimum", command.order.minimum_quantity.value)
                .field("expire", command.order.expire_time.value)
                .field("peg", int{std::to_underlying(command.order.peg)})
                .field("offset", command.order.offset.value);
            break;
        case CommandKind::add_instrument:
            line.field("tick", command.definition.tick_size.value)
                .field("lot", command.definition.lot_size.value)
                .field("maximum_price", command.definition.maximum_price.value)
                .field("maximum_quantity", command.definition.maximum_quantity.value)
                .field("unpublished", int{command.definition.unpublished});
            break;
        case CommandKind::set_phase:
        case CommandKind::uncross:
            line.field("phase", std::to_underlying(command.phase.phase))
                .field("auction", std::to_underlying(command.phase.auction))
                .field("call", std::to_underlying(command.phase.call))
                .field("sealed", int{command.phase.sealed})
                .field("restrictions", int{command.phase.restrictions})
                .field("conditions", int{command.phase.conditions});
            break;
        case CommandKind::add_tick_band:
            line.field("from", command.tick_band.from_price.value)
                .field("tick", command.tick_band.tick_size.value);
            break;
        case CommandKind::set_trading_state:
            line.field("state", int{std::to_underlying(command.trading_state)});
            break;
        case CommandKind::set_participant_state:
            line.field("state", int{std::to_underlying(command.participant_state)});
            break;
        case CommandKind::set_limits:
            line.field("order_quantity", command.limits.order_quantity.value)
                .field("order_notional", command.limits.order_notional)
                .field("open_orders", command.limits.open_orders)
                .field("open_notional", command.limits.open_notional)
                .field("position", command.limits.position.value);
            break;
        default:
            describe_rules(line, command);
            break;
    }
}

}  // namespace

std::string describe(const Command& command) {
    Line line{std::string{name(command.kind)}};
    line.field("instrument", command.instrument.value)
        .field("participant", command.participant.value)
        .field("id", command.order_id.value)
        .field("new_id", command.new_order_id.value)
        .field("client", command.client_order_id.value);
    if (command.kind == CommandKind::new_order) describe_terms(line, command);
    if (command.kind == CommandKind::mass_cancel) line.word(name(command.side));
    line.field("quantity", command.quantity.value).field("price", command.price.value);
    describe_details(line, command);
    line.flags(k_command_flags, command.flags).field("time", command.timestamp.value);
    if (command.schema_version != k_command_schema_version)
        line.word(fmt::format("schema={}", command.schema_version));
    return line.take();
}

std::string describe(const Event& event) {
    Line line{std::string{name(event.kind)}};
    line.field("reason", event.reason == Reason::none ? std::string_view{} : name(event.reason))
        .field("id", event.order_id.value)
        .field("reference", event.reference);
    if (event.order_id)
        line.word(name(event.side)).word(name(event.order_type)).word(name(event.time_in_force));
    line.field("quantity", event.quantity.value)
        .field("price", event.price.value)
        .field("remaining", event.remaining.value)
        .field("displayed", event.displayed.value)
        .flags(k_event_flags, event.flags)
        .field("instrument", event.instrument.value)
        .field("participant", event.participant.value);
    return line.word("by").word(name(event.command)).take();
}

std::string describe(const std::vector<Event>& events) {
    std::string text;
    for (const Event& event : events) text += describe(event) + '\n';
    return text;
}

}  // namespace damrak
