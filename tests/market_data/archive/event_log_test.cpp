// The log of an exchange's events: every event under its record, once, over restarts; and what is
// missing or damaged is reported.
#include <damrak/archive/event_log.hpp>

#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <damrak/archive/event_file.hpp>
#include <damrak/base/random.hpp>

#include "support/commands.hpp"
#include "support/eventually.hpp"
#include "support/scratch_folder.hpp"

namespace damrak::archive::event_log_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr std::uint64_t k_commands = 30'000;

Command day_command(std::int32_t date) {
    Command command{};
    command.kind = CommandKind::day_opened;
    command.trading_day = {.date = date, .feed_session = 0, .is_open = 1};
    return command;
}

class EventLogTest : public ::testing::Test {
  protected:
    /// Two instruments, then orders, some of them hidden; a day begins first, another one halfway.
    void SetUp() override {
        commands_.push_back(day_command(20261123));
        commands_.push_back(instrument_command(1));
        commands_.push_back(instrument_command(2, test_stock("AAPL")));
        RandomStream random{7};
        while (commands_.size() < k_commands) {
            Command order = order_command(
                1 + random.below(2), 1 + random.below(5), random.coin() ? Side::buy : Side::sell,
                100 * (1'000 + std::int64_t{random.below(20)}), 1 + random.below(100));
            if (random.below(4) == 0) order.flags |= CommandFlags::k_hidden;
            commands_.push_back(order);
            if (commands_.size() == k_commands / 2) commands_.push_back(day_command(20261124));
        }
    }
    [[nodiscard]] std::unique_ptr<EventLog> open(std::uint64_t free_bytes = 0) {
        auto log = EventLog::open(
            {.folder = folder_.path(),
             .journal = [this] { return journal_; },
             .session = std::nullopt,
             .free_bytes = free_bytes,
             .on_notice = [this](const std::string& notice) { notices_.push_back(notice); }});
        EXPECT_TRUE(log) << log.error();
        return *std::move(log);
    }
    /// The journal from its begin to this record: replayed up to `replayed`, then new. Observed by
    /// the log from `position` on. Returns all events of it.
    std::vector<LoggedEvent> run(EventLog& log, std::uint64_t last, std::uint64_t replayed = 0,
                                 std::uint64_t position = 0) {
        Engine engine{EngineConfig{}};
        std::vector<LoggedEvent> events;
        bool begun = false;
        for (std::uint64_t record = 1; record <= last; ++record) {
            if (record == position + 1) {
                EXPECT_TRUE(log.begin(engine, position));
                begun = true;
            }
            if (record == replayed + 1) {
                EXPECT_TRUE(log.go_live(replayed));
            }
            const Command& command = commands_[record - 1];
            const CommandStamp stamp{.sequence = {record},
                                     .timestamp = {static_cast<std::int64_t>(1'000'000 * record)}};
            if (begun) log.on_command(command, stamp);
            if (command.kind == CommandKind::day_opened) continue;
            engine.apply(command, [&](const Event& event) {
                events.push_back(
                    {.record = record, .time_ns = stamp.timestamp.value, .event = event});
                if (begun) log.on_event(event, stamp);
            });
        }
        return events;
    }
    [[nodiscard]] std::filesystem::path file(const char* day) const {
        return folder_ / (std::string{day} + "00.events");
    }
    /// Of both days, in order.
    [[nodiscard]] std::vector<LoggedEvent> kept() const {
        std::vector<LoggedEvent> events;
        for (const char* const day : {"20261123", "20261124"}) {
            if (!std::filesystem::exists(file(day))) continue;
            auto found = EventFile::open(file(day));
            EXPECT_TRUE(found) << found.error();
            EXPECT_THAT(found->damage(), IsEmpty());
            for (std::size_t i = 0; i < found->blocks(); ++i) {
                const auto block = found->read_block(i);
                EXPECT_TRUE(block) << block.error();
                events.insert(events.end(), block->begin(), block->end());
            }
        }
        return events;
    }
    void flip(const std::filesystem::path& path, std::uint64_t offset) const {
        std::fstream stream{path, std::ios::in | std::ios::out | std::ios::binary};
        stream.seekg(static_cast<std::streamoff>(offset));
        const char byte = static_cast<char>(stream.get() ^ 0x40);
        stream.seekp(static_cast<std::streamoff>(offset));
        stream.put(byte);
    }

    testing::ScratchFolder folder_;
    std::vector<Command> commands_;
    std::vector<std::string> notices_;
    std::optional<EventLog::JournalInstance> journal_{{1, 2}};
};

TEST_F(EventLogTest, KeepsEveryEventUnderItsRecordADayAFile) {
    auto log = open();
    const auto events = run(*log, commands_.size());
    log.reset();
    EXPECT_TRUE(kept() == events);
    EXPECT_THAT(notices_, IsEmpty());
    auto second = EventFile::open(file("20261124"));
    ASSERT_TRUE(second);
    EXPECT_EQ(second->header().date, 20261124);
    EXPECT_EQ(second->last_record(), commands_.size());
    std::vector<std::string> symbols;
    for (const LoggedInstrument& one : second->instruments())
        symbols.emplace_back(one.symbol.view());
    EXPECT_THAT(symbols, ElementsAre("TEST", "AAPL"));
    const auto owner = std::filesystem::perms::owner_read | std::filesystem::perms::owner_write;
    EXPECT_EQ(std::filesystem::status(file("20261124")).permissions(), owner)
        << "only who runs the exchange may read it";
    EXPECT_LT(std::filesystem::file_size(file("20261124")) / second->events(), 25U);
}

TEST_F(EventLogTest, GoesOnBehindItsLastWholeBlockAfterAKillAtAnyPlace) {
    run(*open(), k_commands / 3);
    const auto size = std::filesystem::file_size(file("20261123"));
    RandomStream random{3};
    for (int i = 0; i < 12; ++i) {
        // What a kill, or a loss of power, left of the file.
        const auto left = sizeof(EventFileHeader) + random.below(static_cast<std::uint32_t>(size));
        std::filesystem::resize_file(file("20261123"), left);
        auto log = open();
        const std::uint64_t replayed = k_commands / 3;
        const auto events = run(*log, k_commands / 3 + 500, replayed);
        log.reset();
        EXPECT_TRUE(kept() == events) << "cut at " << left;
    }
    EXPECT_THAT(notices_, IsEmpty());
}

TEST_F(EventLogTest, KeepsTheJournalFromItsLastWholeBlockOn) {
    auto log = open();
    run(*log, k_commands / 3);
    log.reset();
    log = open();
    EXPECT_EQ(log->kept(), k_commands / 3);
    run(*log, k_commands / 3 + 100, k_commands / 3);
    EXPECT_EQ(log->kept(), k_commands / 3) << "what came is not in the file yet";
}

TEST_F(EventLogTest, ReportsRecordsThatTheJournalHasNoMore) {
    run(*open(), 10'000);
    auto log = open();
    run(*log, 12'000, 11'000, 10'500);
    EXPECT_EQ(log->missing_records(), 500U);
    log.reset();
    EXPECT_THAT(notices_, ElementsAre(HasSubstr("no more records 10001 to 10500")));
    const auto found = EventFile::open(file("20261123"));
    ASSERT_TRUE(found);
    EXPECT_THAT(found->damage(), ElementsAre(HasSubstr("records 10001 to 10500 are missing")));
}

TEST_F(EventLogTest, LeavesEventsOutWhereTheDiskIsFullAndLetsTheJournalGo) {
    auto log = open(UINT64_MAX);
    run(*log, 25'000);
    log->on_turn(INT64_MAX);
    EXPECT_TRUE(testing::eventually([&] { return log->missing_records() == 25'000; }));
    EXPECT_TRUE(log->leaves_out());
    EXPECT_EQ(log->kept(), feed::MarketObserver::k_any) << "the journal must not fill the disk";
    log.reset();
    ASSERT_EQ(notices_.size(), 1U);
    EXPECT_THAT(notices_.front(), HasSubstr("events from record 1 on are left out"));
    EXPECT_THAT(kept(), IsEmpty());
}

TEST_F(EventLogTest, BeginsAnotherFileWhereTheJournalLostRecords) {
    run(*open(), 10'000);
    auto log = open();
    run(*log, 9'000, 9'000);
    ASSERT_TRUE(log->go_live(9'000));
    EXPECT_TRUE(log->wants_new_session());
    EXPECT_EQ(log->kept(), 9'000U);
}

TEST_F(EventLogTest, PutsTheFileOfAnotherJournalAside) {
    run(*open(), 10'000);
    journal_ = {{1, 3}};
    auto log = open();
    EXPECT_EQ(log->kept(), feed::MarketObserver::k_any) << "its records are others";
    const auto events = run(*log, 500, 100);
    log.reset();
    EXPECT_TRUE(kept() == events);
    EXPECT_TRUE(std::filesystem::exists(folder_ / "2026112300.events.earlier"));
}

// Recovery changes the folder of the journal while the events of its replay are written.
TEST_F(EventLogTest, WritesTheReplayedEventsWhileTheJournalCannotBeRead) {
    run(*open(), 100);
    auto log = open();
    journal_.reset();
    const auto events = run(*log, 25'000, 25'000);
    log.reset();
    EXPECT_THAT(notices_, IsEmpty());
    EXPECT_TRUE(kept() == events);
}

TEST_F(EventLogTest, ReportsDamageWithItsOffsetAndReadsTheRest) {
    run(*open(), commands_.size() / 2);
    const auto path = file("20261123");
    auto whole = EventFile::open(path);
    ASSERT_TRUE(whole);
    ASSERT_GE(whole->blocks(), 2U);
    flip(path, whole->block_offset(0) + sizeof(EventBlockHeader) + 5);
    auto damaged = EventFile::open(path);
    ASSERT_TRUE(damaged);
    EXPECT_THAT(damaged->read_block(0).error(), HasSubstr("the block with records 1 to "));
    EXPECT_TRUE(damaged->read_block(1));
    flip(path, whole->block_offset(1) + 20);
    damaged = EventFile::open(path);
    ASSERT_TRUE(damaged);
    EXPECT_EQ(damaged->blocks(), whole->blocks() - 1);
    EXPECT_THAT(
        damaged->damage(),
        ElementsAre(
            HasSubstr("at offset " + std::to_string(whole->block_offset(1)) +
                      ": damaged from here to offset " + std::to_string(whole->block_offset(2))),
            HasSubstr("records " + std::to_string(whole->block(1).first_record) + " to " +
                      std::to_string(whole->block(1).last_record) + " are missing")));
    const auto after = damaged->read_block(1);
    ASSERT_TRUE(after) << after.error();
    EXPECT_EQ(after->front().record, whole->block(2).first_record);
}

TEST_F(EventLogTest, ReadsATruncatedFileUpToItsLastWholeBlock) {
    run(*open(), commands_.size() / 2);
    const auto path = file("20261123");
    auto whole = EventFile::open(path);
    ASSERT_TRUE(whole);
    const std::size_t last = whole->blocks() - 1;
    for (const std::uint64_t cut : {whole->whole_bytes() - 1, whole->block_offset(last) + 64,
                                    whole->block_offset(last) + 1}) {
        std::filesystem::resize_file(path, cut);
        auto file = EventFile::open(path);
        ASSERT_TRUE(file) << file.error();
        EXPECT_EQ(file->blocks(), last) << cut;
        EXPECT_TRUE(file->read_block(last - 1)) << cut;
        EXPECT_THAT(file->damage(),
                    ElementsAre(HasSubstr("at offset " + std::to_string(whole->block_offset(last)) +
                                          ": damaged from here to the end")))
            << cut;
    }
}

// A later day shows it, where the file of the day itself could not be made.
TEST_F(EventLogTest, TheNextFileReportsWhatWasLeftOut) {
    auto log = open();
    std::filesystem::create_directory(file("20261123"));
    const auto events = run(*log, commands_.size());
    log.reset();
    std::filesystem::remove(file("20261123"));
    auto second = EventFile::open(file("20261124"));
    ASSERT_TRUE(second) << second.error();
    const std::uint64_t first = k_commands / 2 + 1;
    EXPECT_THAT(
        second->damage(),
        ElementsAre(HasSubstr("records 1 to " + std::to_string(first - 1) + " are missing")));
    EXPECT_EQ(second->block(0).first_record, first);
    EXPECT_EQ(second->last_record(), commands_.size());
    EXPECT_THAT(notices_,
                ElementsAre(HasSubstr("events from record 1 on are left out"),
                            HasSubstr("kept again from record " + std::to_string(first) + " on")));
    // The file that begins with a gap is gone on with like any other.
    log = open();
    EXPECT_EQ(log->kept(), commands_.size());
}

TEST_F(EventLogTest, PutsAFileAsideThatIsNone) {
    folder_.write("2026112300.events", std::string(100, 'x'));
    EXPECT_THAT(EventFile::open(file("20261123")).error(), HasSubstr("no file of events"));
    auto log = open();
    EXPECT_THAT(notices_, ElementsAre(HasSubstr("it is put aside")));
    const auto events = run(*log, 1'000);
    log.reset();
    EXPECT_TRUE(kept() == events);
}

}  // namespace
}  // namespace damrak::archive::event_log_test
