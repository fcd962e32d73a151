#include "support/event_line.hpp"

#include <cstdint>
#include <cstdlib>
#include <string_view>

#include <fmt/format.h>

#include <damrak/domain/kind_names.hpp>
#include <damrak/domain/reason.hpp>

namespace damrak {

namespace {

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
    const std::int64_t size = std::abs(price.value);
    const std::string whole =
        fmt::format("{}{}.{:04}", price.value < 0 ? "-" : "", size / 10'000, size % 10'000);
    return whole.ends_with("00") ? whole.substr(0, whole.size() - 2) : whole;
}

std::string event_line(const Event& event) {
    const std::string_view kind = name(event.kind);
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
        case EventKind::phase_changed:
        case EventKind::trading_state_changed:
        case EventKind::trade_corrected:
            return fmt::format("{} {}", kind, event.quantity.value);
        default:
            return fmt::format("{} {}{}", kind, event.quantity.value,
                               event.remaining.value != 0 ? " more" : "");
    }
}

}  // namespace damrak
