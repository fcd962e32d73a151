#include "support/event_line.hpp"

#include <string_view>

#include <fmt/format.h>

#include <damrak/domain/reason.hpp>

namespace damrak {

namespace {

std::string_view kind_name(EventKind kind) {
    switch (kind) {
        case EventKind::accepted:
            return "accepted";
        case EventKind::rejected:
            return "rejected";
        case EventKind::executed:
            return "executed";
        case EventKind::cancelled:
            return "cancelled";
        case EventKind::replaced:
            return "replaced";
        case EventKind::expired:
            return "expired";
        case EventKind::triggered:
            return "triggered";
        case EventKind::refreshed:
            return "refreshed";
        case EventKind::rested:
            return "rested";
        case EventKind::order_status:
            return "order_status";
        case EventKind::instrument_added:
            return "instrument_added";
        case EventKind::tick_band_added:
            return "tick_band_added";
        case EventKind::trading_state_changed:
            return "trading_state_changed";
        case EventKind::limits_set:
            return "limits_set";
        case EventKind::participant_state_changed:
            return "participant_state_changed";
        case EventKind::mass_cancelled:
            return "mass_cancelled";
        case EventKind::day_ended:
            return "day_ended";
        case EventKind::participant_released:
            return "participant_released";
        case EventKind::capacities_set:
            return "capacities_set";
        case EventKind::phase_changed:
            return "phase_changed";
        case EventKind::uncrossed:
            return "uncrossed";
        case EventKind::allocation_set:
            return "allocation_set";
        case EventKind::price_limits_set:
            return "price_limits_set";
        case EventKind::price_band_set:
            return "price_band_set";
        case EventKind::lead_maker_set:
            return "lead_maker_set";
        case EventKind::trade_busted:
            return "trade_busted";
        case EventKind::none:
            break;
    }
    return "none";
}

// The state of the order after the event.
std::string standing(const Event& event) {
    std::string line;
    const bool hidden = has_flag(event, EventFlags::k_hidden);
    if (!has_flag(event, EventFlags::k_on_book)) {
        if (hidden) line += " (hidden)";
    } else if (hidden) {
        line += has_flag(event, EventFlags::k_held) ? " held" : " hidden";
    } else {
        line += fmt::format(" shows {}", event.displayed.value);
    }
    if (has_flag(event, EventFlags::k_waiting)) line += " pending";
    if (has_flag(event, EventFlags::k_repriced)) line += " repriced";
    return line;
}

std::string_view trade_role(const Event& event) {
    if (has_flag(event, EventFlags::k_cross)) return " in cross";
    return has_flag(event, EventFlags::k_aggressor) ? " takes" : "";
}

std::string trade_line(const Event& event) {
    return fmt::format("executed #{} {}@{} left {}{}{} trade {}", event.order_id.value,
                       event.quantity.value, price_text(event.price), event.remaining.value,
                       standing(event), trade_role(event), event.trade_id().value);
}

}  // namespace

std::string price_text(Price price) {
    const std::string whole = fmt::format("{}.{:04}", price.value / 10'000, price.value % 10'000);
    return whole.ends_with("00") ? whole.substr(0, whole.size() - 2) : whole;
}

std::string event_line(const Event& event) {
    const std::string_view kind = kind_name(event.kind);
    switch (event.kind) {
        case EventKind::rejected:
            return fmt::format("{} {}", kind, name(event.reason));
        case EventKind::executed:
            return trade_line(event);
        case EventKind::accepted:
            return fmt::format("{} #{} {}@{}{}", kind, event.order_id.value, event.quantity.value,
                               price_text(event.price), standing(event));
        case EventKind::cancelled:
        case EventKind::expired:
            return fmt::format("{} {} #{} {}@{} left {}{}", kind, name(event.reason),
                               event.order_id.value, event.quantity.value, price_text(event.price),
                               event.remaining.value, standing(event));
        case EventKind::replaced:
        case EventKind::refreshed:
        case EventKind::rested:
            return fmt::format("{} #{}>#{} @{} left {}{}", kind, event.order_id.value,
                               event.reference, price_text(event.price), event.remaining.value,
                               standing(event));
        case EventKind::triggered:
            return fmt::format("{} #{} @{} left {}{}", kind, event.order_id.value,
                               price_text(event.price), event.remaining.value, standing(event));
        case EventKind::uncrossed:
            return fmt::format("{} {}@{} surplus {}", kind, event.quantity.value,
                               price_text(event.price), event.remaining.value);
        case EventKind::order_status:
            return fmt::format("{} #{} executed {} @{} left {}{}", kind, event.order_id.value,
                               event.quantity.value, price_text(event.price), event.remaining.value,
                               standing(event));
        default:
            return fmt::format("{} {}{}", kind, event.quantity.value,
                               event.remaining.value != 0 ? " more" : "");
    }
}

}  // namespace damrak
