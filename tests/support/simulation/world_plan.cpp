// Derives a world from a seed: its exchange, its clients and its faults.
#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include <damrak/journal/recovery.hpp>
#include <damrak/journal/restore.hpp>
#include <damrak/standard_exchange/gateway_states.hpp>

#include "support/commands.hpp"
#include "support/simulation/world.hpp"
#include "support/simulation/world_time.hpp"

namespace damrak::simulation {

namespace {

EngineConfig engine_config(RandomStream& random) {
    return {.maximum_instruments = 4,
            .maximum_participants = 400,
            .maximum_orders = 2'000,
            .maximum_extensions = 500,
            .maximum_accounts = 1'000,
            .maximum_levels = 1'000,
            .maximum_ladder_nodes = 1'000,
            .maximum_events = random.coin() ? 16U : 4'096U};
}

}  // namespace

World::World(std::uint64_t seed, WorldOptions options)
    : seed_(seed),
      options_(std::move(options)),
      random_(mix_bits(seed)),
      clock_(k_morning_ns),
      network_random_(random_.next()),
      network_(clock_, network_random_),
      disk_random_(random_.next()),
      disk_(disk_random_),
      setup_{.engine = engine_config(random_)},
      witness_(setup_.engine),
      chronicle_(options_.print) {
    plan();
    plan_traders();
    if (options_.plant) options_.plant(setup_, disk_);
    const auto call = [this] { mortality_.place(); };
    network_.on_host_call = call;
    disk_.on_call = call;
}

void World::plan() {
    constexpr std::array k_names{"async", "group", "sync"};
    const auto durability = static_cast<journal::Durability>(random_.below(3));
    setup_.gateway.maximum_connections = 300;
    setup_.gateway.input_bytes = 1'024 + random_.below(2'000);
    setup_.gateway.output_bytes = 2'048 + random_.below(6'000);
    setup_.gateway.session_timeout_ns = 20'000'000 + random_.below(80'000'000);
    setup_.gateway.rules.cancel_on_disconnect = random_.coin();
    setup_.gateway.rules.cancel_on_logout = random_.coin();
    setup_.gateway.on_disconnect = [this](SessionId id, std::string_view reason) {
        note(fmt::format("session {} is ended: {}", id.value, reason));
    };
    setup_.journal = {.directory = "data",
                      .segment_bytes = 4'096 * (4 + std::uint64_t{random_.below(12)}),
                      .durability = durability,
                      .prefault_bytes = 16'384,
                      .sync_interval_ns = 100'000 + random_.below(2'000'000)};
    setup_.instance = {seed_, random_.next()};
    if (random_.coin())
        setup_.snapshots = {.snapshot_every = 30 + random_.below(300),
                            .retention = {.bytes = setup_.journal.segment_bytes,
                                          .snapshots = 1 + std::size_t{random_.below(2)}}};
    if (random_.coin())
        setup_.pipeline = {.shards = 1 + std::size_t{random_.below(3)},
                           .waiting = Waiting::spin,
                           .sizes = {.inbound = 8, .commands = 4, .notices = 16, .events = 1}};
    setup_.opening = {instrument_command(1, test_stock("AAPL")),
                      instrument_command(2, test_stock("MSFT"))};
    network_.backlog = 2 + random_.below(10);
    note(fmt::format(
        "{}, segments of {}, {}, {}, {}", k_names.at(static_cast<std::size_t>(durability)),
        setup_.journal.segment_bytes,
        setup_.gateway.rules.cancel_on_disconnect ? "orders go with their connection"
                                                  : "orders stay",
        setup_.snapshots
            ? fmt::format("a snapshot each {} records", setup_.snapshots->snapshot_every)
            : "no snapshots",
        setup_.pipeline ? fmt::format("{} shards", setup_.pipeline->shards) : "one thread"));
}

void World::plan_traders() {
    const bool keyed = random_.coin();
    steady_ = random_.coin();
    const std::uint32_t count = 2 + random_.below(5);
    for (std::uint32_t i = 1; i <= count; ++i) {
        TraderPlan plan{.version = keyed || random_.coin() ? Version::v1 : Version::v2,
                        .keyed = keyed,
                        .window = 1 + random_.below(8)};
        plan.link = {.most_delay_ns = 2'000 + random_.below(random_.coin() ? 20'000 : 400'000),
                     .window_bytes = 200 + random_.below(3'000),
                     .part_percent = random_.below(60)};
        if (steady_ && i == 1) {
            plan.lost_per_10k = plan.stall_per_10k = 0;
            plan.link = {.most_delay_ns = 20'000};
        }
        if (keyed) {
            setup_.identities.add_key(Trader::key_of(i), ParticipantId{i});
            setup_.identities.admit_anonymous(false);
        }
        traders_.emplace_back(i, plan, random_.next());
    }
    for (Trader& trader : traders_) trader.note = [this](const std::string& line) { note(line); };
}

void World::make_trouble() {
    if (chance_in(300)) clock_.advance(std::int64_t{random_.below(150)} * 1'000'000);
    if (chance_in(400))
        clock_.set_by((static_cast<std::int64_t>(random_.below(200)) - 100) * 1'000'000);
    if (chance_in(20)) disk_.write_back_some();
    if (!mortality_.is_near() && chance_in(250)) {
        planned_ = random_.coin() ? Stop::kill : Stop::power;
        mortality_.end_after(random_.below(random_.coin() ? 20 : 200));
    }
    if (process_ != nullptr && !mortality_.is_near() && chance_in(800)) close_asked_ = true;
    if (faulty_ == 0 && chance_in(500)) {
        (random_.coin() ? disk_.full : disk_.sync_fails) = true;
        faulty_ = 10 + random_.below(100);
        disk_failed_ = true;
        ++tally_.disk_faults;
        note(disk_.full ? "the disk is full" : "syncs fail");
    } else if (faulty_ > 0) {
        --faulty_;
        if (faulty_ > 0) return;
        disk_.full = disk_.sync_fails = false;
        note("the disk is repaired");
    }
}

// If a bit of the newest snapshot is flipped, a start uses the previous one, or the first record,
// and reaches the same state.
Finding World::try_spoilt_snapshot() {
    const auto snapshots = journal::list_snapshots(disk_, "data");
    if (!snapshots) return snapshots.error();
    const auto contents = journal::look_into(disk_, "data");
    if (!contents) return contents.error();
    if (snapshots->empty() || contents->segments.empty()) return std::nullopt;
    if (snapshots->size() < 2 && contents->segments.front().header.first_sequence > 1)
        return std::nullopt;
    using Started = journal::Result<std::pair<std::uint64_t, std::uint64_t>>;
    const auto start = [&](const journal::SnapshotFile* spoilt) -> Started {
        simulation::Disk disk{disk_random_};
        disk.copy_from(disk_);
        if (spoilt != nullptr)
            disk.flip_bit(spoilt->path,
                          disk_random_.below(static_cast<std::uint32_t>(spoilt->bytes)),
                          disk_random_.below(8));
        standard_exchange::ExchangeState<> state{setup_.engine};
        const auto restored =
            journal::restore(disk, "data", contents->segments.front().header.identity, state);
        if (!restored) return std::unexpected{restored.error()};
        return std::pair{state.state_hash(), restored->snapshot};
    };
    const Started sound = start(nullptr);
    const Started spoilt = start(&snapshots->front());
    if (!sound) return "it would not start: " + sound.error();
    if (!spoilt) return "a flipped bit of a snapshot stops the start: " + spoilt.error();
    ++tally_.bits_flipped;
    if (spoilt->second == sound->second)
        return fmt::format("a flipped bit of snapshot {} was not noticed", sound->second);
    if (spoilt->first != sound->first)
        return fmt::format("snapshot {} and what is before it give different states",
                           sound->second);
    return std::nullopt;
}

// A flipped bit in synced data prevents the start with a message that states the place.
Finding World::try_flipped_bit() {
    simulation::Disk spoilt{disk_random_};
    spoilt.copy_from(disk_);
    const auto contents = journal::look_into(spoilt, "data");
    if (!contents) return contents.error();
    if (contents->segments.empty() || contents->synced == 0) return std::nullopt;
    const std::uint64_t first = contents->segments.front().header.first_sequence;
    if (contents->synced < first) return std::nullopt;
    const std::uint64_t record =
        first + random_.below(static_cast<std::uint32_t>(contents->synced - first + 1));
    const journal::SegmentFile* const segment = contents->segment_of(record);
    if (segment == nullptr) return std::nullopt;
    const std::uint64_t offset = journal::offset_of(segment->header, record);
    spoilt.flip_bit(segment->path, offset + random_.below(journal::k_record_bytes),
                    random_.below(8));
    ++tally_.bits_flipped;
    const auto recovered = journal::recover(spoilt, "data", {.from = first}, [](auto) {});
    if (recovered)
        return fmt::format("a flipped bit of record {} of {} synced was not noticed", record,
                           contents->synced);
    const std::string place = fmt::format("{}, offset {}", segment->path.string(), offset);
    if (recovered.error().find(place) != std::string::npos) return std::nullopt;
    return fmt::format("a flipped bit at {} is told as: {}", place, recovered.error());
}

}  // namespace damrak::simulation
