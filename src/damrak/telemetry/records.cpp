#include <damrak/telemetry/records.hpp>

#include <utility>

namespace damrak::telemetry {

namespace {

template <std::size_t k_count>
std::string_view at(const std::array<std::string_view, k_count>& names, std::size_t index) {
    return index < k_count ? names[index] : "unknown";
}

std::string_view event_name(EventKind kind) {
    static constexpr std::array<std::string_view, k_event_kinds> k_names{
        "none",
        "accepted",
        "rejected",
        "executed",
        "cancelled",
        "replaced",
        "expired",
        "triggered",
        "refreshed",
        "rested",
        "order_status",
        "instrument_added",
        "tick_band_added",
        "trading_state_changed",
        "limits_set",
        "participant_state_changed",
        "mass_cancelled",
        "day_ended",
        "participant_released",
        "capacities_set",
        "phase_changed",
        "uncrossed",
        "allocation_set",
        "price_limits_set",
        "price_band_set",
        "lead_maker_set",
        "trade_busted",
        "quote_protection_set",
        "trade_corrected",
        "combination_set"};
    return at(k_names, std::to_underlying(kind));
}

std::string_view command_name(CommandKind kind) {
    switch (kind) {
        case CommandKind::none:
            return "none";
        case CommandKind::new_order:
            return "new_order";
        case CommandKind::cancel_order:
            return "cancel_order";
        case CommandKind::replace_order:
            return "replace_order";
        case CommandKind::mass_cancel:
            return "mass_cancel";
        case CommandKind::query_order:
            return "query_order";
        case CommandKind::add_instrument:
            return "add_instrument";
        case CommandKind::add_tick_band:
            return "add_tick_band";
        case CommandKind::set_trading_state:
            return "set_trading_state";
        case CommandKind::set_phase:
            return "set_phase";
        case CommandKind::uncross:
            return "uncross";
        case CommandKind::set_allocation:
            return "set_allocation";
        case CommandKind::set_price_limits:
            return "set_price_limits";
        case CommandKind::set_price_band:
            return "set_price_band";
        case CommandKind::set_lead_maker:
            return "set_lead_maker";
        case CommandKind::bust_trade:
            return "bust_trade";
        case CommandKind::quote:
            return "quote";
        case CommandKind::set_quote_protection:
            return "set_quote_protection";
        case CommandKind::correct_trade:
            return "correct_trade";
        case CommandKind::set_combination:
            return "set_combination";
        case CommandKind::breaker_levels:
            return "breaker_levels";
        case CommandKind::set_limits:
            return "set_limits";
        case CommandKind::set_participant_state:
            return "set_participant_state";
        case CommandKind::tick:
            return "tick";
        case CommandKind::end_day:
            return "end_day";
        case CommandKind::continue_cascade:
            return "continue_cascade";
        case CommandKind::release_participant:
            return "release_participant";
        case CommandKind::set_capacities:
            return "set_capacities";
        case CommandKind::recorded_trade:
            return "recorded_trade";
        case CommandKind::session_opened:
            return "session_opened";
        case CommandKind::session_closed:
            return "session_closed";
        case CommandKind::day_opened:
            return "day_opened";
        case CommandKind::day_closed:
            return "day_closed";
    }
    return "unknown";
}

std::string_view side_name(Side side) { return side == Side::buy ? "buy" : "sell"; }

std::string_view order_type_name(OrderType type) {
    static constexpr std::array<std::string_view, 4> k_names{"limit", "market", "stop",
                                                             "stop_limit"};
    return at(k_names, std::to_underlying(type));
}

std::string_view time_in_force_name(TimeInForce time_in_force) {
    static constexpr std::array<std::string_view, 8> k_names{
        "day", "gtc", "gtd", "ioc", "fok", "at_open", "at_close", "at_auction"};
    return at(k_names, std::to_underlying(time_in_force));
}

}  // namespace

std::string_view name(RequestKind kind) {
    static constexpr std::array<std::string_view, k_request_kinds> k_names{
        "hello", "logout", "heartbeat", "new_order", "cancel", "modify", "other"};
    return at(k_names, std::to_underlying(kind));
}

const NameTable<RequestKind> k_request_names{&name};
const NameTable<EventKind> k_event_names{&event_name};
const NameTable<CommandKind> k_command_names{&command_name};
const NameTable<Side> k_side_names{&side_name};
const NameTable<OrderType> k_order_type_names{&order_type_name};
const NameTable<TimeInForce> k_time_in_force_names{&time_in_force_name};
const NameTable<Reason> k_reason_names{&damrak::name};

}  // namespace damrak::telemetry
