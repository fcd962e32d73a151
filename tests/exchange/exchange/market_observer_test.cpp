// Observers of an exchange over its restarts, in both wirings: those that keep what they heard miss
// no event and need hear none twice, those that keep nothing begin with the market as it is.
#include <damrak/feed/market_observer.hpp>

#include <algorithm>
#include <cstdint>
#include <expected>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <damrak/exchange/exchange.hpp>

#include "support/commands.hpp"
#include "support/scratch_folder.hpp"
#include "support/small_exchange.hpp"

namespace damrak::exchange::market_observer_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// Names of events: the sequence of the command, and which one of it.
using Names = std::vector<std::pair<std::uint64_t, std::uint32_t>>;

class Listener : public feed::MarketObserver {
  public:
    [[nodiscard]] std::expected<void, std::string> begin(const Engine& engine,
                                                         std::uint64_t position) override {
        engine_ = &engine;
        calls.push_back("begin " + std::to_string(position));
        return {};
    }
    [[nodiscard]] std::expected<void, std::string> go_live(std::uint64_t last) override {
        calls.push_back("live " + std::to_string(last));
        return {};
    }
    void on_command(const Command& command, const CommandStamp& stamp) override {
        EXPECT_EQ(command.timestamp, stamp.timestamp);
        EXPECT_GT(stamp.sequence.value, heard);
        heard = stamp.sequence.value;
        index_ = 0;
    }
    void on_event(const Event& event, const CommandStamp& stamp) override {
        EXPECT_EQ(stamp.sequence.value, heard) << "an event without its command";
        if (event.kind == EventKind::instrument_added) {
            EXPECT_NE(engine_->instrument(event.instrument), nullptr);
        }
        names.emplace_back(heard, index_++);
    }
    void on_batch_end(bool /*caught_up*/) override { flushed = names.size(); }
    void on_turn(std::int64_t /*now_ns*/) override { at_last_turn = names.size(); }

    std::vector<std::string> calls;
    Names names;
    std::size_t flushed = 0;
    std::size_t at_last_turn = 0;
    std::uint64_t heard = 0;

  private:
    const Engine* engine_ = nullptr;
    std::uint32_t index_ = 0;
};

/// Keeps what it heard up to some record.
class Keeper final : public Listener {
  public:
    explicit Keeper(std::uint64_t kept) : kept_(kept) {}
    [[nodiscard]] std::optional<std::uint64_t> kept() const override { return kept_; }

  private:
    std::uint64_t kept_;
};

class Refuser final : public feed::MarketObserver {
  public:
    [[nodiscard]] std::expected<void, std::string> go_live(std::uint64_t /*last*/) override {
        return std::unexpected{std::string{"feed.csv: records are missing"}};
    }
    void on_event(const Event& /*event*/, const CommandStamp& /*stamp*/) override {}
};

class ObservedExchange : public ::testing::TestWithParam<Wiring> {
  protected:
    [[nodiscard]] Settings settings() const {
        return testing::small_exchange(folder_.path(), GetParam());
    }
    /// Trades some times, and stops it or leaves it as a kill does. What the journal has then.
    std::uint64_t run(const Observers& observers, int trades, bool stops) const {
        auto started = Exchange::start(settings(), observers);
        EXPECT_TRUE(started) << started.error();
        if (!started) return 0;
        Exchange& exchange = **started;
        for (int i = 0; i < trades; ++i)
            for (const Side side : {Side::sell, Side::buy})
                EXPECT_TRUE(exchange.trading().submit(
                    order_command(4, side == Side::sell ? 1 : 2, side, 100'000, 10)));
        if (stops) exchange.stop();
        return exchange.journal().writer().appended_position();
    }

    testing::ScratchFolder folder_;
};

TEST_P(ObservedExchange, ReportsEachCommandBeforeItsEventsAndAllOfThemBeforeItStops) {
    Listener listener;
    const std::uint64_t last = run({&listener}, 3, true);
    EXPECT_THAT(listener.calls, ElementsAre("begin 0", "live 0"));
    EXPECT_EQ(listener.heard, last);
    EXPECT_GE(listener.names.size(), 3U * 4U);
    EXPECT_EQ(listener.flushed, listener.names.size());
    EXPECT_EQ(listener.at_last_turn, listener.names.size());
}

TEST_P(ObservedExchange, ReplaysFromASnapshotNoLaterThanWhatAnObserverKeeps) {
    Keeper whole{0};
    const std::uint64_t first = run({&whole}, 3, true);
    const Names before = whole.names;
    // The snapshot of the stop is later than what this one keeps: the journal is replayed from the
    // first record.
    Keeper behind{first - 1};
    const std::uint64_t second = run({&behind}, 2, false);
    EXPECT_THAT(behind.calls, ElementsAre("begin 0", "live " + std::to_string(first)));
    EXPECT_TRUE(std::ranges::equal(before, std::span{behind.names}.first(before.size())))
        << "the same events have the same names";
    // This one keeps all that the snapshot has in it.
    Keeper ahead{first};
    const std::uint64_t third = run({&ahead}, 1, true);
    EXPECT_THAT(ahead.calls,
                ElementsAre("begin " + std::to_string(first), "live " + std::to_string(second)));
    EXPECT_GT(ahead.names.front().first, first);
    EXPECT_EQ(ahead.heard, third);
}

TEST_P(ObservedExchange, AnObserverWithoutOutputHearsNoReplay) {
    const std::uint64_t first = run({}, 3, false);
    Listener listener;
    const std::uint64_t last = run({&listener}, 1, true);
    EXPECT_THAT(listener.calls,
                ElementsAre("begin " + std::to_string(first), "live " + std::to_string(first)));
    EXPECT_GT(listener.names.front().first, first);
    EXPECT_EQ(listener.heard, last);
}

TEST_P(ObservedExchange, DoesNotStartWhereAnObserverRefuses) {
    Refuser refuser;
    const auto refused = Exchange::start(settings(), {&refuser});
    ASSERT_FALSE(refused);
    EXPECT_THAT(refused.error(), HasSubstr("feed.csv: records are missing"));
    EXPECT_GT(run({}, 1, true), 0U) << "it left nothing behind";
}

INSTANTIATE_TEST_SUITE_P(Wirings, ObservedExchange,
                         ::testing::Values(Wiring::one_thread, Wiring::pipelined),
                         testing::wiring_name);

}  // namespace
}  // namespace damrak::exchange::market_observer_test
