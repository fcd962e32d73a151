// Recordings through pipes, and what a conversion or a generation that did not come to its end
// leaves behind: what was there before, and nothing else.

#include <filesystem>
#include <iterator>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "support/run_program.hpp"
#include "support/scratch_folder.hpp"

namespace damrak::pipes_test {
namespace {

using testing::content_of;
using ::testing::HasSubstr;
using testing::lines_in;
using testing::ProgramRun;
using testing::run_program;
using testing::run_shell;
using testing::ScratchFolder;

class Pipes : public ::testing::Test {
  protected:
    void SetUp() override {
        run({"generate", day_, "--messages", "20000", "--symbols", "2"});
        run({"convert", day_, rows_, "--symbol", "SIM1", "--book", book_, "--levels", "5"});
    }

    static ProgramRun run(const std::vector<std::string>& arguments) {
        auto done = run_program(arguments);
        EXPECT_EQ(done.exit_code, 0) << done.err;
        return done;
    }
    ProgramRun shell(const std::string& script) const {
        return run_shell("cd " + folder_.path().string() + " && " + script);
    }
    static nlohmann::json report_of(const ProgramRun& done) {
        EXPECT_EQ(done.exit_code, 0) << done.err;
        auto report = nlohmann::json::parse(done.out, nullptr, false);
        for (const char* differs : {"file", "book", "seconds"}) report.erase(differs);
        return report;
    }
    [[nodiscard]] std::size_t entries() const {
        const std::filesystem::directory_iterator all{folder_.path()};
        return static_cast<std::size_t>(std::distance(begin(all), end(all)));
    }

    ScratchFolder folder_;
    std::string day_ = folder_ / "day.itch";
    std::string rows_ = folder_ / "SIM1_2026-01-02_34200000_57600000_message_5.csv";
    std::string book_ = folder_ / "SIM1_2026-01-02_34200000_57600000_orderbook_5.csv";
};

TEST_F(Pipes, ADayIsReplayedFromAnyPipeAsFromItsFile) {
    for (const std::string mode : {"build", "rematch"}) {
        const auto from_file = report_of(run({"replay", day_, "--mode", mode, "--json"}));
        for (const std::string script : {
                 "cat day.itch | $DAMRAK_PROGRAM replay /dev/stdin",
                 "cat day.itch | $DAMRAK_PROGRAM replay -",
                 "gzip -c day.itch | $DAMRAK_PROGRAM replay -",
                 "$DAMRAK_PROGRAM replay - < day.itch",
                 "mkfifo p && (cat day.itch > p &) && timeout $patience $DAMRAK_PROGRAM replay p",
             }) {
            EXPECT_EQ(
                report_of(shell(script + " --json --mode " + mode + "; rc=$?; rm -f p; exit $rc")),
                from_file)
                << script;
        }
    }
}

TEST_F(Pipes, MessagesOfLobsterAreReplayedFromAPipeWithTheirBook) {
    const std::vector<std::string> options{"--symbol SIM1 --trust-messages",
                                           "--symbol SIM1 --book " + book_,
                                           "--verify --book " + book_};
    for (const std::string& option : options) {
        const auto from_file = report_of(shell("cp " + rows_ +
                                               " m.csv; $DAMRAK_PROGRAM replay m.csv "
                                               "--json " +
                                               option));
        for (const char* way : {"/dev/stdin", "-"})
            EXPECT_EQ(report_of(shell("cat m.csv | $DAMRAK_PROGRAM replay " + std::string{way} +
                                      " --json " + option)),
                      from_file)
                << option;
    }
}

TEST_F(Pipes, ConversionsReadAndWriteThem) {
    run({"convert", rows_, folder_ / "one.itch", "--symbol", "SIM1", "--book", book_});
    run({"convert", day_, folder_ / "one.csv", "--symbol", "SIM1"});
    const std::string itch = content_of(folder_ / "one.itch");
    const std::string rows = content_of(folder_ / "one.csv");
    const std::string convert = "$DAMRAK_PROGRAM convert ";
    for (const std::string& script : {
             "cat " + rows_ + " | " + convert + "- two.itch --symbol SIM1 --book " + book_ +
                 " && cat two.itch",
             "cat " + rows_ + " | " + convert + "- - --symbol SIM1 --book " + book_,
             convert + rows_ + " - --symbol SIM1 | cat",
             "mkfifo p && (cat " + rows_ + " > p &) && timeout $patience " + convert +
                 "p /dev/stdout --symbol SIM1 --json --book " + book_ +
                 " > /dev/null; timeout $patience " + convert + rows_ +
                 " two.itch --symbol SIM1 > /dev/null && cat two.itch",
         }) {
        const auto done = shell(script);
        EXPECT_EQ(done.exit_code, 0) << script << done.err;
        EXPECT_TRUE(done.out.ends_with(itch)) << script;
    }
    for (const std::string& script : {
             "cat day.itch | " + convert + "- - --symbol SIM1",
             "gzip -c day.itch | " + convert + "/dev/stdin - --symbol SIM1",
         }) {
        const auto done = shell(script);
        EXPECT_EQ(done.exit_code, 0) << script << done.err;
        EXPECT_TRUE(done.out == rows) << script;
        EXPECT_THAT(done.err, HasSubstr("SIM1"));
        EXPECT_EQ(lines_in(done.err), 1U) << done.err;
    }
    for (const std::string& wrong :
         {convert + "- - --symbol SIM1 --json < day.itch", convert + "- two.itch < day.itch",
          convert + "- m.csv --symbol A < " + rows_,
          convert + "- m.itch --symbol A --book - < " + rows_,
          std::string{"$DAMRAK_PROGRAM generate - --json"}}) {
        const auto refused = shell(wrong);
        EXPECT_EQ(refused.exit_code, 2) << wrong << refused.err;
        EXPECT_EQ(refused.out, "");
    }
}

TEST_F(Pipes, ADayIsGeneratedIntoThem) {
    const auto piped = shell("$DAMRAK_PROGRAM generate - --messages 20000 --symbols 2 | cat");
    EXPECT_EQ(piped.exit_code, 0);
    EXPECT_TRUE(piped.out == content_of(day_));
    EXPECT_EQ(lines_in(piped.err), 1U) << piped.err;
}

TEST_F(Pipes, WhoIsStoppedOrFailsLeavesWhatWasThere) {
    folder_.write("out.itch", "before");
    folder_.write("m.csv", "messages before");
    folder_.write("b.csv", "book before");
    // Half a day: its end is cut off inside a message.
    const std::string whole = content_of(day_);
    folder_.write("half.itch", whole.substr(0, whole.size() / 2));
    folder_.write("half.csv", content_of(rows_) + "57600,1");
    const std::size_t files = entries();
    const std::string program = "$DAMRAK_PROGRAM ";
    const std::string soon = " 0.3 " + program;  // at whatever point of their work
    for (const std::string& script : {
             program + "convert half.itch m.csv --symbol SIM1 --book b.csv",
             program + "convert day.itch m.csv --symbol SIM9 --book b.csv",
             program + "convert day.itch m.csv --symbol SIM1 --book no/such/b.csv",
             program + "convert half.csv out.itch --symbol SIM1",
             // Like a full disk: a write fails in the middle.
             "trap '' XFSZ; ulimit -f 100; " + program + "generate out.itch --messages 200000",
             "trap '' XFSZ; ulimit -f 100; " + program +
                 "convert day.itch m.csv --symbol SIM1 --book b.csv --levels 50",
             "timeout -s INT" + soon + "generate out.itch --messages 900000000",
             "timeout -s TERM" + soon + "generate out.itch --messages 900000000",
             "timeout -s KILL" + soon + "generate out.itch.gz --messages 900000000",
             // The pipe stays open: this shell may write to it, too.
             "mkfifo endless; exec 3<>endless; cat day.itch >&3 & timeout -s INT" + soon +
                 "convert - m.csv --symbol SIM1 --book b.csv <&3; code=$?; kill $!; rm endless; "
                 "exit $code",
         }) {
        const auto done = shell(script);
        EXPECT_NE(done.exit_code, 0) << script;
        EXPECT_EQ(content_of(folder_ / "out.itch"), "before") << script;
        EXPECT_EQ(content_of(folder_ / "m.csv"), "messages before") << script;
        EXPECT_EQ(content_of(folder_ / "b.csv"), "book before") << script;
        EXPECT_EQ(entries(), files) << script << " left something over";
    }
}

TEST_F(Pipes, HalfADayIsNotCompleteWhateverFollowsIt) {
    const std::string whole = content_of(day_);
    std::size_t half = 0;
    while (half < whole.size() / 2)
        half += 2U + static_cast<unsigned char>(whole[half]) * 256U +
                static_cast<unsigned char>(whole[half + 1]);
    for (const std::size_t zeros : {0U, 2U, 4'096U, 1'000'000U}) {
        const std::string part =
            folder_.write("half.itch", whole.substr(0, half) + std::string(zeros, '\0'));
        const auto done = run_program({"replay", part, "--json"});
        const auto report = nlohmann::json::parse(done.out);
        EXPECT_EQ(report["complete"], false) << zeros;
        EXPECT_EQ(done.exit_code, zeros > 2 ? 1 : 0) << done.err;
        const auto until = run_program({"replay", part, "--json", "--until", "09:31:00"});
        EXPECT_EQ(nlohmann::json::parse(until.out)["complete"], true) << "all that was requested";
    }
    const std::string padded = folder_.write("padded.itch", whole + std::string(4'096, '\0'));
    EXPECT_EQ(nlohmann::json::parse(run({"replay", padded, "--json"}).out)["complete"], true);
}

TEST(NarrowRecording, SaysWhatItsBookLacks) {
    const ScratchFolder folder;
    // The bid at 100.00 leaves below the one level of the file, unseen.
    const std::string file = folder.write(
        "A_2026-01-02_34200000_57600000_message_1.csv",
        "34200,1,1,100,1000000,1\n34200,1,2,100,1010000,-1\n"
        "34210,1,3,100,990000,-1\n34220,3,3,100,990000,-1\n34240,3,2,100,1010000,-1\n");
    const auto refused = run_program({"replay", file});
    EXPECT_EQ(refused.exit_code, 1);
    EXPECT_EQ(refused.out, "");
    EXPECT_THAT(refused.err, HasSubstr("a message file shows no book without its order book file"));
    const auto told = run_program({"replay", file, "--trust-messages"});
    EXPECT_EQ(told.exit_code, 0) << told.err;
    EXPECT_THAT(told.out, HasSubstr("the book is what the messages alone say"));
    EXPECT_THAT(told.out, HasSubstr("75.0% of the time had a bid and an ask; crossed 25.0%"));
    const auto report =
        nlohmann::json::parse(run_program({"replay", file, "--trust-messages", "--json"}).out);
    EXPECT_EQ(report["instruments"][0]["covered"]["crossed"], 0.25);
    EXPECT_EQ(report["book_of_messages_alone"], true);

    folder.write("A_2026-01-02_34200000_57600000_orderbook_1.csv",
                 "9999999999,0,1000000,100\n1010000,100,1000000,100\n"
                 "990000,100,980000,50\n1010000,100,980000,50\n9999999999,0,980000,50\n");
    const auto known = nlohmann::json::parse(run_program({"replay", file, "--json"}).out);
    EXPECT_EQ(known["instruments"][0]["covered"]["crossed"], 0.0);
    EXPECT_EQ(known["instruments"][0]["bids"][0]["price"], 98.0);
    EXPECT_EQ(known["instruments"][0]["bids"][0]["orders"], nullptr) << "they are not known";
    EXPECT_EQ(known["book_known_to_level"], 1);
}

}  // namespace
}  // namespace damrak::pipes_test
