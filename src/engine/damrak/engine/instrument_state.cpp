#include <damrak/engine/instrument_state.hpp>

namespace damrak {

namespace {

// Mixing forgets everything else at two words close below zero.
std::uint64_t word_of(Price price) {
    constexpr std::uint64_t k_negative = std::uint64_t{1} << 62U;
    return price.value < 0 ? k_negative - static_cast<std::uint64_t>(price.value)
                           : static_cast<std::uint64_t>(price.value);
}

template <class Add>
void add_rules(const InstrumentRules& rules, Add&& add) {
    const AllocationDetails& allocation = rules.allocation;
    std::uint64_t steps = 0;
    for (const AllocationStep step : allocation.steps)
        steps = steps << 8U | static_cast<std::uint64_t>(step);
    add(steps << 24U | std::uint64_t{allocation.split_rounding} << 16U |
        allocation.split_basis_points);
    for (const Quantity quantity :
         {allocation.top_minimum, allocation.top_maximum, allocation.pro_rata_minimum})
        add(static_cast<std::uint64_t>(quantity.value));
    for (const InstrumentRules::LeadMaker& maker : rules.lead_makers)
        add(std::uint64_t{maker.participant.value} << 32U | maker.basis_points);
    const PriceLimitDetails& limits = rules.price_limits;
    for (const PriceLimitDetails::Margin& margin :
         {limits.dynamic_corridor, limits.static_corridor, limits.market_collar, limits.entry_limit,
          limits.auction_corridor})
        add(std::uint64_t{margin.basis_points} << 32U | margin.at_least);
    add(static_cast<std::uint64_t>(limits.on_breach) << 16U |
        static_cast<std::uint64_t>(limits.on_own_cross) << 8U | limits.refuse_reached_stops);
    for (const Price price :
         {rules.price_band.lower, rules.price_band.upper, rules.price_band.reference})
        add(word_of(price));
}

}  // namespace

void InstrumentState::define(const InstrumentDefinition& definition) {
    definition_ = definition;
    tick_size_ = definition.common_tick().value;
    const auto divisor = static_cast<std::uint64_t>(tick_size_);
    reciprocal_ = ((std::uint64_t{1} << 63U) + divisor - 1) / divisor;
    base_ = definition.floor().value;
    price_span_ = definition.maximum_price.value - base_;
    maximum_quantity_ = definition.maximum_quantity.value;
    lot_size_ = definition.lot_size.value;
    banded_ = definition.band_count > 1;
    note_rules();
}

Reason InstrumentState::price_out_of_range(Price price, Reason if_not_positive) const {
    if (price > definition_.maximum_price) return Reason::price_too_large;
    return below_zero() ? Reason::price_too_low : if_not_positive;
}

std::uint64_t InstrumentState::hash() const {
    std::uint64_t hash = mix(definition_.id.value + 1ULL, orders_hash ^ 0xE7037ED1A0B428DBU);
    const auto add = [&](std::uint64_t word) { hash = mix(hash ^ 0x8EBC6AF09C88C6E3U, word + 7); };
    add(order_number);
    add(trade_number);
    add(static_cast<std::uint64_t>(last_trade));
    add(static_cast<std::uint64_t>(call) << 24U | static_cast<std::uint64_t>(auction) << 16U |
        static_cast<std::uint64_t>(phase) << 8U | static_cast<std::uint64_t>(state) << 1U |
        static_cast<std::uint64_t>(ever_used));
    add(static_cast<std::uint64_t>(lot_size_));
    add(static_cast<std::uint64_t>(definition_.maximum_price.value));
    add(static_cast<std::uint64_t>(maximum_quantity_));
    for (std::size_t i = 0; i < definition_.band_count; ++i) {
        add(word_of(definition_.tick_bands[i].from_price));
        add(static_cast<std::uint64_t>(definition_.tick_bands[i].tick_size.value));
    }
    if (phase == Phase::at_last) add(word_of(last_auction));
    if (sealed) add(batch_begin);
    if (settled_trades != 0) add(settled_trades);
    if (daily != DailyBand::none) add(static_cast<std::uint64_t>(daily) << 32U);
    if (restrictions != 0) add(restrictions);
    if (cause != HaltCause::none || collar != 0)
        add(static_cast<std::uint64_t>(cause) << 8U | collar);
    if (pegs.first != 0) {
        add(static_cast<std::uint64_t>(pegs.followed.bid));
        add(static_cast<std::uint64_t>(pegs.followed.ask));
    }
    if (ruled) add_rules(rules, add);
    if (shares())
        for (const std::uint64_t arrival : top_arrivals) add(arrival);
    return hash;
}

}  // namespace damrak
