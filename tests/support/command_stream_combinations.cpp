// Combinations of instruments, and their prices.
#include <array>
#include <cstdint>

#include "support/command_stream.hpp"

namespace damrak {

/// Legs have a coarse tick, combinations a finer one and prices below zero.
void CommandStream::define_combined(InstrumentId id, InstrumentDetails& definition) {
    definition.tick_size = Price{100};
    definition.lot_size = Quantity{profile_.combined_lot};
    definition.shard_group = 1;
    if (id.value < k_first_combination) return;
    if (percent(50)) definition.tick_size = Price{50};
    definition.unpublished = 1;
    definition.minimum_price = Price{-1'000'000};
}

/// The middle of a combination is what its legs make it.
void CommandStream::follow_legs() {
    for (auto& [id, market] : markets_) {
        if (market.combination.kind == CombinationKind::none) continue;
        Price middle{};
        for (const CombinationDetails::Leg& leg : market.combination.legs)
            if (leg.ratio != 0)
                middle.value += leg.ratio * markets_.at(leg.instrument).middle.value;
        market.middle = middle;
    }
}

/// The first ones make spreads and a basket of legs, the others are mostly refused.
Command CommandStream::make_set_combination() {
    using Legs = std::array<CombinationDetails::Leg, CombinationDetails::k_maximum_legs>;
    constexpr InstrumentId a{1};
    constexpr InstrumentId b{2};
    constexpr InstrumentId c{3};
    constexpr auto k_legs = std::to_array<Legs>({
        {{{a, 1}, {b, -1}}},
        {{{a, 1}, {b, -1}}},
        {{{b, 1}, {c, -1}}},
        {{{a, 1}, {b, 1}}},
        {{{a, 1}, {b, -2}, {c, 1}}},
        {{{a, 2}, {b, 1}, {c, -1}}},
        {{{c, -3}, {a, 2}}},
    });
    Command command{};
    command.kind = CommandKind::set_combination;
    command.instrument = InstrumentId{1 + below(profile_.instruments + 1)};
    command.combination = {.legs = k_legs.at(below(k_legs.size())),
                           .kind = percent(70) ? CombinationKind::spread : CombinationKind::basket};
    if (queued_.empty() && percent(50)) {
        command.combination.legs.at(below(7)) = {InstrumentId{below(9)},
                                                 static_cast<std::int32_t>(between(-2, 2))};
        if (percent(10)) command.combination.kind = static_cast<CombinationKind>(below(4));
    }
    return command;
}

}  // namespace damrak
