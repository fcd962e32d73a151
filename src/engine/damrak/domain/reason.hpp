// Why something was rejected or ended: one enumeration for the whole exchange, each value with a
// text. Every gateway maps them to its own codes. Values are part of the journal format: append
// only.
#pragma once

#include <cstdint>
#include <string_view>

namespace damrak {

enum class Reason : std::uint8_t {
    none = 0,

    // The command was rejected; the state is unchanged.
    unknown_command = 1,
    unsupported_schema = 2,
    unknown_instrument = 3,
    unknown_participant = 4,
    unknown_order = 5,
    not_owner = 6,
    invalid_side = 7,
    invalid_order_type = 8,
    invalid_time_in_force = 9,
    invalid_self_trade_prevention = 10,
    invalid_flags = 11,
    invalid_combination = 12,
    invalid_quantity = 13,
    quantity_off_lot = 14,
    quantity_too_large = 15,
    invalid_price = 16,
    price_off_tick = 17,
    price_too_large = 18,
    invalid_stop_price = 19,
    invalid_display_quantity = 20,
    invalid_minimum_quantity = 21,
    invalid_expire_time = 22,
    invalid_order_id = 23,
    duplicate_order_id = 24,
    instrument_halted = 25,
    participant_blocked = 26,
    limit_order_quantity = 27,
    limit_order_notional = 28,
    limit_open_orders = 29,
    limit_open_notional = 30,
    limit_position = 31,
    orders_full = 32,
    levels_full = 33,
    extensions_full = 34,
    accounts_full = 35,
    post_only_would_trade = 36,
    duplicate_instrument = 37,
    invalid_instrument = 38,
    instrument_in_use = 39,
    invalid_state = 40,
    invalid_limits = 41,
    anonymous_share = 42,
    participant_in_use = 43,
    invalid_capacity = 44,
    limit_held_orders = 45,
    not_in_phase = 46,
    outside_price_band = 47,
    price_through_limit = 48,
    stop_reached = 49,
    invalid_rules = 50,
    lead_makers_full = 51,
    invalid_peg = 52,
    no_peg_reference = 53,
    limit_pegged_orders = 54,
    no_opposite_price = 55,
    invalid_trail = 56,
    no_trail_reference = 57,
    auction_price_outside = 58,
    market_orders_left = 59,
    no_auction_price = 60,
    unknown_trade = 61,
    trade_already_busted = 62,
    busts_full = 63,

    // An order, or part of it, left the book.
    requested = 64,
    unfilled_remainder = 65,
    fill_or_kill = 66,
    minimum_quantity = 67,
    self_trade = 68,
    mass_cancel = 69,
    participant_kill = 70,
    // 71 and 72 are not used
    good_till_date = 73,
    end_of_day = 74,
    price_band = 75,
    own_order = 76,
    end_of_batch = 77,
    peg_reference_gone = 78,
    end_of_auction = 79,

    // Again: the command was rejected.
    invalid_link = 80,
    invalid_quote = 81,
    quote_protections_full = 82,
    invalid_legs = 83,
    combinations_full = 84,
    not_tradable = 85,
    price_too_low = 86,
    invalid_correction = 87,

    // Again: an order, or part of it, left the book.
    linked_order = 96,
    quote_replaced = 97,
    quote_protection = 98,
};

/// One sentence with what is wrong and what would be valid. Never empty for a named reason.
[[nodiscard]] std::string_view text(Reason reason);
/// The name of the enumerator, for logs and JSON.
[[nodiscard]] std::string_view name(Reason reason);

}  // namespace damrak
