#include <damrak/exchange/changes.hpp>

#include <algorithm>
#include <map>
#include <string_view>

#include <fmt/format.h>

#include <damrak/engine/auction_bounds.hpp>
#include <damrak/exchange/settings_table.hpp>
#include <damrak/venue/combinations.hpp>
#include <damrak/venue/rule_commands.hpp>

namespace damrak::exchange {

namespace {

Command instrument_command(CommandKind kind, InstrumentId id) {
    Command command{};
    command.kind = kind;
    command.instrument = id;
    return command;
}

Command participant_command(CommandKind kind, ParticipantId id) {
    Command command{};
    command.kind = kind;
    command.participant = id;
    return command;
}

void add_instrument(const InstrumentDefinition& definition, std::vector<Command>& plan) {
    Command add = instrument_command(CommandKind::add_instrument, definition.id);
    add.definition = {.symbol = definition.symbol,
                      .tick_size = definition.tick_bands[0].tick_size,
                      .maximum_price = definition.maximum_price,
                      .lot_size = definition.lot_size,
                      .maximum_quantity = definition.maximum_quantity,
                      .shard_group = definition.shard_group,
                      .price_decimals = definition.price_decimals,
                      .policy = definition.policy,
                      .unpublished = static_cast<std::uint8_t>(definition.unpublished),
                      .minimum_price = definition.minimum_price()};
    plan.push_back(add);
    for (std::size_t i = 1; i < definition.band_count; ++i) {
        Command band = instrument_command(CommandKind::add_tick_band, definition.id);
        band.tick_band = definition.tick_bands[i];
        plan.push_back(band);
    }
}

// The part of an instrument that differs, in a word; visible differences are checked first.
std::string_view differing_part(const InstrumentDefinition& a, const InstrumentDefinition& b) {
    if (a.symbol != b.symbol) return "symbol";
    if (a.price_decimals != b.price_decimals) return "decimals";
    if (a.minimum_price() != b.minimum_price()) return "minimum_price";
    if (a.band_count != b.band_count || a.tick_bands != b.tick_bands) return "tick sizes";
    if (a.lot_size != b.lot_size) return "lot";
    if (a.maximum_price != b.maximum_price) return "maximum_price";
    if (a.maximum_quantity != b.maximum_quantity) return "maximum_quantity";
    if (a.unpublished != b.unpublished) return "unpublished";
    return "shard_group";
}

Command phase_command(CommandKind kind, InstrumentId id, Phase phase, AuctionRule auction) {
    Command command = instrument_command(kind, id);
    command.phase = {phase, auction};
    return command;
}

// Orders that collected trade in an auction before continuous trading begins, and when a call
// closes.
std::string plan_phase(const InstrumentSettings& wanted, const InstrumentState* there,
                       std::vector<Command>& plan) {
    const InstrumentId id = wanted.definition.id;
    const Phase before = there == nullptr ? Phase::continuous : there->phase;
    const AuctionRule rule = there == nullptr ? AuctionRule{} : there->auction;
    if (wanted.phase == before && wanted.auction == rule) return {};
    if (!suits_auctions(wanted.definition))
        return fmt::format(
            "instrument {}: only one with a maximum_quantity of at most {} may have "
            "a phase or auction of its own",
            id.value, k_auction_maximum_quantity.value);
    const bool uncrosses =
        wanted.phase != before && (wanted.phase == Phase::continuous ||
                                   (before == Phase::call && wanted.phase == Phase::closed));
    if (uncrosses && wanted.halted)
        return fmt::format(
            "instrument {}: a halted instrument has no auction: end the halt first, "
            "or leave its phase as it is",
            id.value);
    Command set = phase_command(CommandKind::set_phase, id, uncrosses ? Phase::call : wanted.phase,
                                wanted.auction);
    set.phase.sealed = uncrosses && there != nullptr && there->sealed ? 1 : 0;
    plan.push_back(set);
    if (uncrosses) plan.push_back(phase_command(CommandKind::uncross, id, wanted.phase, {}));
    return {};
}

// The rules of the venue, or none; its timetable leads the phases.
std::string plan_rules(const InstrumentSettings& wanted, const venue::Venue* venue,
                       const InstrumentState* there, std::vector<Command>& plan) {
    const std::string_view symbol = wanted.definition.symbol.view();
    const auto rules = venue::rule_commands(
        venue == nullptr ? venue::Rules{} : venue->rules_of(symbol), wanted.definition,
        there == nullptr ? InstrumentRules{} : there->rules);
    if (!rules) return rules.error();
    plan.insert(plan.end(), rules->begin(), rules->end());
    if (venue == nullptr) return plan_phase(wanted, there, plan);
    const bool is_continuous = std::ranges::all_of(
        venue->sessions,
        [](const venue::TradingSession& one) { return one.phase == Phase::continuous; });
    if ((is_continuous && rules->empty()) || suits_auctions(wanted.definition)) return {};
    return fmt::format(
        "instrument {} ({}): the venue {} has auctions or rules for which its maximum_quantity "
        "must be at most {}",
        wanted.definition.id.value, symbol, venue->name, k_auction_maximum_quantity.value);
}

// A halt by the breaker of the venue lasts, unless the operator takes it over.
void plan_trading_state(const InstrumentSettings& wanted, const venue::Venue* venue,
                        const InstrumentState* there, std::vector<Command>& plan) {
    const bool is_halted = there != nullptr && there->state == TradingState::halted;
    const bool is_by_breaker = is_halted && there->cause == HaltCause::market_wide_3;
    const bool lasts = is_by_breaker && venue != nullptr && venue->market_breaker;
    if (wanted.halted ? is_halted && !is_by_breaker : !is_halted || lasts) return;
    Command set = instrument_command(CommandKind::set_trading_state, wanted.definition.id);
    set.trading_state = wanted.halted ? TradingState::halted : TradingState::trading;
    plan.push_back(set);
}

std::string plan_instrument(const InstrumentSettings& wanted, const venue::Venue* venue,
                            const MarketView& market, std::vector<Command>& plan) {
    const InstrumentDefinition& definition = wanted.definition;
    const InstrumentState* const there = market.find(definition.id);
    if (there == nullptr) {
        for (const InstrumentState* const other : market.instruments)
            if (other->definition().symbol == definition.symbol)
                return fmt::format("instrument {}: the symbol {} is that of instrument {} already",
                                   definition.id.value, definition.symbol.view(),
                                   other->definition().id.value);
        add_instrument(definition, plan);
    } else if (!(there->definition() == definition)) {
        return fmt::format(
            "instrument {} ({}): its {} cannot change, as the journal has it already: give the new "
            "one an id of its own",
            definition.id.value, there->definition().symbol.view(),
            differing_part(there->definition(), definition));
    }
    plan_trading_state(wanted, venue, there, plan);
    return plan_rules(wanted, venue, there, plan);
}

// Of the journal, where nothing is configured: only a venue changes it. Without one, a venue that
// was there before leaves it to continuous trading.
InstrumentSettings as_it_is(const InstrumentState& there) {
    const bool is_halted = there.state == TradingState::halted;
    return {.definition = there.definition(),
            .halted = is_halted,
            .phase = is_halted ? there.phase : Phase::continuous,
            .auction = there.auction,
            .isin = {}};
}

// The combinations of the venue, whose legs are as the plan makes them. Those that are not
// configured as instruments the venue brings.
class CombinationPlan {
  public:
    CombinationPlan(const Settings& settings, const std::vector<InstrumentSettings>& instruments,
                    const MarketView& market)
        : settings_(&settings), market_(&market) {
        for (const InstrumentSettings& one : instruments) there_.push_back(one.definition);
        for (const InstrumentState* const one : market.instruments)
            if (std::ranges::find(there_, one->definition().id, &InstrumentDefinition::id) ==
                there_.end())
                there_.push_back(one->definition());
        configured_ = instruments.size();
    }

    [[nodiscard]] std::string add_all(std::vector<Command>& plan) {
        for (const venue::Combination& one : settings_->venue->combinations)
            if (std::string refusal = add(one, plan); !refusal.empty()) return refusal;
        return {};
    }

  private:
    std::string add(const venue::Combination& wanted, std::vector<Command>& plan) {
        const auto combined = venue::combine(wanted, there_);
        if (!combined) return combined.error();
        if (!*combined) return {};
        InstrumentDefinition definition = (*combined)->definition;
        const bool is_new = !definition.id;
        if (is_new) {
            if (std::string refusal = give_id(definition, wanted); !refusal.empty()) return refusal;
            add_instrument(definition, plan);
            there_.push_back(definition);
        }
        if (std::string refusal = set(definition.id, (*combined)->details, wanted, plan);
            !refusal.empty())
            return refusal;
        if (is_configured(definition.id)) return {};  // its rules are in the plan
        const InstrumentState* const there = market_->find(definition.id);
        InstrumentSettings own;
        own.definition = definition;
        return plan_rules(own, settings_->venue.get(), there, plan);
    }

    [[nodiscard]] bool is_configured(InstrumentId id) const {
        const auto found = std::ranges::find(there_, id, &InstrumentDefinition::id);
        return static_cast<std::size_t>(found - there_.begin()) < configured_;
    }

    // The next one behind all others.
    std::string give_id(InstrumentDefinition& definition, const venue::Combination& wanted) const {
        std::uint32_t last = 0;
        for (const InstrumentDefinition& one : there_) last = std::max(last, one.id.value);
        definition.id = InstrumentId{last + 1};
        if (last < market_->capacities.instruments) return {};
        return fmt::format("{}: \"{}\" needs an instrument more than the {} that there is room for",
                           wanted.place, wanted.symbol, market_->capacities.instruments);
    }

    // What the journal has stays.
    std::string set(InstrumentId id, const CombinationDetails& details,
                    const venue::Combination& wanted, std::vector<Command>& plan) const {
        const auto refuse = [&](std::string_view why) {
            return fmt::format("{}: \"{}\" {}", wanted.place, wanted.symbol, why);
        };
        const InstrumentState* const there = market_->find(id);
        if (const auto old = market_->combinations.find(id); old != market_->combinations.end())
            return old->second == details
                       ? std::string{}
                       : refuse(
                             "has another kind or other legs in the journal, which cannot "
                             "change: give the new one a symbol of its own");
        if (there != nullptr && (there->ever_used || there->combined()))
            return refuse("is an instrument that had orders, or a leg, and cannot have legs");
        if (!are_single(details))
            return refuse("has a leg that is a combination itself in the journal");
        plan.push_back(venue::combination_command(id, details));
        return {};
    }

    // Legs that the plan adds are single.
    [[nodiscard]] bool are_single(const CombinationDetails& details) const {
        return std::ranges::none_of(details.legs, [&](const CombinationDetails::Leg& leg) {
            return market_->combinations.contains(leg.instrument);
        });
    }

    const Settings* settings_;
    const MarketView* market_;
    std::vector<InstrumentDefinition> there_;
    std::size_t configured_ = 0;
};

Command limits_command(ParticipantId id, const LimitDetails& limits) {
    Command set = participant_command(CommandKind::set_limits, id);
    set.limits = limits;
    return set;
}

// Participants that are not configured have the default limits and are not blocked.
void plan_participants(const Settings& settings, const Accounts& accounts,
                       std::vector<Command>& plan) {
    std::map<ParticipantId, const ParticipantSettings*> named;
    for (const ParticipantSettings& one : settings.participants) named[one.id] = &one;
    const ParticipantSettings unnamed;
    if (accounts.participant({}).limits != settings.default_limits)
        plan.push_back(limits_command({}, settings.default_limits));
    for (std::uint32_t id = 1; id <= accounts.participant_count(); ++id) {
        const auto found = named.find(ParticipantId{id});
        const ParticipantSettings& wanted = found == named.end() ? unnamed : *found->second;
        const Participant& there = accounts.participant(ParticipantId{id});
        const bool is_named = found != named.end();
        if (there.configured != is_named || (is_named && there.limits != wanted.limits)) {
            Command set = limits_command(ParticipantId{id}, wanted.limits);
            if (!is_named) set.flags = CommandFlags::k_default_limits;
            plan.push_back(set);
        }
        const ParticipantState state =
            wanted.blocked ? ParticipantState::blocked : ParticipantState::active;
        if (there.state != state) {
            Command set =
                participant_command(CommandKind::set_participant_state, ParticipantId{id});
            set.participant_state = state;
            plan.push_back(set);
        }
    }
}

}  // namespace

const InstrumentState* MarketView::find(InstrumentId id) const {
    const auto found =
        std::ranges::find(instruments, id, [](const auto* one) { return one->definition().id; });
    return found == instruments.end() ? nullptr : *found;
}

std::optional<Command> capacities_command(const Settings& settings, const CapacityDetails& there) {
    Command set = participant_command(CommandKind::set_capacities, {});
    set.capacities = settings.capacity.capacities(settings.anonymous_share);
    return set.capacities == there ? std::nullopt : std::optional{set};
}

std::expected<std::vector<Command>, std::string> plan_changes(const Settings& settings,
                                                              const MarketView& market) {
    std::vector<Command> plan;
    std::vector<InstrumentSettings> instruments;
    if (settings.instruments) {
        instruments = *settings.instruments;
    } else if (market.instruments.empty()) {
        instruments = usual_instruments();
    } else {
        for (const InstrumentState* const there : market.instruments)
            instruments.push_back(as_it_is(*there));
    }
    for (const InstrumentSettings& wanted : instruments)
        if (std::string refusal = plan_instrument(wanted, settings.venue.get(), market, plan);
            !refusal.empty())
            return std::unexpected{std::move(refusal)};
    if (settings.venue != nullptr)
        if (std::string refusal = CombinationPlan{settings, instruments, market}.add_all(plan);
            !refusal.empty())
            return std::unexpected{std::move(refusal)};
    plan_participants(settings, *market.accounts, plan);
    return plan;
}

std::vector<std::string> fixed_differences(const Settings& running, const Settings& wanted) {
    std::vector<std::string> names = gateway::fixed_rows(setting_rows(), running, wanted);
    standard_exchange::for_each_gateway_list([&](const auto& list) {
        const auto rows = list.rows(running);
        const auto same = [&](const auto& one, const auto& other) {
            return gateway::fixed_rows(rows, one, other).empty();
        };
        if (!std::ranges::equal(list.get(running), list.get(wanted), same))
            names.push_back(list.name);
    });
    if (running.isins() != wanted.isins()) names.emplace_back("instruments.isin");
    return names;
}

}  // namespace damrak::exchange
