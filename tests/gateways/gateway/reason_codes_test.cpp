// Each reason and its codes at the gateways that have codes of their own. A new reason fails here
// until its codes are decided.
#include <algorithm>
#include <array>
#include <cstdint>

#include <gtest/gtest.h>

#include <damrak/domain/reason.hpp>
#include <damrak/gateway/fix/detail/reports.hpp>
#include <damrak/session/ouch/request.hpp>

namespace damrak::gateway::reason_codes_test {
namespace {

struct Refused {
    Reason reason;
    char ouch_42;
    std::uint16_t ouch_50;
    int order_reject;   ///< OrdRejReason
    int cancel_reject;  ///< CxlRejReason
};
struct Ended {
    Reason reason;
    char ouch;
    int restated;  ///< ExecRestatementReason of FIX.4.4; -1: none
};

constexpr auto k_refused = std::to_array<Refused>({
    {Reason::unknown_command, 'O', 0x0F, 99, 99},
    {Reason::unsupported_schema, 'O', 0x0F, 99, 99},
    {Reason::unknown_instrument, 'S', 0x17, 1, 99},
    {Reason::unknown_participant, 'L', 0x0C, 0, 99},
    {Reason::unknown_order, 'O', 0x0F, 99, 1},
    {Reason::not_owner, 'O', 0x0F, 99, 1},
    {Reason::invalid_side, 'O', 0x09, 99, 99},
    {Reason::invalid_order_type, 'O', 0x0F, 11, 99},
    {Reason::invalid_time_in_force, 'M', 0x0F, 11, 99},
    {Reason::invalid_self_trade_prevention, 'O', 0x0F, 99, 99},
    {Reason::invalid_flags, 'O', 0x0F, 11, 99},
    {Reason::invalid_combination, 'O', 0x0F, 11, 99},
    {Reason::invalid_quantity, 'Z', 0x13, 13, 99},
    {Reason::quantity_off_lot, 'Z', 0x13, 13, 99},
    {Reason::quantity_too_large, 'Z', 0x13, 13, 99},
    {Reason::invalid_price, 'X', 0x1D, 99, 99},
    {Reason::price_off_tick, 'X', 0x1D, 18, 18},
    {Reason::price_too_large, 'X', 0x1D, 99, 99},
    {Reason::invalid_stop_price, 'O', 0x0F, 99, 99},
    {Reason::invalid_display_quantity, 'O', 0x04, 13, 99},
    {Reason::invalid_minimum_quantity, 'N', 0x0D, 13, 99},
    {Reason::invalid_expire_time, 'M', 0x0F, 99, 99},
    {Reason::invalid_order_id, 'O', 0x0F, 99, 99},
    {Reason::duplicate_order_id, 'O', 0x0F, 99, 99},
    {Reason::instrument_halted, 'H', 0x07, 2, 2},
    {Reason::participant_blocked, 'L', 0x0C, 0, 2},
    {Reason::limit_order_quantity, 'Z', 0x1E, 3, 99},
    {Reason::limit_order_notional, 'O', 0x1F, 3, 99},
    {Reason::limit_open_orders, 'O', 0x20, 3, 99},
    {Reason::limit_open_notional, 'O', 0x20, 3, 99},
    {Reason::limit_position, 'O', 0x20, 3, 99},
    {Reason::orders_full, 'O', 0x0F, 99, 99},
    {Reason::levels_full, 'O', 0x0F, 99, 99},
    {Reason::extensions_full, 'O', 0x0F, 99, 99},
    {Reason::accounts_full, 'O', 0x0F, 99, 99},
    {Reason::post_only_would_trade, 'O', 0x12, 99, 99},
    {Reason::duplicate_instrument, 'O', 0x0F, 99, 99},
    {Reason::invalid_instrument, 'O', 0x0F, 99, 99},
    {Reason::instrument_in_use, 'O', 0x0F, 99, 99},
    {Reason::invalid_state, 'O', 0x0F, 99, 99},
    {Reason::invalid_limits, 'O', 0x0F, 99, 99},
    {Reason::anonymous_share, 'O', 0x0F, 99, 99},
    {Reason::participant_in_use, 'O', 0x0F, 99, 99},
    {Reason::invalid_capacity, 'O', 0x0F, 99, 99},
    {Reason::limit_held_orders, 'N', 0x0D, 3, 99},
    {Reason::not_in_phase, 'C', 0x02, 2, 2},
    {Reason::outside_price_band, 'X', 0x1D, 16, 8},
    {Reason::price_through_limit, 'X', 0x06, 16, 8},
    {Reason::stop_reached, 'O', 0x0F, 99, 99},
    {Reason::invalid_rules, 'O', 0x0F, 99, 99},
    {Reason::lead_makers_full, 'O', 0x0F, 99, 99},
    {Reason::invalid_peg, 'O', 0x11, 11, 99},
    {Reason::no_peg_reference, 'O', 0x01, 99, 99},
    {Reason::limit_pegged_orders, 'O', 0x11, 3, 99},
    {Reason::no_opposite_price, 'O', 0x01, 99, 99},
    {Reason::invalid_trail, 'O', 0x0F, 11, 99},
    {Reason::no_trail_reference, 'O', 0x0F, 99, 99},
    {Reason::auction_price_outside, 'O', 0x0F, 99, 99},
    {Reason::market_orders_left, 'O', 0x0F, 99, 99},
    {Reason::no_auction_price, 'O', 0x0F, 99, 99},
    {Reason::unknown_trade, 'O', 0x0F, 99, 99},
    {Reason::trade_already_busted, 'O', 0x0F, 99, 99},
    {Reason::busts_full, 'O', 0x0F, 99, 99},
    {Reason::invalid_link, 'O', 0x0F, 11, 99},
    {Reason::invalid_quote, 'X', 0x1D, 99, 99},
    {Reason::quote_protections_full, 'O', 0x0F, 99, 99},
    {Reason::invalid_legs, 'O', 0x0F, 99, 99},
    {Reason::combinations_full, 'O', 0x0F, 99, 99},
    {Reason::not_tradable, 'O', 0x0F, 11, 99},
    {Reason::price_too_low, 'X', 0x1D, 99, 99},
    {Reason::invalid_correction, 'O', 0x0F, 99, 99},
});
constexpr auto k_ended = std::to_array<Ended>({
    {Reason::requested, 'U', -1},
    {Reason::unfilled_remainder, 'I', -1},
    {Reason::fill_or_kill, 'I', -1},
    {Reason::minimum_quantity, 'I', -1},
    {Reason::self_trade, 'Q', 8},
    {Reason::mass_cancel, 'U', -1},
    {Reason::participant_kill, 'S', 8},
    {Reason::good_till_date, 'T', -1},
    {Reason::end_of_day, 'E', -1},
    {Reason::price_band, 'K', 8},
    {Reason::own_order, 'Q', 8},
    {Reason::end_of_batch, 'C', -1},
    {Reason::peg_reference_gone, 'Z', 8},
    {Reason::end_of_auction, 'C', -1},
    {Reason::linked_order, 'U', -1},
    {Reason::quote_replaced, 'U', -1},
    {Reason::quote_protection, 'Z', 8},
    {Reason::instrument_halted, 'H', 6},
});

TEST(ReasonCodes, of_refusals) {
    using session::ouch::refusal_of;
    for (const Refused& row : k_refused) {
        EXPECT_EQ(code_v42(refusal_of(row.reason)), row.ouch_42) << name(row.reason);
        EXPECT_EQ(code_v50(refusal_of(row.reason)), row.ouch_50) << name(row.reason);
        EXPECT_EQ(fix::detail::order_reject_reason(row.reason), row.order_reject)
            << name(row.reason);
        EXPECT_EQ(fix::detail::cancel_reject_reason(row.reason), row.cancel_reject)
            << name(row.reason);
    }
}

TEST(ReasonCodes, of_orders_that_ended) {
    using fix_codec::ApplVersion;
    for (const Ended& row : k_ended) {
        EXPECT_EQ(session::ouch::cancel_code(row.reason), row.ouch) << name(row.reason);
        EXPECT_EQ(fix::detail::restatement_reason(row.reason, ApplVersion::fix44), row.restated)
            << name(row.reason);
        EXPECT_EQ(fix::detail::restatement_reason(row.reason, ApplVersion::fix42),
                  row.restated < 0 ? -1 : 4)
            << name(row.reason);
    }
}

TEST(ReasonCodes, no_reason_is_left_out) {
    const auto has = [](const auto& table, Reason reason) {
        return std::ranges::any_of(table,
                                   [reason](const auto& row) { return row.reason == reason; });
    };
    for (unsigned value = 1; value <= UINT8_MAX; ++value) {
        const auto reason = static_cast<Reason>(value);
        if (name(reason) == name(Reason::none)) continue;
        const bool refuses = reason < Reason::requested ||
                             (reason >= Reason::invalid_link && reason < Reason::linked_order);
        EXPECT_TRUE(refuses ? has(k_refused, reason) : has(k_ended, reason)) << name(reason);
    }
}

TEST(ReasonCodes, each_version_of_fix_has_the_codes_that_it_knows) {
    using fix_codec::ApplVersion;
    EXPECT_EQ(fix::detail::reject_reason_in(ApplVersion::fix43, 13), 0);
    EXPECT_EQ(fix::detail::reject_reason_in(ApplVersion::fix44, 13), 13);
    EXPECT_EQ(fix::detail::reject_reason_in(ApplVersion::fix44, 16), 99);
    EXPECT_EQ(fix::detail::reject_reason_in(ApplVersion::fix50, 16), 16);
    EXPECT_EQ(fix::detail::reject_reason_in(ApplVersion::fix50sp2, 18), 18);
}

}  // namespace
}  // namespace damrak::gateway::reason_codes_test
