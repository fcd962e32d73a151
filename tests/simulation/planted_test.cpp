// The simulation has to find what is planted: each fault within the seeds of worlds_test.cpp. The
// faults are in subclasses of the exchange, here alone.
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <damrak/base/serialize.hpp>

#include "support/simulation/world.hpp"

namespace damrak::simulation::planted_test {
namespace {

using ::testing::AnyOf;
using ::testing::HasSubstr;

constexpr std::uint64_t k_seeds = 200;

/// Tells before the journal has it on the disk.
class TellsTooEarly : public simulation::SteppedInline {
  public:
    using SteppedInline::SteppedInline;
    [[nodiscard]] journal::DurableState durable_state() const override {
        return journal::DurableState::all;
    }
};

/// After a restart, one acknowledgement in thirty is lost on its way.
class LosesReplies : public simulation::SteppedInline {
  public:
    using SteppedInline::SteppedInline;
    void take_over(const exchange::FollowedState& state) override {
        restarted_ = true;
        SteppedInline::take_over(state);
    }
    void on_event(const Event& event, const Origin& origin, const CommandStamp& stamp) override {
        if (restarted_ && event.kind == EventKind::accepted && ++count_ % 30 == 0) return;
        SteppedInline::on_event(event, origin, stamp);
    }

  private:
    bool restarted_ = false;
    int count_ = 0;
};

/// Reports one side of every thirtieth trade twice.
class TellsTwice : public simulation::SteppedInline {
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

/// Replays a journal on its own, and takes that over.
class Replays : public simulation::SteppedInline {
  public:
    Replays(const EngineConfig& config, simulation::SteppedGateways& gateways)
        : SteppedInline(config, gateways),
          state_(std::make_unique<exchange::FollowedState>(config)) {}
    void note_records(std::span<const journal::Record> records) override { state_->apply(records); }
    void take_over(const exchange::FollowedState& /*state*/) override {
        SteppedInline::take_over(*state_);
    }

  private:
    std::unique_ptr<exchange::FollowedState> state_;
};

/// A kept cancel in ten is not applied when the exchange comes back.
class ForgetsCommands : public Replays {
  public:
    using Replays::Replays;
    void note_records(std::span<const journal::Record> records) override {
        for (const journal::Record& record : records)
            if (record.command.kind != CommandKind::cancel_order || ++count_ % 10 != 0)
                Replays::note_records({&record, 1});
    }

  private:
    int count_ = 0;
};

/// Two orders in a row come back in the other order: the first has lost its priority.
class LosesPriority : public Replays {
  public:
    using Replays::Replays;
    void note_records(std::span<const journal::Record> records) override {
        std::vector<journal::Record> changed(records.begin(), records.end());
        const auto is_order = [](const journal::Record& record) {
            return record.command.kind == CommandKind::new_order;
        };
        for (std::size_t i = 1; i < changed.size(); i += 2)
            if (is_order(changed[i - 1]) && is_order(changed[i])) {
                std::swap(changed[i - 1].command, changed[i].command);
                std::swap(changed[i - 1].command.timestamp, changed[i].command.timestamp);
            }
        Replays::note_records(changed);
    }
};

/// A snapshot gets its name before the journal is on the disk so far.
class NamesSnapshotsTooEarly : public simulation::SteppedInline {
  public:
    using SteppedInline::SteppedInline;
    [[nodiscard]] std::uint64_t on_disk(const journal::JournalWriter& writer) const override {
        return writer.appended_position();
    }
};

/// Takes over the books that the start before it took over, in either wiring.
template <class Wiring>
class TakesOverOldBooks : public Wiring {
  public:
    using Bytes = std::vector<std::byte>;

    template <class... More>
    TakesOverOldBooks(const EngineConfig& config, simulation::SteppedGateways& gateway,
                      const More&... more)
        : Wiring(config, gateway, more...), config_(config) {}

    void take_over(const exchange::FollowedState& state) override {
        using State = exchange::FollowedState;
        const Bytes all = saved_bytes([&](auto& archive) { State::transfer(state, archive); });
        Bytes engine =
            saved_bytes([&](auto& archive) { Engine::transfer(state.engine(), archive); });
        const Bytes rest(all.begin() + static_cast<std::ptrdiff_t>(engine.size()), all.end());
        std::swap(engine, *old_);
        Bytes mixed = engine.empty() ? *old_ : engine;
        mixed.insert(mixed.end(), rest.begin(), rest.end());
        State taken{config_};
        LoadArchive loaded{mixed};
        State::transfer(taken, loaded);
        Wiring::take_over(taken);
    }
    /// Called for each process of the world in turn.
    void remember_in(std::shared_ptr<Bytes> old) { old_ = std::move(old); }

  private:
    EngineConfig config_;
    std::shared_ptr<Bytes> old_;
};

/// With several threads: a command in fifty is overtaken by the next one.
class Overtakes : public simulation::SteppedPipelined {
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
void put_inline(simulation::ExchangeSetup& setup, simulation::Disk& /*disk*/) {
    setup.pipeline.reset();
    setup.make = [](const simulation::ExchangeSetup& made, simulation::SteppedGateways& gateway) {
        return std::make_unique<Faulty>(made.engine, gateway);
    };
}
/// The same where it replays all of its journal.
template <class Faulty>
void put_replaying(simulation::ExchangeSetup& setup, simulation::Disk& disk) {
    setup.snapshots.reset();
    put_inline<Faulty>(setup, disk);
}
/// In place of one of the pipelined wiring.
template <class Faulty>
void put_pipelined(simulation::ExchangeSetup& setup, simulation::Disk& /*disk*/) {
    if (!setup.pipeline) setup.pipeline = {.shards = 2, .waiting = Waiting::spin};
    setup.make = [](const simulation::ExchangeSetup& made, simulation::SteppedGateways& gateway) {
        return std::make_unique<Faulty>(made.engine, gateway, *made.pipeline);
    };
}

/// Where restarts begin with snapshots.
Plant put_old_books(bool pipelined) {
    return [pipelined](simulation::ExchangeSetup& setup, simulation::Disk& /*disk*/) {
        if (!setup.snapshots) setup.snapshots = {.snapshot_every = 100};
        if (!pipelined) setup.pipeline.reset();
        if (pipelined && !setup.pipeline) setup.pipeline = {.shards = 2, .waiting = Waiting::spin};
        const auto old = std::make_shared<std::vector<std::byte>>();
        setup.make = [old](const simulation::ExchangeSetup& made,
                           simulation::SteppedGateways& gateway) {
            const auto remembering = [&old](auto exchange) {
                exchange->remember_in(old);
                return std::unique_ptr<simulation::SteppedExchange>{std::move(exchange)};
            };
            if (made.pipeline)
                return remembering(
                    std::make_unique<TakesOverOldBooks<simulation::SteppedPipelined>>(
                        made.engine, gateway, *made.pipeline));
            return remembering(std::make_unique<TakesOverOldBooks<simulation::SteppedInline>>(
                made.engine, gateway));
        };
    };
}

TEST(PlantedFault, AnAcknowledgementBeforeTheJournal) {
    EXPECT_THAT(find(put_inline<TellsTooEarly>, true).text,
                HasSubstr("was acknowledged or synced"));
}
TEST(PlantedFault, AReplyLostAfterARestart) {
    EXPECT_THAT(find(put_replaying<LosesReplies>, false).text, HasSubstr("but received"));
}
TEST(PlantedFault, AnEventReportedTwice) {
    EXPECT_THAT(find(put_inline<TellsTwice>, false).text, HasSubstr("received"));
}
TEST(PlantedFault, AKeptCommandNotApplied) {
    EXPECT_THAT(find(put_replaying<ForgetsCommands>, true).text, HasSubstr("state"));
}
TEST(PlantedFault, AKeptCommandNotAppliedAsClientsSeeIt) {
    EXPECT_THAT(find(put_replaying<ForgetsCommands>, false).text, HasSubstr("receive"));
}
TEST(PlantedFault, PriorityLost) {
    EXPECT_THAT(find(put_replaying<LosesPriority>, true).text, HasSubstr("state"));
}
TEST(PlantedFault, PriorityLostAsClientsSeeIt) {
    EXPECT_THAT(find(put_replaying<LosesPriority>, false).text, HasSubstr("receive"));
}
TEST(PlantedFault, ASnapshotAheadOfTheJournal) {
    EXPECT_THAT(find(put_inline<NamesSnapshotsTooEarly>, true).text,
                AnyOf(HasSubstr("does not start"), HasSubstr("would not start"),
                      HasSubstr("give different states"), HasSubstr("the journal ends after")));
}
TEST(PlantedFault, OldBooksTakenOver) {
    for (const bool compare_state : {true, false})
        for (const bool pipelined : {false, true})
            EXPECT_THAT(find(put_old_books(pipelined), compare_state).text,
                        HasSubstr(compare_state ? "state" : "receive"))
                << pipelined;
}
// A segment leaves a hole behind it, or a snapshot has lost its segments.
TEST(PlantedFault, ARemovedFileThatComesBack) {
    const auto plant = [](simulation::ExchangeSetup& /*setup*/, simulation::Disk& disk) {
        disk.removals_linger = true;
    };
    EXPECT_THAT(find(plant, true).text,
                AnyOf(HasSubstr("are missing between"), HasSubstr("is no longer in")));
}
TEST(PlantedFault, ACommandOvertakenOnItsWayBetweenThreads) {
    EXPECT_THAT(find(put_pipelined<Overtakes>, true).text, HasSubstr("instead of"));
}

}  // namespace
}  // namespace damrak::simulation::planted_test
