// Snapshots of an exchange that nobody watches, in both wirings.
#include <damrak/exchange/detail/follower.hpp>

#include <cstdint>
#include <memory>

#include <gtest/gtest.h>

#include <damrak/exchange/exchange.hpp>
#include <damrak/journal/snapshot.hpp>

#include "support/commands.hpp"
#include "support/eventually.hpp"
#include "support/scratch_folder.hpp"
#include "support/small_exchange.hpp"

namespace damrak::exchange {
namespace {

class UnwatchedExchange : public ::testing::TestWithParam<Wiring> {
  protected:
    UnwatchedExchange() : settings_(testing::small_exchange(folder_.path(), GetParam())) {
        settings_.snapshot_every = 1'000;
    }
    void start() {
        auto started = Exchange::start(settings_);
        ASSERT_TRUE(started) << started.error();
        exchange_ = *std::move(started);
    }
    [[nodiscard]] std::uint64_t newest_snapshot() const {
        const auto found = journal::list_snapshots(journal::real_files(), settings_.data);
        return found && !found->empty() ? found->front().sequence : 0;
    }

    testing::ScratchFolder folder_;
    Settings settings_;
    std::unique_ptr<Exchange> exchange_;
};

TEST_P(UnwatchedExchange, WritesItsSnapshotsDuringABurstAndARestartBeginsWithOne) {
    start();
    // The burst is as long as the wait for a snapshot behind its beginning.
    ASSERT_TRUE(testing::eventually([this] {
        for (int i = 0; i < 16; ++i) {
            EXPECT_TRUE(exchange_->trading().submit(order_command(4, 1, Side::buy, 100'000, 10)));
            EXPECT_TRUE(exchange_->trading().submit(order_command(4, 2, Side::sell, 100'000, 10)));
        }
        exchange_->step();
        return newest_snapshot() >= 3 * settings_.snapshot_every;
    }));
    const std::uint64_t snapshot = newest_snapshot();
    const std::uint64_t hash = exchange_->trading().state_hash();
    exchange_.reset();  // without a stop, which would write one of the end
    start();
    EXPECT_GE(exchange_->recovered().snapshot, snapshot);
    EXPECT_EQ(exchange_->trading().state_hash(), hash);
    exchange_->stop();
}

TEST_P(UnwatchedExchange, IsFollowedToItsEndWhenItStops) {
    start();
    for (int i = 0; i < 5'000; ++i)
        ASSERT_TRUE(exchange_->trading().submit(order_command(4, 1, Side::buy, 100'000, 10)));
    exchange_->step();
    exchange_->stop();
    EXPECT_EQ(newest_snapshot(), exchange_->journal().writer().appended_position());
}

INSTANTIATE_TEST_SUITE_P(Wirings, UnwatchedExchange,
                         ::testing::Values(Wiring::one_thread, Wiring::pipelined),
                         testing::wiring_name);

}  // namespace
}  // namespace damrak::exchange
