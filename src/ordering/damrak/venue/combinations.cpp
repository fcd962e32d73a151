#include <damrak/venue/combinations.hpp>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <numeric>
#include <string_view>

#include <fmt/format.h>

#include <damrak/base/wide_integer.hpp>
#include <damrak/venue/detail/units.hpp>

namespace damrak::venue {

namespace {

class Combiner {
  public:
    Combiner(const Combination& combination, std::span<const InstrumentDefinition> market)
        : combination_(&combination), market_(market) {}

    [[nodiscard]] std::expected<std::optional<CombinedInstrument>, std::string> combine() {
        for (const Combination::Leg& leg : combination_->legs) {
            const InstrumentDefinition* const found = find(leg.symbol);
            if (found == nullptr) return std::nullopt;
            made_.details.legs.at(legs_.size()) = {found->id, leg.ratio};
            legs_.push_back(found);
        }
        made_.details.kind = combination_->kind;
        const InstrumentDefinition* const there = find(combination_->symbol);
        check_legs();
        if (refusal_.empty() && there == nullptr) define();
        if (refusal_.empty() && there != nullptr) take(*there);
        if (refusal_.empty()) check_instrument();
        if (!refusal_.empty()) return std::unexpected{refusal_};
        return made_;
    }

  private:
    [[nodiscard]] const InstrumentDefinition* find(std::string_view symbol) const {
        const auto found = std::ranges::find(
            market_, symbol, [](const InstrumentDefinition& one) { return one.symbol.view(); });
        return found == market_.end() ? nullptr : &*found;
    }

    void refuse(std::string_view why) {
        if (!refusal_.empty()) return;
        const bool is_spread = combination_->kind == CombinationKind::spread;
        refusal_ = fmt::format("{}: {} \"{}\": {}", combination_->place,
                               is_spread ? "spread" : "basket", combination_->symbol, why);
    }

    void check_legs() {
        const InstrumentDefinition& first = *legs_.front();
        for (const InstrumentDefinition* const leg : legs_) {
            if (leg->shard_group == 0 || leg->shard_group != first.shard_group)
                return refuse(fmt::format(
                    "its legs must have one shard_group, which is not 0: that of {} is {}, that of "
                    "{} is {}",
                    first.symbol.view(), first.shard_group, leg->symbol.view(), leg->shard_group));
            if (leg->price_decimals != first.price_decimals || leg->lot_size != first.lot_size)
                return refuse(fmt::format("its legs {} and {} must have the same decimals and lot",
                                          first.symbol.view(), leg->symbol.view()));
        }
        if (combination_->kind == CombinationKind::basket && first.lot_size != Quantity{1})
            refuse("the legs of a basket must have a lot of 1");
    }

    // The instrument of a combination is unpublished, as its prices may be below zero.
    void define() {
        InstrumentDefinition& made = made_.definition;
        const InstrumentDefinition& first = *legs_.front();
        made.symbol = Symbol::of(combination_->symbol);
        made.unpublished = true;
        made.shard_group = first.shard_group;
        made.price_decimals = first.price_decimals;
        made.lot_size = first.lot_size;
        made.maximum_quantity = first.maximum_quantity;
        std::int64_t tick = 0;
        Int128 reach = 0;
        bool may_be_below_zero = combination_->kind == CombinationKind::spread;
        for (std::size_t i = 0; i < legs_.size(); ++i) {
            const std::int64_t ratio = combination_->legs[i].ratio;
            tick = std::gcd(tick, legs_[i]->common_tick().value);
            reach += Int128{std::abs(ratio)} * legs_[i]->largest_value().value;
            made.maximum_quantity = std::min(made.maximum_quantity, legs_[i]->maximum_quantity);
            may_be_below_zero |= ratio < 0 || legs_[i]->minimum_price().value < 0;
        }
        if (combination_->tick != 0) tick = units(combination_->tick, "tick");
        if (!refusal_.empty()) return;
        const Int128 most =
            std::numeric_limits<std::int64_t>::max() / made.maximum_quantity.value / 4;
        const auto maximum = static_cast<std::int64_t>(std::min(reach, most) / tick * tick);
        made.maximum_price = Price{maximum};
        if (combination_->maximum_price)
            made.maximum_price = Price{units(*combination_->maximum_price, "maximum_price")};
        std::int64_t minimum = may_be_below_zero ? -maximum : 0;
        if (combination_->minimum_price)
            minimum = units(*combination_->minimum_price, "minimum_price");
        made.tick_bands[0] = {Price{minimum}, Price{tick}};
    }

    void take(const InstrumentDefinition& there) {
        made_.definition = there;
        const auto check = [&](std::string_view key, std::int64_t wanted, Price is) {
            if (units(wanted, key) != is.value)
                refuse(fmt::format("{} is not that of the instrument, which cannot change", key));
        };
        if (combination_->tick != 0) check("tick", combination_->tick, there.common_tick());
        if (combination_->minimum_price)
            check("minimum_price", *combination_->minimum_price, there.minimum_price());
        if (combination_->maximum_price)
            check("maximum_price", *combination_->maximum_price, there.maximum_price);
    }

    std::int64_t units(std::int64_t amount, std::string_view key) {
        const std::int64_t unit = detail::billionths_in_unit(made_.definition);
        if (amount % unit != 0)
            refuse(fmt::format("{} has more decimals than the prices of its legs, which have {}",
                               key, made_.definition.price_decimals));
        return amount / unit;
    }

    void check_instrument() {
        const InstrumentDefinition& made = made_.definition;
        const InstrumentDefinition& first = *legs_.front();
        if (made.check() != Reason::none)
            return refuse(
                "its prices must be from minimum_price, a multiple of its tick and at most 0, to "
                "maximum_price, and so that the value of its largest order is a 64-bit number");
        for (const InstrumentDefinition* const leg : legs_)
            if (leg->common_tick().value % made.common_tick().value != 0)
                return refuse(fmt::format("its tick must divide the ticks of its leg {}",
                                          leg->symbol.view()));
        if (made.band_count > 1 || made.shard_group != first.shard_group ||
            made.price_decimals != first.price_decimals || made.lot_size != first.lot_size)
            refuse(
                "its instrument must have one tick for all prices, and the shard_group, decimals "
                "and lot of its legs");
    }

    const Combination* combination_;
    std::span<const InstrumentDefinition> market_;
    std::vector<const InstrumentDefinition*> legs_;
    CombinedInstrument made_;
    std::string refusal_;
};

}  // namespace

std::expected<std::optional<CombinedInstrument>, std::string> combine(
    const Combination& combination, std::span<const InstrumentDefinition> market) {
    return Combiner{combination, market}.combine();
}

Command combination_command(InstrumentId id, const CombinationDetails& details) {
    Command command{};
    command.kind = CommandKind::set_combination;
    command.instrument = id;
    command.combination = details;
    return command;
}

std::expected<std::vector<Command>, std::string> combination_commands(
    const Venue& venue, std::span<const InstrumentDefinition> market) {
    std::vector<Command> plan;
    for (const Combination& one : venue.combinations) {
        const auto combined = combine(one, market);
        if (!combined) return std::unexpected{combined.error()};
        if (!*combined || !(*combined)->definition.id) continue;
        plan.push_back(combination_command((*combined)->definition.id, (*combined)->details));
    }
    return plan;
}

}  // namespace damrak::venue
