// The journal of an exchange and its archive, in both wirings: no segment goes before the archive
// has it, unless the disk is full.
#include <cstdint>
#include <memory>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <damrak/archive/archiver.hpp>
#include <damrak/archive/event_file.hpp>
#include <damrak/archive/event_log.hpp>
#include <damrak/exchange/exchange.hpp>
#include <damrak/feed/feed_session.hpp>
#include <damrak/gateway/feeds/feed_metrics.hpp>
#include <damrak/gateway/feeds/feed_settings.hpp>
#include <damrak/journal/folder.hpp>
#include <damrak/journal/snapshot.hpp>

#include "support/commands.hpp"
#include "support/eventually.hpp"
#include "support/scratch_folder.hpp"
#include "support/small_exchange.hpp"

namespace damrak::exchange::archived_exchange_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class ArchivedExchange : public ::testing::TestWithParam<Wiring> {
  protected:
    /// The journal is as small as it gets.
    ArchivedExchange() : settings_(testing::small_exchange(folder_.path(), GetParam())) {
        settings_.ports["itch"] = 0;
        settings_.segment_bytes = 3 * 4'096;
        settings_.retention_bytes = 1;
        settings_.snapshot_every = 60;
    }
    void start() {
        auto started = Exchange::start(settings_);
        ASSERT_TRUE(started) << started.error();
        exchange_ = *std::move(started);
    }
    void buy(int orders) {
        for (int i = 0; i < orders; ++i)
            ASSERT_TRUE(exchange_->trading().submit(order_command(4, 1, Side::buy, 100'000, 10)));
        exchange_->step();
        exchange_->follower().wake();
    }
    [[nodiscard]] std::uint64_t first_record() const {
        const auto contents = journal::look_into(journal::real_files(), settings_.data);
        return contents && !contents->segments.empty()
                   ? contents->segments.front().header.first_sequence
                   : 0;
    }
    /// In the journal, of what the archive does not have: it only grows meanwhile.
    void expect_what_is_not_kept() const {
        const std::uint64_t first = first_record();
        EXPECT_LE(first, exchange_->order_feed().archiver->kept() + 1);
    }
    template <class Until>
    static void wait(const Until& until) {
        ASSERT_TRUE(testing::eventually(until));
    }
    /// Segments may go with a snapshot. The events are in their file then.
    void trade_until_a_snapshot() {
        constexpr int k_orders = 300;
        const std::uint64_t last = exchange_->journal().writer().appended_position() + k_orders;
        buy(k_orders);
        const auto events = exchange_->order_feed().event_log->want_written();
        wait([&] {
            const auto found = journal::list_snapshots(journal::real_files(), settings_.data);
            return found && !found->empty() &&
                   found->front().sequence + settings_.snapshot_every > last &&
                   exchange_->order_feed().event_log->is_written(events);
        });
    }

    testing::ScratchFolder folder_;
    Settings settings_;
    std::unique_ptr<Exchange> exchange_;
};

TEST_P(ArchivedExchange, ItsSegmentsWaitForTheArchive) {
    start();
    trade_until_a_snapshot();
    trade_until_a_snapshot();  // the events of the first part are in their file by now
    expect_what_is_not_kept();
    EXPECT_THAT(gateway::feeds::feed_warning(exchange_->order_feed()), IsEmpty());
    exchange_.reset();
    start();
    wait([&] { return exchange_->order_feed().archiver->kept() > 0; });
    trade_until_a_snapshot();
    trade_until_a_snapshot();
    EXPECT_GT(first_record(), 1U);
    expect_what_is_not_kept();
}

TEST_P(ArchivedExchange, ItsSegmentsDoNotWaitWhereTheDiskIsFull) {
    settings_.of<gateway::feeds::ArchiveSettings>().free_mib = UINT32_MAX;
    start();
    const bool segments_went = testing::eventually([this] {
        buy(60);
        static_cast<void>(exchange_->order_feed().event_log->want_written());
        return first_record() > 1;
    });
    EXPECT_TRUE(segments_went) << "trading goes on, so the segments must be removable";
    EXPECT_THAT(gateway::feeds::feed_warning(exchange_->order_feed()),
                HasSubstr("events are left out of the archive"));
    EXPECT_THAT(gateway::feeds::feed_metrics(exchange_->order_feed()),
                HasSubstr("\ndamrak_archive_leaves_out 1\n"));
    EXPECT_THAT(gateway::feeds::feed_metrics(exchange_->order_feed()),
                HasSubstr("\ndamrak_archive_waits_for_space 1\n"));
    exchange_->stop();
    exchange_.reset();
    // The gap is reported for ever, also once there is space again.
    settings_.of<gateway::feeds::ArchiveSettings>().free_mib = 0;
    start();
    buy(1);
    const auto session = exchange_->feed_session()->id().text();
    exchange_->stop();
    exchange_.reset();
    const auto events =
        archive::EventFile::open(settings_.archive_folder() / (session + ".events"));
    ASSERT_TRUE(events) << events.error();
    EXPECT_THAT(events->damage(), ElementsAre(HasSubstr("records 1 to ")));
}

INSTANTIATE_TEST_SUITE_P(Wirings, ArchivedExchange,
                         ::testing::Values(Wiring::one_thread, Wiring::pipelined),
                         testing::wiring_name);

}  // namespace
}  // namespace damrak::exchange::archived_exchange_test
