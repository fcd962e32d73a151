// What an import makes of a journal: a day for each trading day, the same as its feed published;
// and what it says of a journal that is damaged, torn, or none.
#include <damrak/archive/journal_import.hpp>

#include <cstddef>
#include <cstdint>
#include <expected>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <damrak/archive/day.hpp>
#include <damrak/base/time_zone.hpp>
#include <damrak/journal/gateway_states.hpp>
#include <damrak/journal/journal.hpp>
#include <damrak/journal/recovery.hpp>

#include "support/commands.hpp"
#include "support/scratch_folder.hpp"

namespace damrak::archive::journal_import_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr std::int64_t k_second = 1'000'000'000;
constexpr std::int64_t k_hour = 3'600 * k_second;
constexpr std::int64_t k_monday = 1'793'577'600 * k_second;  ///< 2026-11-02, UTC

class NoGateways : public journal::GatewayStates<> {
  public:
    using journal::GatewayStates<>::GatewayStates;
    static constexpr std::uint32_t k_version = 1;
};

class ImportedJournal : public ::testing::Test {
  protected:
    static constexpr std::uint64_t k_pages = 3;

    ImportedJournal() {
        auto& files = journal::real_files();
        const auto nothing = journal::recover(files, data_, {}, [](auto&&) {});
        auto opened = journal::Journal::open(
            files, {.directory = data_, .segment_bytes = k_pages * journal::k_page_bytes}, *nothing,
            {.instance = {1, 2},
             .engine = {.maximum_instruments = 4, .maximum_participants = 8, .maximum_orders = 99}},
            Timestamp{1});
        journal_ = *std::move(opened);
    }
    void record(const Command& command, std::int64_t time_ns) {
        journal::Record record{};
        record.command = command;
        record.command.timestamp = Timestamp{time_ns};
        while (!journal_->writer().append(record)) work();
    }
    void work() {
        now_ += k_second;
        journal_->preallocator().do_work(now_);
        journal_->syncer().do_work(now_);
    }
    void list(std::int64_t time_ns) { record(instrument_command(1), time_ns); }
    void buy(std::int64_t shares, std::int64_t time_ns) {
        record(order_command(1, 1, Side::buy, 10'000, shares), time_ns);
    }
    void day(CommandKind kind, std::int32_t date, std::int64_t time_ns,
             std::uint16_t feed_session = 0) {
        Command command{};
        command.kind = kind;
        command.trading_day = {
            .date = date,
            .feed_session = feed_session,
            .is_open = static_cast<std::uint16_t>(kind == CommandKind::day_opened)};
        record(command, time_ns);
    }
    void end_of_orders(std::int64_t time_ns) {
        Command command{};
        command.kind = CommandKind::end_day;
        record(command, time_ns);
    }
    void close() {
        journal_->syncer().on_close();
        journal_.reset();
    }
    [[nodiscard]] auto import(const std::filesystem::path& from,
                              const TimeZone::Shared& zone = nullptr) {
        return import_journal<NoGateways>({.from = from, .to = folder_ / "out.dar", .zone = zone},
                                          [](std::uint64_t, std::uint64_t) {});
    }
    [[nodiscard]] static std::string error_of(
        const std::expected<Imported, std::string>& imported) {
        return imported ? "" : imported.error();
    }
    /// Shares that are bid after all that is known of a day.
    [[nodiscard]] static std::uint64_t bid_in(const ImportedDay& of) {
        const auto day = Day::open(of.file);
        const auto book = day->book_known_at(1, INT64_MAX).value;
        std::uint64_t shares = 0;
        for (const BookOrder& order : book.bids) shares += order.shares;
        return shares;
    }
    void spoil(std::size_t record) const {
        const auto file =
            journal::real_files().open_mapped(segment(), journal::FileSystem::Access::write);
        ASSERT_TRUE(file) << file.error();
        (*file)->data()[journal::k_header_bytes + (record - 1) * journal::k_record_bytes + 100] ^=
            std::byte{1};
    }
    [[nodiscard]] std::filesystem::path segment() const { return data_ / journal::segment_name(1); }

    damrak::testing::ScratchFolder folder_;
    std::filesystem::path data_ = folder_ / "data";
    std::unique_ptr<journal::Journal> journal_;
    std::int64_t now_ = 1;
};

TEST_F(ImportedJournal, EachTradingDayIsADay) {
    list(k_monday);
    day(CommandKind::day_opened, 20'261'102, k_monday + k_hour);
    buy(10, k_monday + 9 * k_hour);
    end_of_orders(k_monday + 20 * k_hour);
    day(CommandKind::day_closed, 20'261'102, k_monday + 20 * k_hour);
    day(CommandKind::day_opened, 20'261'103, k_monday + 25 * k_hour);
    buy(20, k_monday + 33 * k_hour);
    // A further feed session of the day repeats what the day has.
    day(CommandKind::day_opened, 20'261'103, k_monday + 34 * k_hour, 1);
    buy(3, k_monday + 35 * k_hour);
    close();
    for (const std::filesystem::path& from : {data_, segment()}) {
        const auto imported = import(from);
        ASSERT_TRUE(imported) << imported.error();
        ASSERT_EQ(imported->days.size(), 2U);
        EXPECT_EQ(imported->days[0].file.filename(), "out.2026-11-02.dar");
        EXPECT_EQ(imported->days[1].file.filename(), "out.2026-11-03.dar");
        EXPECT_EQ(imported->days[1].date, 20'261'103);
        EXPECT_EQ(bid_in(imported->days[1]), 23U);
        EXPECT_EQ(imported->days[1].totals.anomalies, 0U);
        EXPECT_EQ(Day::open(imported->days[0].file)->book_at(1, 10 * k_hour)->bids.front().shares,
                  10U);
        EXPECT_THAT(imported->notes, ElementsAre("the journal ends before the day"));
        EXPECT_EQ(imported->cut, "");
    }
}

TEST_F(ImportedJournal, WithoutTradingDaysAllIsTheDayOfTheFirstRecord) {
    list(k_monday + k_hour);
    for (int i = 0; i < 100; ++i) buy(1, k_monday + 2 * k_hour);  // in several segments
    close();
    const auto imported = import(data_);
    ASSERT_TRUE(imported) << imported.error();
    ASSERT_EQ(imported->days.size(), 1U);
    EXPECT_EQ(imported->days[0].date, 20'261'102);
    EXPECT_EQ(bid_in(imported->days[0]), 99U) << "the engine has room for 99";
}

TEST_F(ImportedJournal, ADayThatPassesMidnightNeedsTheZoneOfTheExchange) {
    list(k_monday + 20 * k_hour);
    buy(1, k_monday + 23 * k_hour);
    buy(2, k_monday + 25 * k_hour);
    close();
    EXPECT_THAT(error_of(import(data_)),
                HasSubstr("passes midnight of the clock: give the time zone "
                          "of the exchange with --zone"));
    const auto zone = TimeZone::find("America/New_York");
    ASSERT_TRUE(zone) << zone.error();
    const auto imported = import(data_, *zone);
    ASSERT_TRUE(imported) << imported.error();
    EXPECT_EQ(imported->days[0].date, 20'261'102);
    EXPECT_EQ(Day::open(imported->days[0].file)->last_time_ns(), 20 * k_hour);
}

TEST_F(ImportedJournal, ATornEndCutsTheDay) {
    list(k_monday);
    buy(1, k_monday + k_hour);
    buy(2, k_monday + 2 * k_hour);
    journal_.reset();  // as a kill leaves it: nothing is known to be on the disk
    spoil(3);
    const auto torn = import(data_);
    ASSERT_TRUE(torn) << torn.error();
    EXPECT_THAT(torn->cut, HasSubstr("torn end"));
    EXPECT_EQ(bid_in(torn->days[0]), 1U);
    EXPECT_FALSE(Day::open(torn->days[0].file)->book_at(1, INT64_MAX)) << "what follows is missing";
}

TEST_F(ImportedJournal, DamageIsNamed) {
    list(k_monday);
    buy(1, k_monday + k_hour);
    buy(2, k_monday + 2 * k_hour);
    close();
    spoil(2);
    const auto damaged = import(data_);
    ASSERT_FALSE(damaged);
    EXPECT_THAT(damaged.error(),
                AllOf(HasSubstr(segment().string()), HasSubstr("restore the segment from a copy")));
}

TEST_F(ImportedJournal, WhatIsNoJournalIsSaid) {
    EXPECT_EQ(journal_folder(folder_ / "day.itch"), std::nullopt);
    EXPECT_EQ(journal_folder(data_), data_);
    EXPECT_EQ(journal_folder(segment()), data_);
    EXPECT_THAT(error_of(import(data_)), HasSubstr("the journal has no trading day"));
    const auto dated =
        import_journal<NoGateways>({.from = data_, .to = folder_ / "out.dar", .date = 20'261'102},
                                   [](std::uint64_t, std::uint64_t) {});
    EXPECT_THAT(error_of(dated), HasSubstr("a journal has its dates: leave --date out"));
    std::filesystem::resize_file(segment(), 100);
    EXPECT_THAT(error_of(import(data_)), HasSubstr(segment().string()));
}

}  // namespace
}  // namespace damrak::archive::journal_import_test
