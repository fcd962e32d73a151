// Makes an instrument a combination: docs/rule-book/combinations.md, CB-1 and CB-2.
#include <cstddef>
#include <cstdint>

#include <damrak/engine/detail/combinations.hpp>
#include <damrak/engine/detail/events.hpp>

namespace damrak::detail {

namespace {

constexpr std::int32_t k_largest_ratio = 10'000;

bool are_sound(const EngineState& engine, const InstrumentState& in,
               const CombinationDetails& details) {
    const Combination combination{.details = details};
    const std::size_t count = combination.legs();
    const InstrumentDefinition& own = in.definition();
    const bool basket = details.kind == CombinationKind::basket;
    if (count < 2 || own.band_count > 1 || own.shard_group == 0) return false;
    if (basket && own.lot_size.value != 1) return false;
    for (std::size_t i = 0; i < details.legs.size(); ++i) {
        const auto& [instrument, ratio] = details.legs[i];
        if (i >= count) {
            if (instrument || ratio != 0) return false;
            continue;
        }
        const InstrumentState* const leg = engine.find_instrument(instrument);
        if (leg == nullptr || leg == &in || leg->combination != CombinationKind::none) return false;
        if (ratio < -k_largest_ratio || ratio > k_largest_ratio) return false;
        const InstrumentDefinition& other = leg->definition();
        if (other.shard_group != own.shard_group || other.price_decimals != own.price_decimals ||
            other.lot_size != own.lot_size ||
            other.common_tick().value % own.common_tick().value != 0)
            return false;
        for (std::size_t j = 0; j < i; ++j)
            if (details.legs[j].instrument == instrument) return false;
    }
    return true;
}

}  // namespace

Reason set_combination(EngineState& engine, const Command& command) {
    InstrumentState* const in = engine.find_instrument(command.instrument);
    if (in == nullptr) return Reason::unknown_instrument;
    const CombinationDetails& wanted = command.combination;
    if (!is_valid(wanted.kind) || wanted.kind == CombinationKind::none ||
        !are_sound(engine, *in, wanted))
        return Reason::invalid_legs;
    if (in->ever_used || in->combined()) return Reason::instrument_in_use;
    const std::size_t legs = Combination{.details = wanted}.legs();
    const auto leg_at = [&](std::size_t i) -> InstrumentState& {
        return *engine.find_instrument(wanted.legs[i].instrument);
    };
    for (std::size_t i = 0; i < legs; ++i)
        if (engine.combinations.uses(leg_at(i).first_use) >= Combinations::k_most_uses)
            return Reason::combinations_full;
    engine.combinations.set(in->id(), wanted);
    in->combination = wanted.kind;
    for (std::size_t i = 0; i < legs; ++i)
        engine.combinations.use_leg(leg_at(i).first_use, in->id(), i);
    const auto note = [](InstrumentState& one) {
        one.note_rules();
        one.note_lists();
    };
    note(*in);
    for (std::size_t i = 0; i < legs; ++i) note(leg_at(i));
    emit_plain(engine, EventKind::combination_set, command.instrument, {}, 0);
    return Reason::none;
}

}  // namespace damrak::detail
