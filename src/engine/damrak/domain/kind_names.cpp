#include <damrak/domain/kind_names.hpp>

#include <array>
#include <cstddef>
#include <span>
#include <utility>

namespace damrak {

namespace {

constexpr auto k_command_names = std::to_array<std::string_view>({"none",
                                                                  "new_order",
                                                                  "cancel_order",
                                                                  "replace_order",
                                                                  "mass_cancel",
                                                                  "query_order",
                                                                  "add_instrument",
                                                                  "add_tick_band",
                                                                  "set_trading_state",
                                                                  "set_limits",
                                                                  "set_participant_state",
                                                                  "tick",
                                                                  "end_day",
                                                                  "unknown",
                                                                  "release_participant",
                                                                  "set_capacities",
                                                                  "recorded_trade",
                                                                  "set_phase",
                                                                  "uncross",
                                                                  "set_allocation",
                                                                  "set_price_limits",
                                                                  "set_price_band",
                                                                  "set_lead_maker",
                                                                  "bust_trade",
                                                                  "quote",
                                                                  "set_quote_protection",
                                                                  "correct_trade",
                                                                  "set_combination"});

// From session_opened on: for consumers of the journal.
constexpr auto k_consumer_command_names = std::to_array<std::string_view>(
    {"session_opened", "session_closed", "day_opened", "day_closed", "breaker_levels"});

constexpr auto k_event_names = std::to_array<std::string_view>({"none",
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
                                                                "combination_set"});

std::string_view at(std::span<const std::string_view> names, std::size_t index) {
    return index < names.size() ? names[index] : "unknown";
}

}  // namespace

std::string_view name(CommandKind kind) {
    constexpr std::size_t k_first = std::to_underlying(CommandKind::session_opened);
    const std::size_t index = std::to_underlying(kind);
    return index < k_first ? at(k_command_names, index)
                           : at(k_consumer_command_names, index - k_first);
}

std::string_view name(EventKind kind) { return at(k_event_names, std::to_underlying(kind)); }

}  // namespace damrak
