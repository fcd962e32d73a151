// The events of an exchange under load that is killed, over and over: every event of its journal is
// in its archive once, in order, under its record; and `damrak archive events` shows who did what.
#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <damrak/archive/event_file.hpp>
#include <damrak/base/random.hpp>
#include <damrak/domain/identifiers.hpp>
#include <damrak/journal/recovery.hpp>
#include <damrak/standard_exchange/gateway_states.hpp>

#include "support/eventually.hpp"
#include "support/run_program.hpp"
#include "support/running_server.hpp"
#include "support/scratch_folder.hpp"
#include "support/soup_subscriber.hpp"

namespace damrak::testing::event_log_test {
namespace {

using archive::EventFile;
using archive::LoggedEvent;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;

struct Recorded {
    std::vector<LoggedEvent> events;
    void on_event(const Event& event, const CommandStamp& stamp) {
        events.push_back(
            {.record = stamp.sequence.value, .time_ns = stamp.timestamp.value, .event = event});
    }
    void on_batch_end(bool /*caught_up*/) const {}
};

class KeptEvents : public ::testing::TestWithParam<std::string> {
  protected:
    [[nodiscard]] std::vector<std::string> arguments() const {
        return {"--wiring", GetParam(), "--only", "itch", "fix", "--itch-port", "0"};
    }
    [[nodiscard]] static std::uint16_t itch_port(const RunningServer& server) {
        return nlohmann::json::parse(server.ready_line())["ports"]["itch"].get<std::uint16_t>();
    }
    [[nodiscard]] std::vector<LoggedEvent> of_the_journal() const {
        const auto contents = journal::look_into(journal::real_files(), data_);
        EXPECT_TRUE(contents) << contents.error();
        const auto state = std::make_unique<standard_exchange::ExchangeState<Recorded>>(
            contents->segments.front().header.identity.engine);
        EXPECT_TRUE(journal::recover(
            journal::real_files(), data_, {.cut = false},
            [&](std::span<const journal::Record> records) { state->apply(records); }));
        return std::move(state->observer().events);
    }
    [[nodiscard]] std::vector<std::filesystem::path> files() const {
        std::vector<std::filesystem::path> files;
        for (const auto& entry :
             std::filesystem::directory_iterator{std::filesystem::path{data_} / "archive"})
            if (entry.path().extension() == ".events") files.push_back(entry.path());
        std::ranges::sort(files);
        return files;
    }
    [[nodiscard]] std::vector<LoggedEvent> of_the_archive() const {
        std::vector<LoggedEvent> events;
        for (const auto& path : files()) {
            auto file = EventFile::open(path);
            EXPECT_TRUE(file) << file.error();
            for (const std::string& damage : file->damage()) ADD_FAILURE() << damage;
            for (std::size_t i = 0; i < file->blocks(); ++i) {
                const auto block = file->read_block(i);
                EXPECT_TRUE(block) << block.error();
                events.insert(events.end(), block->begin(), block->end());
            }
        }
        return events;
    }

    ScratchFolder folder_;
    std::string data_ = folder_ / "data";
    std::string log_ = folder_ / "log";
};

TEST_P(KeptEvents, AreThoseOfTheJournalOverKills) {
    RandomStream random{11};
    for (int round = 0; round < 4; ++round) {
        RunningServer server{data_, log_, arguments()};
        std::jthread trading{[port = std::to_string(server.port())] {
            static_cast<void>(run_program({"load", "--port", port, "--clients", "4", "--warm-up",
                                           "0", "--seconds", "86400"}));
        }};
        const auto published = [feed = itch_port(server)] {
            const std::string accepted = testing::SoupSubscriber{feed, 0}.next();
            return accepted.size() == 31 ? std::stoull(accepted.substr(11)) : 0;
        };
        const std::uint64_t enough = published() + 500 + random.below(5'000);
        EXPECT_TRUE(testing::eventually([&] { return published() >= enough; }));
        server.kill();
    }
    RunningServer last{data_, log_, arguments()};
    ASSERT_EQ(last.terminate(), 0) << content_of(log_);
    const auto expected = of_the_journal();
    EXPECT_GT(expected.size(), 100U);
    EXPECT_TRUE(of_the_archive() == expected);
}

TEST_P(KeptEvents, TellOwnersAndHiddenQuantities) {
    {
        RunningServer server{data_, log_, arguments()};
        const ProgramRun run =
            run_program({"term", "--fix", "--port", std::to_string(server.fix_port()), "--l2-port",
                         "off", "--http-port", "off"},
                        "sell 70 AAPL 101.5 hidden\nwait 1\nbuy 20 AAPL 101.5\nwait 1\nquit\n");
        EXPECT_EQ(run.exit_code, 0) << run.out << run.err;
        EXPECT_EQ(server.terminate(), 0);
    }
    ASSERT_EQ(files().size(), 1U);
    const std::string file = files().front();
    const ProgramRun all = run_program({"archive", "events", file});
    EXPECT_EQ(all.exit_code, 0) << all.err;
    EXPECT_THAT(all.out, HasSubstr("record,time_ns,event,instrument,participant,order"));
    const std::string hidden = std::to_string(k_private_order + 1);
    EXPECT_THAT(all.out, ContainsRegex("accepted,AAPL,1," + hidden +
                                       ",0,sell,101.5000,70,70,0,on_book.hidden,\n"));
    const ProgramRun sold = run_program({"archive", "events", file, "--order", hidden, "--json"});
    EXPECT_EQ(sold.exit_code, 0) << sold.err;
    EXPECT_EQ(lines_in(sold.out), 2U);
    EXPECT_THAT(sold.out, ContainsRegex("\"event\": \"executed\".*\"remaining\": 50"));
    const ProgramRun life = run_program({"journal", "order", data_, "--id", hidden});
    EXPECT_EQ(life.exit_code, 0) << life.err;
    EXPECT_THAT(life.out, ContainsRegex("accepted,101.5000,70,0,0,hidden\n"));
    EXPECT_THAT(life.out, ContainsRegex("executed,101.5000,50,0,0,hidden\n"));
    EXPECT_EQ(lines_in(life.out), 3U);
    const ProgramRun info = run_program({"archive", "info", file});
    EXPECT_EQ(info.exit_code, 0) << info.err;
    EXPECT_THAT(info.out, ContainsRegex("events +[0-9]+ of records 1 to [0-9]+, "));
    EXPECT_THAT(info.out, HasSubstr("AAPL"));
    const ProgramRun sound = run_program({"archive", "verify", file});
    EXPECT_EQ(sound.exit_code, 0) << sound.err;
    EXPECT_THAT(sound.out, HasSubstr("all sound"));
    const ProgramRun none = run_program({"archive", "events", file, "--order", "987654321"});
    EXPECT_EQ(none.exit_code, 1);
    EXPECT_THAT(none.err, HasSubstr("there is no order 987654321"));
    std::filesystem::resize_file(file, std::filesystem::file_size(file) - 1);
    const ProgramRun cut = run_program({"archive", "verify", file, "--json"});
    EXPECT_EQ(cut.exit_code, 1) << cut.out;
    EXPECT_THAT(cut.err, ContainsRegex("at offset [0-9]+: damaged from here to the end"));
    EXPECT_THAT(cut.out, HasSubstr("damaged from here to the end"));
}

INSTANTIATE_TEST_SUITE_P(Wirings, KeptEvents, ::testing::Values("inline", "pipelined"));

}  // namespace
}  // namespace damrak::testing::event_log_test
