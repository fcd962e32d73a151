// The simulation has to find what is planted: each fault within the seeds that run by default. The
// faults are in subclasses of the exchange, here alone.
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "support/simulation/world.hpp"

namespace damrak::simulation {
namespace {

constexpr std::uint64_t k_seeds = 200;

/// Tells before the journal has it on the disk.
class TellsTooEarly : public sim::SteppedInline {
  public:
    using SteppedInline::SteppedInline;
    [[nodiscard]] journal::Kept kept() const override { return journal::Kept::all; }
};

/// After a restart, one acknowledgement in thirty is lost on its way.
class LosesReplies : public sim::SteppedInline {
  public:
    using SteppedInline::SteppedInline;
    void on_replayed(const Event& event) override {
        restarted_ = true;
        SteppedInline::on_replayed(event);
    }
    void on_event(const Event& event, const Origin& origin, const CommandStamp& stamp) override {
        if (restarted_ && event.kind == EventKind::accepted && ++count_ % 30 == 0) return;
        SteppedInline::on_event(event, origin, stamp);
    }

  private:
    bool restarted_ = false;
    int count_ = 0;
};

/// One side of a trade in thirty is told twice.
class TellsTwice : public sim::SteppedInline {
  public:
    using SteppedInline::SteppedInline;
    void on_event(const Event& event, const Origin& origin, const CommandStamp& stamp) override {
        SteppedInline::on_event(event, origin, stamp);
        if (event.kind == EventKind::executed && ++count_ % 30 == 0)
            SteppedInline::on_event(event, origin, stamp);
    }

  private:
    int count_ = 0;
};

/// A kept cancel in ten is not applied when the exchange comes back.
class ForgetsCommands : public sim::SteppedInline {
  public:
    using SteppedInline::SteppedInline;
    void recover(std::span<const journal::Record> records) override {
        for (const journal::Record& record : records)
            if (record.command.kind != CommandKind::cancel_order || ++count_ % 10 != 0)
                SteppedInline::recover({&record, 1});
    }

  private:
    int count_ = 0;
};

/// Two orders in a row come back in the other order: the first has lost its priority.
class LosesPriority : public sim::SteppedInline {
  public:
    using SteppedInline::SteppedInline;
    void recover(std::span<const journal::Record> records) override {
        std::vector<journal::Record> changed(records.begin(), records.end());
        const auto is_order = [](const journal::Record& record) {
            return record.command.kind == CommandKind::new_order;
        };
        for (std::size_t i = 1; i < changed.size(); i += 2)
            if (is_order(changed[i - 1]) && is_order(changed[i])) {
                std::swap(changed[i - 1].command, changed[i].command);
                std::swap(changed[i - 1].command.timestamp, changed[i].command.timestamp);
            }
        SteppedInline::recover(changed);
    }
};

/// A snapshot gets its name before the journal is on the disk so far.
class NamesSnapshotsTooEarly : public sim::SteppedInline {
  public:
    using SteppedInline::SteppedInline;
    [[nodiscard]] std::uint64_t on_disk(const journal::JournalWriter& writer) const override {
        return writer.appended_position();
    }
};

/// Clients' own names of open orders are not in the snapshot, in either wiring.
template <class Wiring>
class ForgetsNames : public Wiring {
  public:
    using Wiring::Wiring;
    void take_over(const journal::ExchangeState<>& state, views::OrderNames& names) override {
        views::OrderNames others{10'000};
        Wiring::take_over(state, others);
        static_cast<void>(names);
    }
};

/// With several threads: a command in fifty is overtaken by the next one.
class Overtakes : public sim::SteppedPipelined {
  public:
    using SteppedPipelined::SteppedPipelined;
    bool submit(const Command& command, const Origin& origin, Timestamp now) override {
        if (!held_ && origin.session && ++count_ % 50 == 0) {
            held_ = {command, origin};
            return true;
        }
        const bool done = SteppedPipelined::submit(command, origin, now);
        if (!held_) return done;
        const auto [held, held_origin] = *std::exchange(held_, std::nullopt);
        return SteppedPipelined::submit(held, held_origin, now) && done;
    }
    bool awaits_answers() const override { return held_ || SteppedPipelined::awaits_answers(); }

  private:
    int count_ = 0;
    std::optional<std::pair<Command, Origin>> held_;
};

using Plant = decltype(WorldOptions::plant);

/// The finding of the first world that goes wrong.
Failure find(const Plant& plant, bool compare_state) {
    for (std::uint64_t seed = 1; seed <= k_seeds; ++seed)
        if (const auto failure =
                World{seed, {.compare_state = compare_state, .plant = plant}}.run())
            return *failure;
    return {};
}

/// In place of an exchange of the inline wiring.
template <class Faulty>
void put_inline(sim::ExchangeSetup& setup, sim::Disk& /*disk*/) {
    setup.pipeline.reset();
    setup.make = [](const sim::ExchangeSetup& made, sim::SteppedDoor& door) {
        return std::make_unique<Faulty>(made.engine, door);
    };
}
/// The same where it replays all of its journal.
template <class Faulty>
void put_replaying(sim::ExchangeSetup& setup, sim::Disk& disk) {
    setup.snapshots.reset();
    put_inline<Faulty>(setup, disk);
}
/// In place of one of the pipelined wiring.
template <class Faulty>
void put_pipelined(sim::ExchangeSetup& setup, sim::Disk& /*disk*/) {
    if (!setup.pipeline) setup.pipeline = {.shards = 2, .waiting = Waiting::spin};
    setup.make = [](const sim::ExchangeSetup& made, sim::SteppedDoor& door) {
        return std::make_unique<Faulty>(made.engine, door, *made.pipeline);
    };
}

TEST(PlantedFault, AnAcknowledgementBeforeTheJournal) {
    EXPECT_NE(find(put_inline<TellsTooEarly>, true).text.find("was acknowledged or synced"),
              std::string::npos);
}
TEST(PlantedFault, AReplyLostAfterARestart) {
    EXPECT_NE(find(put_replaying<LosesReplies>, false).text.find("was to hear"), std::string::npos);
}
TEST(PlantedFault, AnEventToldTwice) {
    EXPECT_NE(find(put_inline<TellsTwice>, false).text.find("heard"), std::string::npos);
}
TEST(PlantedFault, AKeptCommandNotApplied) {
    EXPECT_NE(find(put_replaying<ForgetsCommands>, true).text.find("state"), std::string::npos);
}
TEST(PlantedFault, AKeptCommandNotAppliedAsClientsSeeIt) {
    EXPECT_NE(find(put_replaying<ForgetsCommands>, false).text.find("hear"), std::string::npos);
}
TEST(PlantedFault, PriorityLost) {
    EXPECT_NE(find(put_replaying<LosesPriority>, true).text.find("state"), std::string::npos);
}
TEST(PlantedFault, PriorityLostAsClientsSeeIt) {
    EXPECT_NE(find(put_replaying<LosesPriority>, false).text.find("hear"), std::string::npos);
}
TEST(PlantedFault, ASnapshotAheadOfTheJournal) {
    EXPECT_NE(find(put_inline<NamesSnapshotsTooEarly>, true).text.find("it does not start"),
              std::string::npos);
}
TEST(PlantedFault, ASnapshotThatLacksNames) {
    EXPECT_NE(find(put_inline<ForgetsNames<sim::SteppedInline>>, false).text.find("was to hear"),
              std::string::npos);
    EXPECT_NE(
        find(put_pipelined<ForgetsNames<sim::SteppedPipelined>>, false).text.find("was to hear"),
        std::string::npos);
}
TEST(PlantedFault, ARemovedSegmentThatComesBack) {
    const auto plant = [](sim::ExchangeSetup& /*setup*/, sim::Disk& disk) {
        disk.removals_linger = true;
    };
    EXPECT_NE(find(plant, true).text.find("are missing between"), std::string::npos);
}
TEST(PlantedFault, ACommandOvertakenOnItsWayBetweenThreads) {
    EXPECT_NE(find(put_pipelined<Overtakes>, true).text.find("in the place of"), std::string::npos);
}

}  // namespace
}  // namespace damrak::simulation
