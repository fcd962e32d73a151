// The simulation has to find what is planted: each fault within the seeds that run by default. The
// faults are in subclasses of the exchange, here alone.
#include <cstdint>
#include <memory>
#include <vector>

#include <gtest/gtest.h>

#include "support/simulation/world.hpp"

namespace damrak::simulation {
namespace {

constexpr std::uint64_t k_seeds = 200;

/// Tells before the journal has it on the disk.
class TellsTooEarly : public sim::SteppedExchange {
  public:
    using SteppedExchange::SteppedExchange;
    [[nodiscard]] journal::Kept kept() const override { return journal::Kept::all; }
};

/// After a restart, one acknowledgement in thirty is lost on its way.
class LosesReplies : public sim::SteppedExchange {
  public:
    using SteppedExchange::SteppedExchange;
    void on_replayed(const Event& event) override {
        restarted_ = true;
        SteppedExchange::on_replayed(event);
    }
    void on_event(const Event& event, const Origin& origin, const CommandStamp& stamp) override {
        if (restarted_ && event.kind == EventKind::accepted && ++count_ % 30 == 0) return;
        SteppedExchange::on_event(event, origin, stamp);
    }

  private:
    bool restarted_ = false;
    int count_ = 0;
};

/// One side of a trade in thirty is told twice.
class TellsTwice : public sim::SteppedExchange {
  public:
    using SteppedExchange::SteppedExchange;
    void on_event(const Event& event, const Origin& origin, const CommandStamp& stamp) override {
        SteppedExchange::on_event(event, origin, stamp);
        if (event.kind == EventKind::executed && ++count_ % 30 == 0)
            SteppedExchange::on_event(event, origin, stamp);
    }

  private:
    int count_ = 0;
};

/// A kept cancel in ten is not applied when the exchange comes back.
class ForgetsCommands : public sim::SteppedExchange {
  public:
    using SteppedExchange::SteppedExchange;
    void recover(std::span<const journal::Record> records) override {
        for (const journal::Record& record : records)
            if (record.command.kind != CommandKind::cancel_order || ++count_ % 10 != 0)
                SteppedExchange::recover({&record, 1});
    }

  private:
    int count_ = 0;
};

/// Two orders in a row come back in the other order: the first has lost its priority.
class LosesPriority : public sim::SteppedExchange {
  public:
    using SteppedExchange::SteppedExchange;
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
        SteppedExchange::recover(changed);
    }
};

/// The finding of the first world that goes wrong.
template <class Faulty>
Failure find(bool compare_state) {
    WorldOptions options{.compare_state = compare_state};
    options.make = [](const EngineConfig& config, sim::SteppedDoor& door) {
        return std::make_unique<Faulty>(config, door);
    };
    for (std::uint64_t seed = 1; seed <= k_seeds; ++seed)
        if (const auto failure = World{seed, options}.run()) return *failure;
    return {};
}

TEST(PlantedFault, AnAcknowledgementBeforeTheJournal) {
    EXPECT_NE(find<TellsTooEarly>(true).text.find("was acknowledged or synced"), std::string::npos);
}
TEST(PlantedFault, AReplyLostAfterARestart) {
    EXPECT_NE(find<LosesReplies>(false).text.find("was to hear"), std::string::npos);
}
TEST(PlantedFault, AnEventToldTwice) {
    EXPECT_NE(find<TellsTwice>(false).text.find("heard"), std::string::npos);
}
TEST(PlantedFault, AKeptCommandNotApplied) {
    EXPECT_NE(find<ForgetsCommands>(true).text.find("state"), std::string::npos);
}
TEST(PlantedFault, AKeptCommandNotAppliedAsClientsSeeIt) {
    EXPECT_NE(find<ForgetsCommands>(false).text.find("hear"), std::string::npos);
}
TEST(PlantedFault, PriorityLost) {
    EXPECT_NE(find<LosesPriority>(true).text.find("state"), std::string::npos);
}
TEST(PlantedFault, PriorityLostAsClientsSeeIt) {
    EXPECT_NE(find<LosesPriority>(false).text.find("hear"), std::string::npos);
}

}  // namespace
}  // namespace damrak::simulation
