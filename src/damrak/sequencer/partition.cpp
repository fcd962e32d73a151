#include <damrak/sequencer/partition.hpp>

#include <algorithm>
#include <ranges>
#include <tuple>

#include <damrak/base/archive.hpp>
#include <damrak/base/assert.hpp>

namespace damrak {

template class Engine<sequencer::Outlet>;

}  // namespace damrak

namespace damrak::sequencer {

Partition::Partition(const EngineConfig& config, std::size_t shards)
    : config_(config), allowance_(config), places_(config.maximum_instruments + std::size_t{1}) {
    DAMRAK_ASSERT(shards >= 1 && shards <= k_maximum_shards);
    for (std::size_t i = 0; i < shards; ++i) shards_.push_back(std::make_unique<Shard>(config));
}

Partition::~Partition() = default;

bool Partition::apply(std::size_t shard, const Command& command, EventRing& events) {
    shards_[shard]->outlet.lead_to(&events);
    return shards_[shard]->engine.apply(command);
}

bool Partition::is_independent_after_look(const Command& command) {
    look(command.participant);
    return is_independent(command);
}

void Partition::look(ParticipantId id) {
    PoolPlaces used;
    OpenTally open;
    std::uint32_t waiting_stops = 0;
    for (const auto& shard : shards_) {
        used.add(shard->engine.used());
        open.add(shard->engine.open_tally(id));
        waiting_stops += shard->engine.waiting_stops();
    }
    allowance_.renew(used, waiting_stops);
    if (accounts().is_valid(id)) allowance_.renew(id, accounts().participant(id).limits, open);
}

bool Partition::apply_alone(const Command& command, EventRing& events) {
    switch (command.kind) {
        case CommandKind::add_instrument:
            add_instrument(command, events);
            return false;
        case CommandKind::mass_cancel:
        case CommandKind::end_day:
            return command.instrument ? apply_with_others(command, events)
                                      : apply_to_all(command, events);
        case CommandKind::set_participant_state:
        case CommandKind::set_limits:
        case CommandKind::tick:
            return apply_to_all(command, events);
        default:
            return apply_with_others(command, events);
    }
}

// Instruments of one group come together; others are dealt out in turn.
std::size_t Partition::shard_for(InstrumentId id, std::uint16_t group) const {
    return (group != 0 ? group : id.value - std::size_t{1}) % shards_.size();
}

void Partition::take_over(std::span<const std::byte> saved_engine) {
    for (std::size_t i = 0; i < shards_.size(); ++i) {
        ShardEngine& engine = shards_[i]->engine;
        LoadArchive loaded{saved_engine};
        ShardEngine::transfer(engine, loaded);
        DAMRAK_ASSERT(loaded.complete());
        for (std::uint32_t id = 1; id < places_.size(); ++id) {
            const InstrumentState* const in = engine.instrument(InstrumentId{id});
            if (in == nullptr) continue;
            const InstrumentDefinition& definition = in->definition();
            places_[id - 1] = {.shard = shard_for(InstrumentId{id}, definition.shard_group),
                               .maximum_price = definition.maximum_price};
        }
        engine.keep_only([&](InstrumentId id) { return shard_of(id) == i; });
    }
    look({});
}

void Partition::add_instrument(const Command& command, EventRing& events) {
    if (has_instrument(command.instrument) || command.instrument.value - 1U >= places_.size() - 1) {
        std::ignore = apply(shard_of(command.instrument), command, events);
        return;
    }
    const std::size_t shard = shard_for(command.instrument, command.definition.shard_group);
    std::ignore = apply(shard, command, events);
    if (shards_[shard]->engine.instrument(command.instrument) != nullptr)
        places_[command.instrument.value - 1U] = {
            .shard = shard, .maximum_price = command.definition.maximum_price};
}

bool Partition::apply_with_others(const Command& command, EventRing& events) {
    Shard& own = *shards_[shard_of(command.instrument)];
    Elsewhere elsewhere;
    for (const auto& shard : shards_) {
        if (shard.get() == &own) continue;
        elsewhere.used.add(shard->engine.used());
        elsewhere.open.add(shard->engine.open_tally(command.participant));
    }
    own.outlet.lead_to(&events);
    const bool more = own.engine.apply(command, elsewhere);
    // What it took was not counted down.
    look(command.participant);
    return more;
}

// The first shard tells what concerns the participants, then each its orders.
bool Partition::apply_to_all(const Command& command, EventRing& events) {
    Part part;
    for (const auto& shard : shards_) {
        const bool first = shard == shards_.front();
        Part own;
        shard->outlet.lead_to(first ? &events : nullptr);
        if (!shard->engine.apply(command, own)) return false;
        if (first) part = own;
    }
    if (command.kind == CommandKind::tick) {
        expire(command, part, events);
    } else if (command.kind == CommandKind::set_limits) {
        look(command.participant);
    } else {
        end_orders(command, part, events);
    }
    return part.more;
}

void Partition::end_orders(const Command& command, Part& part, EventRing& events) {
    part.step = Part::Step::orders;
    for (std::uint32_t id = 1; id < places_.size() && !part.more; ++id) {
        part.instrument = InstrumentId{id};
        if (!has_instrument(part.instrument)) continue;
        Shard& shard = *shards_[shard_of(part.instrument)];
        shard.outlet.lead_to(&events);
        std::ignore = shard.engine.apply(command, part);
    }
    part.step = Part::Step::close;
    std::ignore = shards_.front()->engine.apply(command, part);
}

// One order at a time, from whichever shard has the next.
void Partition::expire(const Command& command, Part& part, EventRing& events) {
    part.step = Part::Step::orders;
    const auto rank = [](const auto& shard) { return shard->engine.next_expiry_rank(); };
    for (const auto& shard : shards_) shard->outlet.lead_to(&events);
    while (!part.more) {
        ShardEngine& next = (*std::ranges::min_element(shards_, {}, rank))->engine;
        const auto [due, instrument, order] = next.next_expiry_rank();
        if (due > command.timestamp || !order) break;
        std::ignore = next.apply(command, part);
    }
}

std::uint64_t Partition::state_hash() const {
    StateDigest digest = shards_.front()->engine.digest();
    for (const auto& shard : shards_ | std::views::drop(1)) {
        const StateDigest other = shard->engine.digest();
        DAMRAK_ASSERT(other.rules == digest.rules);
        digest.add(other);
    }
    return digest.hash();
}

Timestamp Partition::next_expiry() const {
    Timestamp next = shards_.front()->engine.next_expiry();
    for (const auto& shard : shards_) next = std::min(next, shard->engine.next_expiry());
    return next;
}

void Partition::check_invariants() const {
    for (const auto& shard : shards_) shard->engine.check_invariants();
}

}  // namespace damrak::sequencer
