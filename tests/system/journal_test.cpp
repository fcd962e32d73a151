// `damrak journal` and `damrak replay` of a journal, from the outside.
#include <damrak/journal/journal.hpp>

#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <damrak/base/assert.hpp>
#include <damrak/domain/event.hpp>
#include <damrak/engine/engine.hpp>

#include "support/recorded_engine.hpp"
#include "support/run_program.hpp"
#include "support/scratch_folder.hpp"

namespace damrak::journal_test {
namespace {

using nlohmann::json;
using ::testing::AllOf;
using testing::content_of;
using ::testing::HasSubstr;
using testing::lines_in;
using testing::ProgramRun;
using testing::run_program;
using testing::ScratchFolder;
using ::testing::StartsWith;

struct NoEvents {
    void on_event(const Event& /*event*/) {}
};

Command order(std::uint32_t participant, Side side, std::int64_t price) {
    Command command{};
    command.kind = CommandKind::new_order;
    command.side = side;
    command.instrument = InstrumentId{1};
    command.participant = ParticipantId{participant};
    command.client_order_id = ClientOrderId{77};
    command.price = Price{price};
    command.quantity = Quantity{5};
    return command;
}

// Three orders of two participants, of which two trade, and a checkpoint.
class JournalProgram : public ::testing::Test {
  protected:
    void SetUp() override {
        using namespace journal;  // NOLINT(google-build-using-namespace)
        const EngineConfig config{.maximum_instruments = 2, .maximum_participants = 4};
        NoEvents sink;
        EngineInto<NoEvents> engine{config, sink};
        const auto recovery = recover(real_files(), directory_, {}, [](auto) {});
        auto opened = Journal::open(
            real_files(), {.directory = directory_, .segment_bytes = 2 * k_page_bytes}, *recovery,
            {.instance = {1, 2}, .engine = config}, Timestamp{0});
        DAMRAK_ASSERT(opened.has_value());
        std::int64_t second = 0;
        const auto append = [&](Record record) {
            record.command.timestamp = Timestamp{++second * 1'000'000'000};
            DAMRAK_ASSERT((*opened)->writer().append(record));
            if (is_engine_kind(static_cast<std::uint8_t>(record.command.kind)))
                engine.apply(record.command);
        };
        Record listing{};
        listing.command.kind = CommandKind::add_instrument;
        listing.command.instrument = InstrumentId{1};
        listing.command.definition = {.symbol = Symbol::of("AA,PL"),
                                      .tick_size = Price{100},
                                      .maximum_price = Price{1'000'000},
                                      .lot_size = Quantity{1},
                                      .maximum_quantity = Quantity{1'000},
                                      .price_decimals = 4};
        append(listing);
        for (const Command& command : {order(1, Side::buy, 10'000), order(2, Side::sell, 10'000),
                                       order(2, Side::sell, 10'100)}) {
            Record record{.head = {.session = 3, .inbound_sequence = 9}, .command = command};
            record.head.tag_length = 2;
            std::memcpy(record.head.tag.data(), "t1", 2);
            append(record);
        }
        hash_ = engine.state_hash();
        append(checkpoint(Timestamp{0}, hash_ + wrong_by_));
        (*opened)->syncer().on_close();
    }

    [[nodiscard]] static ProgramRun run(const std::string& job,
                                        const std::vector<std::string>& more) {
        std::vector<std::string> arguments{"journal", job};
        arguments.insert(arguments.end(), more.begin(), more.end());
        return run_program(arguments);
    }
    [[nodiscard]] std::string hash_text() const {
        char text[17];
        std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(hash_));
        return text;
    }
    [[nodiscard]] std::filesystem::path segment() const {
        return std::filesystem::path{directory_} / journal::segment_name(1);
    }
    void flip(std::size_t offset) const {
        std::string content = content_of(segment());
        content[offset] = static_cast<char>(content[offset] ^ 1);
        std::ofstream{segment(), std::ios::binary} << content;
    }

    ScratchFolder folder_;
    std::string directory_ = folder_ / "data";
    std::uint64_t hash_ = 0;
    std::uint64_t wrong_by_ = 0;
};

struct JournalWithAWrongCheckpoint : JournalProgram {
    JournalWithAWrongCheckpoint() { wrong_by_ = 1; }
};

TEST_F(JournalProgram, VerifyReportsCommandsAndStateHash) {
    const auto verified = run("verify", {directory_, "--json"});
    ASSERT_EQ(verified.exit_code, 0) << verified.err;
    const json object = json::parse(verified.out);
    EXPECT_EQ(object["ok"], true);
    EXPECT_EQ(object["commands"], 4);
    EXPECT_EQ(object["records"], 5);
    EXPECT_EQ(object["trades"], 1);
    EXPECT_EQ(object["checkpoints"], 1);
    EXPECT_EQ(object["cut_records"], 0);
    EXPECT_EQ(object["state_hash"], hash_text());
    EXPECT_THAT(run("verify", {directory_}).out, HasSubstr("state hash   " + hash_text()));
}

TEST_F(JournalProgram, VerifyFailsOnAnotherStateThanExpected) {
    EXPECT_EQ(run("verify", {directory_, "--state-hash", hash_text()}).exit_code, 0);
    const auto verified = run("verify", {directory_, "--state-hash", "0123456789abcdef"});
    EXPECT_EQ(verified.exit_code, 1);
    EXPECT_THAT(verified.err, AllOf(StartsWith("damrak: "), HasSubstr("not 0123456789abcdef")));
}

TEST_F(JournalWithAWrongCheckpoint, IsNotVerified) {
    const auto verified = run("verify", {directory_, "--json"});
    EXPECT_EQ(verified.exit_code, 1);
    EXPECT_EQ(json::parse(verified.out)["ok"], false);
    EXPECT_THAT(verified.err, AllOf(HasSubstr("after record 4 is " + hash_text()),
                                    HasSubstr("but the journal says")));
    EXPECT_EQ(lines_in(verified.err), 1U);
}

TEST_F(JournalProgram, VerifyReportsDamageInOneLine) {
    flip(journal::k_header_bytes + 2 * journal::k_record_bytes + 100);
    const auto verified = run("verify", {directory_, "--json"});
    EXPECT_EQ(verified.exit_code, 1);
    EXPECT_EQ(json::parse(verified.out)["ok"], false);
    EXPECT_THAT(verified.err, AllOf(HasSubstr("offset 4480: record 3 is damaged"),
                                    HasSubstr("restore the segment from a copy")));
    EXPECT_EQ(lines_in(verified.err), 1U);
}

TEST_F(JournalProgram, VerifyOfWhatIsNoJournalFails) {
    for (const std::string directory : {folder_ / "nowhere", folder_ / ""}) {
        const auto verified = run("verify", {directory});
        EXPECT_EQ(verified.exit_code, 1);
        EXPECT_THAT(verified.err, HasSubstr("contains no journal"));
    }
}

TEST_F(JournalProgram, StatsCountKindsAndTime) {
    const auto run_json = run("stats", {directory_, "--json"});
    ASSERT_EQ(run_json.exit_code, 0) << run_json.err;
    const json object = json::parse(run_json.out);
    EXPECT_EQ(object["records"], 5);
    EXPECT_EQ(object["kinds"], (json{{"add_instrument", 1}, {"new_order", 3}, {"checkpoint", 1}}));
    EXPECT_EQ(object["first_time"], "1970-01-01T00:00:01.000000000Z");
    EXPECT_EQ(object["last_time"], "1970-01-01T00:00:05.000000000Z");
    EXPECT_EQ(object["records_in_busiest_second"], 1);
    const auto table = run("stats", {directory_});
    EXPECT_THAT(table.out, AllOf(HasSubstr("new_order"), HasSubstr("60.0 %")));
}

TEST_F(JournalProgram, DumpShowsRecordsOneALine) {
    const auto all = run("dump", {directory_});
    ASSERT_EQ(all.exit_code, 0) << all.err;
    EXPECT_EQ(lines_in(all.out), 5U);
    const auto one = run("dump", {directory_, "--from", "2", "--to", "2"});
    EXPECT_EQ(one.out,
              "2 1970-01-01T00:00:02.000000000Z new_order session=3 inbound_sequence=9 tag=t1 "
              "instrument=1 participant=1 side=buy order_type=limit time_in_force=day "
              "self_trade_prevention=none client_order_id=77 price=10000 quantity=5\n");
    const auto as_json = run("dump", {directory_, "--from", "5", "--json"});
    EXPECT_EQ(json::parse(as_json.out)["state_hash"], hash_text());
}

TEST_F(JournalProgram, DumpShowsWhatComesBeforeDamage) {
    flip(journal::k_header_bytes + 3 * journal::k_record_bytes + 100);
    const auto dumped = run("dump", {directory_});
    EXPECT_EQ(dumped.exit_code, 1);
    EXPECT_EQ(lines_in(dumped.out), 3U);
    EXPECT_THAT(dumped.err, HasSubstr("record 4 is damaged"));
}

TEST_F(JournalProgram, ExportsCsv) {
    const auto exported = run("export", {directory_});
    ASSERT_EQ(exported.exit_code, 0) << exported.err;
    EXPECT_THAT(exported.out, StartsWith("sequence,timestamp_ns,kind,session,"));
    EXPECT_EQ(lines_in(exported.out), 7U) << "a trade has a line of its own";
    EXPECT_THAT(exported.out, HasSubstr("\"AA,PL\""));
    const std::string file = folder_ / "journal.csv";
    const auto to_file = run("export", {directory_, "--output", file, "--from", "2"});
    ASSERT_EQ(to_file.exit_code, 0) << to_file.err;
    EXPECT_EQ(lines_in(content_of(file)), 6U);
    EXPECT_EQ(run("export", {directory_, "--output", folder_ / "no/where.csv"}).exit_code, 1);
}

TEST_F(JournalProgram, WrongUsageIsReportedAsSuch) {
    EXPECT_EQ(run_program({"journal"}).exit_code, 2);
    EXPECT_EQ(run_program({"journal", "verify"}).exit_code, 2);
    EXPECT_EQ(run("dump", {directory_, "--from", "0"}).exit_code, 2);
}

TEST_F(JournalProgram, ReplayTakesAJournalDirectory) {
    for (const char* format : {"auto", "journal"}) {
        const auto replayed = run_program({"replay", directory_, "--format", format, "--json"});
        ASSERT_EQ(replayed.exit_code, 0) << replayed.err;
        EXPECT_EQ(json::parse(replayed.out)["state_hash"], hash_text());
    }
    const auto wrong = run_program({"replay", directory_, "--mode", "rematch"});
    EXPECT_EQ(wrong.exit_code, 2);
    EXPECT_THAT(wrong.err, HasSubstr("need a recorded file, not a journal"));
}

TEST_F(JournalProgram, ReplayShowsTheMarketOfAnInstrumentUpToATime) {
    const std::string csv = folder_ / "trades.csv";
    const std::string chart = folder_ / "day.svg";
    const auto all = run_program(
        {"replay", directory_, "--symbol", "AA,PL", "--csv", csv, "--plot", chart, "--json"});
    ASSERT_EQ(all.exit_code, 0) << all.err;
    const auto told = json::parse(all.out);
    EXPECT_EQ(told["state_hash"], hash_text());
    const json& market = told["instruments"].at(0);
    EXPECT_EQ(market["orders"], 3);
    EXPECT_EQ(market["trades"], 1);
    EXPECT_EQ(market["volume"], 5);
    EXPECT_EQ(market["last"], "1.0000");
    EXPECT_EQ(market["bid"], "-");
    EXPECT_EQ(market["ask"], "1.0100");
    EXPECT_EQ(lines_in(content_of(csv)), 2U);
    EXPECT_THAT(content_of(csv), HasSubstr("\n3,3000000000,\"AA,PL\",1,1.0000,5,sell,1,2,1,2\n"));
    EXPECT_THAT(content_of(chart), HasSubstr("<svg"));
    const auto before = run_program({"replay", directory_, "--until", "00:00:02", "--json"});
    ASSERT_EQ(before.exit_code, 0) << before.err;
    const auto then = json::parse(before.out);
    EXPECT_EQ(then["records"], 2);
    EXPECT_EQ(then["instruments"].at(0)["bid"], "1.0000");
    EXPECT_EQ(run_program({"replay", directory_, "--symbol", "NONE"}).exit_code, 1);
}

TEST_F(JournalProgram, ExportsTheIdsOfOrdersAndTheTrades) {
    const auto exported = run("export", {directory_});
    ASSERT_EQ(exported.exit_code, 0) << exported.err;
    EXPECT_THAT(exported.out, HasSubstr("trade_id,resting_order_id,resting_participant\n"));
    // The second order has the id 2, and trades with the first one.
    EXPECT_THAT(exported.out, HasSubstr("\n3,3000000000,trade,,,,,,1,2,sell,"));
    EXPECT_THAT(exported.out, HasSubstr(",1,1,1\n")) << "trade 1 with order 1 of participant 1";
    const auto later = run("export", {directory_, "--from", "3", "--to", "3"});
    EXPECT_EQ(lines_in(later.out), 3U) << "the header, the order, its trade";
}

}  // namespace
}  // namespace damrak::journal_test
