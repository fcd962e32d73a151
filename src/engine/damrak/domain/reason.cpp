#include <damrak/domain/reason.hpp>

#include <algorithm>
#include <array>
#include <iterator>

#include <damrak/base/enum_names.hpp>

namespace damrak {

namespace {

struct Entry {
    Reason reason;
    std::string_view text;
};

constexpr auto k_entries = std::to_array<Entry>({
    {Reason::none, ""},
    {Reason::unknown_command, "unknown kind of command"},
    {Reason::unsupported_schema, "unknown schema version"},
    {Reason::unknown_instrument, "no such instrument; add it first"},
    {Reason::unknown_participant,
     "no such participant; ids range from 1 to the configured capacity"},
    {Reason::unknown_order, "no open order has this id in this instrument"},
    {Reason::not_owner, "the order belongs to another participant"},
    {Reason::invalid_side, "the side is neither buy nor sell"},
    {Reason::invalid_order_type, "unknown order type"},
    {Reason::invalid_time_in_force, "unknown time in force"},
    {Reason::invalid_self_trade_prevention, "unknown self-trade prevention rule"},
    {Reason::invalid_flags, "a flag is set that this command does not define"},
    {Reason::invalid_combination, "these order attributes cannot be combined"},
    {Reason::invalid_quantity, "the quantity must be positive"},
    {Reason::quantity_off_lot, "the quantity must be a multiple of the lot size"},
    {Reason::quantity_too_large, "the quantity is above the maximum of the instrument"},
    {Reason::invalid_price, "a limit needs a positive price, any other order the price zero"},
    {Reason::price_off_tick, "the price must be a multiple of the tick size"},
    {Reason::price_too_large, "the price is above the maximum of the instrument"},
    {Reason::invalid_stop_price,
     "a stop order needs a valid positive stop price, any other order none"},
    {Reason::invalid_display_quantity,
     "the display quantity must be in lots, at most the quantity and at least a thousandth of it"},
    {Reason::invalid_minimum_quantity,
     "the minimum quantity must not be negative nor above the quantity"},
    {Reason::invalid_expire_time,
     "a good-till-date order needs an expiry in the future, any other order none"},
    {Reason::invalid_order_id,
     "the order id must be zero where the exchange allocates ids, and given where it does not"},
    {Reason::duplicate_order_id, "an open order already has this id"},
    {Reason::instrument_halted, "trading in the instrument is halted"},
    {Reason::participant_blocked, "the participant is blocked"},
    {Reason::limit_order_quantity, "above the participant's maximum quantity of an order"},
    {Reason::limit_order_notional, "above the participant's maximum value of an order"},
    {Reason::limit_open_orders, "the participant has its maximum of open orders"},
    {Reason::limit_open_notional,
     "the value of the participant's open orders would pass its limit"},
    {Reason::limit_position, "the participant's position could pass its limit"},
    {Reason::orders_full, "the exchange holds its maximum of open orders"},
    {Reason::levels_full, "the exchange holds its maximum of price levels"},
    {Reason::extensions_full,
     "the exchange holds its maximum of iceberg, stop, minimum-quantity and expiring orders"},
    {Reason::accounts_full, "the exchange holds its maximum of participants per instrument"},
    {Reason::post_only_would_trade, "the post-only order would trade at once"},
    {Reason::duplicate_instrument, "the instrument already exists"},
    {Reason::invalid_instrument, "the definition of the instrument is invalid"},
    {Reason::instrument_in_use, "the instrument has had orders; its ticks are fixed"},
    {Reason::invalid_state, "unknown state, or a state that does not allow this"},
    {Reason::invalid_limits, "a limit must not be negative"},
    {Reason::anonymous_share,
     "the shared capacity for participants without their own limits is in use; try again later"},
    {Reason::participant_in_use, "the participant has orders, positions or limits of its own"},
    {Reason::invalid_capacity, "a capacity can only grow, and a share is from 1 to 100 percent"},
    {Reason::limit_held_orders,
     "the participant has 100 orders in the instrument that wait for their minimum quantity"},
    {Reason::not_in_phase, "the current phase of the instrument does not allow this"},
    {Reason::outside_price_band, "the limit is outside the price band of the instrument"},
    {Reason::price_through_limit,
     "the limit is further through the last trade price than the instrument allows"},
    {Reason::stop_reached, "a trade has reached the stop price already"},
    {Reason::invalid_rules, "these rules contradict each other"},
    {Reason::lead_makers_full, "the instrument has as many lead market makers as it can have"},
    {Reason::invalid_peg,
     "a pegged order has a price to follow and a valid offset; it is hidden or follows its own "
     "side"},
    {Reason::no_peg_reference, "the price that the order would follow does not exist now"},
    {Reason::limit_pegged_orders,
     "the participant has 100 pegged orders and trailing stops in the instrument"},
    {Reason::no_opposite_price,
     "the other side displays no price that the order could take as its limit"},
    {Reason::invalid_trail,
     "a trailing stop needs a positive distance in ticks, any other order none"},
    {Reason::no_trail_reference, "without a last trade a trailing stop needs its first stop price"},
    {Reason::auction_price_outside, "the auction price would be outside its corridor"},
    {Reason::market_orders_left, "market orders would be left after the auction"},
    {Reason::no_auction_price, "no orders could trade in the auction"},
    {Reason::unknown_trade, "the instrument has no trade of today with these terms"},
    {Reason::trade_already_busted, "the trade was busted before"},
    {Reason::busts_full, "128 trades of the instrument were changed today"},
    {Reason::requested, "cancelled on request"},
    {Reason::unfilled_remainder, "the rest of an immediate or market order"},
    {Reason::fill_or_kill, "could not be filled completely at once"},
    {Reason::minimum_quantity, "the minimum quantity could not trade at once"},
    {Reason::self_trade, "prevented from trading with its own participant"},
    {Reason::mass_cancel, "cancelled by a mass cancel"},
    {Reason::participant_kill, "cancelled because the participant was blocked"},
    {Reason::good_till_date, "expired at its expiry time"},
    {Reason::end_of_day, "the trading day ended"},
    {Reason::price_band, "could not trade within the price limits"},
    {Reason::own_order, "would have crossed an order of its own participant"},
    {Reason::end_of_batch, "did not trade in its batch"},
    {Reason::peg_reference_gone, "the price that it followed does not exist any more"},
    {Reason::end_of_auction, "did not trade in its auction"},
    {Reason::invalid_link,
     "an order is linked to an open one of its participant and instrument that has no link yet"},
    {Reason::invalid_quote, "the bid of a quote must be below its ask"},
    {Reason::quote_protections_full, "the instrument has 32 quote protections"},
    {Reason::invalid_legs,
     "legs are two to seven different instruments of the same shard group with prices of their "
     "own"},
    {Reason::combinations_full, "the exchange, or a leg, has as many combinations as it takes"},
    {Reason::not_tradable, "a basket takes only limit orders that are immediate and filled whole"},
    {Reason::price_too_low, "the price is below the instrument's minimum"},
    {Reason::invalid_correction,
     "a correction needs a valid price and a quantity up to the traded one, and changes one of "
     "them"},
    {Reason::linked_order, "the order that it was linked to traded or ended"},
    {Reason::quote_replaced, "replaced by the participant's next quote"},
    {Reason::quote_protection, "the participant's quotes traded the quantity of its protection"},
});

constexpr const Entry& entry(Reason reason) {
    const auto* found = std::ranges::find(k_entries, reason, &Entry::reason);
    return found == k_entries.end() ? k_entries.front() : *found;
}

static_assert(std::ranges::count_if(k_enum_names<Reason>,
                                    [](auto name) { return !name.empty(); }) ==
                  std::ssize(k_entries),
              "each reason has a text");

}  // namespace

std::string_view text(Reason reason) { return entry(reason).text; }
std::string_view name(Reason reason) { return enum_name(entry(reason).reason); }

}  // namespace damrak
