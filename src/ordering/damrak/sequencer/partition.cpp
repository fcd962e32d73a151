#include <damrak/sequencer/partition.hpp>

#include <algorithm>
#include <ranges>
#include <tuple>

#include <damrak/base/assert.hpp>
#include <damrak/base/serialize.hpp>

namespace damrak::sequencer {

namespace {

// Whether the command lets orders come to rest at other prices than they ask for
// (docs/rule-book/price-limits.md, PL-12 and PL-15).
bool brings_repricing(const Command& command) {
    return (command.kind == CommandKind::set_price_limits &&
            command.price_limits.on_breach == OnBreach::rest) ||
           (command.kind == CommandKind::set_price_band && command.price_band.exists()) ||
           (command.kind == CommandKind::uncross && command.phase.phase == Phase::at_last);
}

// Whether it is so in this instrument. `rest` alone says nothing: it is the default.
bool reprices(const InstrumentState& in) {
    const InstrumentRules& rules = in.rules;
    const bool is_limited = rules.price_band.exists() || rules.price_limits != PriceLimitDetails{};
    return in.phase == Phase::at_last ||
           (is_limited && rules.price_limits.on_breach == OnBreach::rest);
}

}  // namespace

Partition::Partition(const EngineConfig& config, std::size_t shards)
    : config_(config), budget_(config), places_(config.maximum_instruments + std::size_t{1}) {
    DAMRAK_ASSERT(shards >= 1 && shards <= k_maximum_shards);
    for (std::size_t i = 0; i < shards; ++i) shards_.push_back(std::make_unique<Engine>(config));
}

Partition::~Partition() = default;

bool Partition::is_independent_after_look(const Command& command) {
    // Never is, and a look reads all instruments: a start would do that for each of thousands.
    if (command.kind == CommandKind::add_instrument) return false;
    look(command.participant);
    return is_independent(command);
}

void Partition::look(ParticipantId id) {
    PoolPlaces used;
    OpenTally open;
    std::uint32_t waiting_orders = 0;
    for (const auto& shard : shards_) {
        used.add(shard->used());
        open.add(shard->open_tally(id));
        waiting_orders += shard->waiting_orders();
    }
    budget_.renew(used, waiting_orders);
    if (accounts().is_valid(id))
        budget_.renew(id, accounts().limits_of(id), !accounts().participant(id).configured, open);
}

void Partition::look_at_all_participants() {
    look({});
    for (std::uint32_t i = 1; i <= accounts().participant_count(); ++i) {
        const ParticipantId id{i};
        OpenTally open;
        for (const auto& shard : shards_) open.add(shard->open_tally(id));
        budget_.renew(id, accounts().limits_of(id), !accounts().participant(id).configured, open);
    }
    budget_.keep_free(shards_.front()->kept_free());
}

// Capacities of the shards, after a load or a change.
void Partition::note_capacities() {
    config_ = shards_.front()->config();
    places_.resize(config_.maximum_instruments + std::size_t{1});
    budget_.set_capacities(config_);
}

Slice Partition::apply_alone(const Command& command) {
    if (brings_repricing(command)) budget_.expect_repricing();
    switch (command.kind) {
        case CommandKind::add_instrument:
            return add_instrument(command);
        case CommandKind::mass_cancel:
        case CommandKind::end_day:
            return command.instrument ? apply_with_others(command) : apply_to_all(command);
        case CommandKind::set_participant_state:
        case CommandKind::set_limits:
        case CommandKind::set_capacities:
        case CommandKind::tick:
            return apply_to_all(command);
        case CommandKind::release_participant:
            return release_participant(command);
        default:
            return apply_with_others(command);
    }
}

Slice Partition::resume_alone() {
    Slice slice = alone_.engine != nullptr ? alone_.engine->resume() : next_step();
    if (!slice.more) alone_.engine = nullptr;
    if (!alone_.of_one) {
        const bool last = alone_.in_steps.step == CommandInSteps::Step::close;
        slice.more = !last;
    } else if (!slice.more) {
        // The budget did not count the command's consumption.
        look(alone_.command.participant);
    }
    return slice;
}

// Instruments of a group share a shard; the others are assigned in turn.
std::size_t Partition::shard_for(InstrumentId id, std::uint16_t group) const {
    return (group != 0 ? group : id.value - std::size_t{1}) % shards_.size();
}

void Partition::take_over(std::span<const std::byte> saved_engine) {
    for (std::size_t i = 0; i < shards_.size(); ++i) {
        Engine& engine = *shards_[i];
        LoadArchive loaded{saved_engine};
        Engine::transfer(engine, loaded);
        DAMRAK_ASSERT(loaded.complete());
        note_capacities();
        for (std::uint32_t id = 1; id < places_.size(); ++id) {
            const InstrumentState* const in = engine.instrument(InstrumentId{id});
            if (in == nullptr) continue;
            const InstrumentDefinition& definition = in->definition();
            places_[id - 1] = {.shard = shard_for(InstrumentId{id}, definition.shard_group),
                               .largest_value = definition.largest_value()};
            if (reprices(*in)) budget_.expect_repricing();
        }
        std::vector<bool> wanted(config_.maximum_instruments);
        for (std::uint32_t id = 1; id < places_.size(); ++id)
            wanted[id - 1] = shard_of(InstrumentId{id}) == i;
        engine.keep_only(wanted);
    }
    for (std::uint32_t id = 1; id <= accounts().participant_count(); ++id)
        budget_.expect_moves(ParticipantId{id});
    look_at_all_participants();
}

// The first shard decides and reports; the others only apply.
Slice Partition::release_participant(const Command& command) {
    Engine& first = *shards_.front();
    OtherShards others;
    if (accounts().is_valid(command.participant))
        for (const auto& shard : shards_ | std::views::drop(1)) {
            others.open.add(shard->open_tally(command.participant));
            others.holding.add(shard->holding(command.participant));
        }
    const Slice slice = first.apply_beside(command, others);
    if (slice.first->kind == EventKind::participant_released)
        for (const auto& shard : shards_ | std::views::drop(1)) shard->release(command.participant);
    look(command.participant);
    return slice;
}

Slice Partition::add_instrument(const Command& command) {
    if (has_instrument(command.instrument) || command.instrument.value - 1U >= places_.size() - 1)
        return apply(shard_of(command.instrument), command);
    const std::size_t shard = shard_for(command.instrument, command.definition.shard_group);
    const Slice slice = apply(shard, command);
    if (shards_[shard]->instrument(command.instrument) != nullptr)
        places_[command.instrument.value - 1U] = {
            .shard = shard,
            .largest_value =
                shards_[shard]->instrument(command.instrument)->definition().largest_value()};
    return slice;
}

Slice Partition::apply_with_others(const Command& command) {
    Engine& own = *shards_[shard_of(command.instrument)];
    const Slice slice = own.apply_beside(command, others_of(own, command.participant));
    if (slice.more)
        alone_ = {.command = command, .engine = &own, .of_one = true};
    else
        look(command.participant);  // what it used was not counted
    return slice;
}

OtherShards Partition::others_of(const Engine& own, ParticipantId participant) const {
    OtherShards others;
    for (const auto& shard : shards_) {
        if (shard.get() == &own) continue;
        others.used.add(shard->used());
        others.open.add(shard->open_tally(participant));
    }
    return others;
}

// The first shard reports on participants, then each shard on its orders.
Slice Partition::apply_to_all(const Command& command) {
    alone_ = {.command = command};
    Slice first;
    for (const auto& shard : shards_) {
        CommandInSteps own;
        const Slice slice = shard->apply_step(command, own, {});
        if (shard == shards_.front()) first = slice;
        if (own.rejected) return first;
    }
    if (command.kind == CommandKind::set_capacities) note_capacities();
    if (command.kind != CommandKind::set_limits && command.kind != CommandKind::set_capacities)
        first.more = true;
    else if (command.kind == CommandKind::set_limits && command.participant)
        look(command.participant);
    else
        look_at_all_participants();
    return first;
}

Slice Partition::next_step() {
    return alone_.command.kind == CommandKind::tick ? expire() : end_orders();
}

// Ends the orders of the next instrument that has any, then applies the close.
Slice Partition::end_orders() {
    CommandInSteps& in_steps = alone_.in_steps;
    in_steps.step = CommandInSteps::Step::orders;
    while (++alone_.instrument < places_.size()) {
        in_steps.instrument = InstrumentId{alone_.instrument};
        if (!has_instrument(in_steps.instrument)) continue;
        Engine& engine = *shards_[shard_of(in_steps.instrument)];
        const Slice slice = engine.apply_step(alone_.command, in_steps, others_of(engine, {}));
        if (slice.more) alone_.engine = &engine;
        if (slice.count > 0) return slice;
    }
    in_steps.step = CommandInSteps::Step::close;
    return shards_.front()->apply_step(alone_.command, in_steps, {});
}

// Expires one order at a time, from the shard with the next expiry.
Slice Partition::expire() {
    CommandInSteps& in_steps = alone_.in_steps;
    in_steps.step = CommandInSteps::Step::orders;
    const auto rank = [](const auto& shard) { return shard->next_expiry_rank(); };
    Engine& next = **std::ranges::min_element(shards_, {}, rank);
    const auto [due, instrument, order] = next.next_expiry_rank();
    if (due <= alone_.command.timestamp && order) {
        const Slice slice = next.apply_step(alone_.command, in_steps, others_of(next, {}));
        if (slice.more) alone_.engine = &next;
        return slice;
    }
    in_steps.step = CommandInSteps::Step::close;
    return {};
}

std::uint64_t Partition::state_hash() const {
    StateDigest digest = shards_.front()->digest();
    for (const auto& shard : shards_ | std::views::drop(1)) {
        const StateDigest other = shard->digest();
        DAMRAK_ASSERT(other.rules == digest.rules);
        digest.add(other);
    }
    return digest.hash();
}

Timestamp Partition::next_expiry() const {
    Timestamp next = shards_.front()->next_expiry();
    for (const auto& shard : shards_) next = std::min(next, shard->next_expiry());
    return next;
}

void Partition::check_invariants() const {
    for (const auto& shard : shards_) shard->check_invariants();
}

}  // namespace damrak::sequencer
