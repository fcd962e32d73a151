// `damrak fix print` and `damrak fix verify`, from the outside, on the store of a session.
#include <csignal>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sys/wait.h>
#include <unistd.h>

#include <damrak/fix_codec/encode.hpp>
#include <damrak/session/fix/message_store.hpp>

#include "support/eventually.hpp"
#include "support/run_program.hpp"
#include "support/scratch_folder.hpp"

namespace damrak::fix_test {
namespace {

using fix_codec::BeginString;
using fix_codec::MessageWriter;
using fix_codec::TimePrecision;
using ::testing::AllOf;
using ::testing::HasSubstr;
using testing::lines_in;
using testing::ProgramRun;
using testing::run_program;
namespace tag = fix_codec::tag;

constexpr Timestamp k_time{1'767'205'296'457'245'600};

class FixProgram : public ::testing::Test {
  protected:
    void SetUp() override {
        auto opened = session::fix::MessageStore::open(
            journal::real_files(), folder(), {.file_bytes = 65'536, .prefault_bytes = 4'096},
            k_time);
        ASSERT_TRUE(opened) << opened.error();
        store_ = std::move(*opened);
        order("first", '1');
        heartbeat();
        order("second", '2');
        store_->set_next_incoming(9, k_time);
    }
    MessageWriter begin(std::string_view type) {
        MessageWriter writer{store_->claim(512), times_};
        writer.begin(BeginString::fix44, type);
        writer.put(tag::sender_comp_id, "DAMRAK").put(tag::target_comp_id, "CLIENT1");
        writer.put(tag::msg_seq_num, store_->next_outgoing());
        writer.put_timestamp(tag::sending_time, k_time, TimePrecision::milliseconds);
        return writer;
    }
    void order(std::string_view id, char side) {
        MessageWriter writer = begin("D");
        writer.put(tag::cl_ord_id, id).put(tag::symbol, "AAPL").put_char(tag::side, side);
        store_->commit(store_->next_outgoing(), writer.finish(), {.time = k_time});
    }
    void heartbeat() {
        MessageWriter writer = begin("0");
        store_->commit(store_->next_outgoing(), writer.finish(),
                       {.time = k_time, .administrative = true});
    }
    [[nodiscard]] std::filesystem::path folder() const { return scratch_ / "session"; }
    [[nodiscard]] std::filesystem::path first_file() const {
        return folder() / session::fix::store_file_name(1);
    }

    testing::ScratchFolder scratch_;
    fix_codec::TimestampCache times_;
    std::unique_ptr<session::fix::MessageStore> store_;
};

TEST_F(FixProgram, PrintsMessagesWithTheNamesOfFieldsAndValues) {
    const ProgramRun run = run_program({"fix", "print", folder()});
    EXPECT_EQ(run.exit_code, 0) << run.err;
    EXPECT_EQ(lines_in(run.out), 3);
    EXPECT_THAT(run.out, AllOf(HasSubstr("2025-12-31T18:21:36.457245600Z NewOrderSingle "
                                         "BeginString(8)=FIX.4.4 "),
                               HasSubstr(" MsgSeqNum(34)=1 "), HasSubstr(" ClOrdID(11)=first "),
                               HasSubstr(" Side(54)=1 BUY "), HasSubstr(" Side(54)=2 SELL "),
                               HasSubstr("Z Heartbeat ")));
    EXPECT_EQ(run_program({"fix", "print", first_file()}).out, run.out);
}

TEST_F(FixProgram, PrintsOnlyMessagesThatHaveTheFieldsAskedFor) {
    EXPECT_EQ(lines_in(run_program({"fix", "print", folder(), "--tag", "35=D"}).out), 2);
    EXPECT_EQ(lines_in(run_program({"fix", "print", folder(), "--tag", "35=0"}).out), 1);
    EXPECT_EQ(lines_in(run_program({"fix", "print", folder(), "--tag", "11"}).out), 2);
    const ProgramRun one =
        run_program({"fix", "print", folder(), "--tag", "35=D", "--tag", "54=2"});
    EXPECT_EQ(lines_in(one.out), 1);
    EXPECT_THAT(one.out, HasSubstr("ClOrdID(11)=second"));
    EXPECT_EQ(run_program({"fix", "print", folder(), "--tag", "35=D", "--tag", "54=7"}).out, "");
}

TEST_F(FixProgram, PrintsAnyFileOfMessagesAndReportsWhatIsNone) {
    std::string bytes = "noise before ";
    for (const std::uint64_t n : {std::uint64_t{1}, std::uint64_t{3}}) {
        const auto message = store_->find(n)->message;
        bytes.append(message.begin(), message.end());
        bytes += "\n";
    }
    const auto path = scratch_.write("capture.log", bytes);
    const ProgramRun run = run_program({"fix", "print", path});
    EXPECT_EQ(run.exit_code, 0);
    EXPECT_EQ(lines_in(run.out), 2) << run.out;
    EXPECT_THAT(run.out, AllOf(HasSubstr("ClOrdID(11)=first"), HasSubstr("ClOrdID(11)=second")));
    EXPECT_THAT(run.err, HasSubstr("bytes are not FIX messages"));
}

TEST_F(FixProgram, FollowsAStoreThatIsBeingWrittenOverAChangeOfFiles) {
    const auto output = scratch_ / "followed";
    const std::string program = ::getenv("DAMRAK_PROGRAM");
    const std::string path = folder();
    const pid_t child = ::fork();
    if (child == 0) {
        const int file = ::open(output.c_str(), O_WRONLY | O_CREAT, 0644);
        ::dup2(file, STDOUT_FILENO);
        ::execl(program.c_str(), program.c_str(), "fix", "print", "--follow", path.c_str(), "--tag",
                "35=D", nullptr);
        ::_exit(127);
    }
    for (int i = 0; i < 1'000; ++i) order("order-" + std::to_string(i), '1');
    ASSERT_GT(store_->files_begun(), 2);
    std::string seen;
    EXPECT_TRUE(testing::eventually([&] {
        seen = testing::content_of(output);
        return seen.contains("ClOrdID(11)=order-999 ");
    }));
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
    EXPECT_EQ(lines_in(seen), 1'002);
}

TEST_F(FixProgram, VerifiesAStoreAndCountsWhatIsInIt) {
    const ProgramRun run = run_program({"fix", "verify", folder(), "--json"});
    EXPECT_EQ(run.exit_code, 0) << run.err;
    const auto object = nlohmann::json::parse(run.out);
    EXPECT_EQ(object["ok"], true);
    EXPECT_EQ(object["messages"], 3);
    EXPECT_EQ(object["administrative"], 1);
    EXPECT_EQ(object["first_sequence"], 1);
    EXPECT_EQ(object["last_sequence"], 3);
    EXPECT_EQ(object["next_outgoing"], 4);
    EXPECT_EQ(object["next_incoming"], 9);
    EXPECT_THAT(run_program({"fix", "verify", folder()}).out, HasSubstr("numbers        1 to 3"));
}

TEST_F(FixProgram, VerifyFailsOnAFlippedBitAndReportsWhere) {
    store_.reset();
    std::fstream file{first_file(), std::ios::binary | std::ios::in | std::ios::out};
    file.seekg(4'096 + 200);
    const char byte = static_cast<char>(file.get());
    file.seekp(4'096 + 200);
    file.put(static_cast<char>(byte ^ 4));
    file.close();
    const ProgramRun run = run_program({"fix", "verify", folder(), "--json"});
    EXPECT_EQ(run.exit_code, 1);
    EXPECT_EQ(lines_in(run.err), 1);
    EXPECT_THAT(run.err, AllOf(HasSubstr("bytes at offset"), HasSubstr("damaged")));
    EXPECT_EQ(nlohmann::json::parse(run.out)["ok"], false);
    EXPECT_THAT(run_program({"fix", "print", folder()}).err, HasSubstr("are damaged"));
}

TEST_F(FixProgram, FailuresAreReportedInOneLine) {
    const ProgramRun nothing = run_program({"fix", "verify", scratch_ / "nowhere"});
    EXPECT_EQ(nothing.exit_code, 1);
    EXPECT_THAT(nothing.err, HasSubstr("no files with FIX messages found"));
    EXPECT_EQ(run_program({"fix", "print", scratch_ / "nowhere"}).exit_code, 1);
    EXPECT_EQ(run_program({"fix", "print", folder(), "--tag", "x=1"}).exit_code, 2);
    EXPECT_EQ(run_program({"fix"}).exit_code, 2);
}

}  // namespace
}  // namespace damrak::fix_test
