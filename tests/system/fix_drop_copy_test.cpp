// Drop-copy sessions of `damrak serve` over real sockets, in both wirings: copies of what happens
// to orders of every gateway, for those who are away, through kill -9, and for nobody who orders by
// them.
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "raw_binary.hpp"
#include "raw_udp.hpp"
#include "support/eventually.hpp"
#include "support/fix_client.hpp"
#include "support/run_program.hpp"
#include "support/running_server.hpp"
#include "support/scratch_folder.hpp"

namespace damrak::fix_drop_copy_test {
namespace {

using testing::FixClient;
using testing::FixFields;
using ::testing::HasSubstr;
using testing::RawClient;
using testing::RunningServer;

constexpr const char* k_config =
    "[gateways]\nanonymous = true\n"
    "[[participants]]\nid = 7\nfix_comp_ids = [\"ALICE\"]\n"
    "[[participants]]\nid = 8\napi_key = \"eight\"\n"
    "[[participants]]\nid = 9\nudp_sources = [\"127.0.0.1\"]\n"
    "[[fix.session]]\nbegin_string = \"*\"\ntarget_comp_id = \"*\"\n"
    "[[fix.session]]\nbegin_string = \"FIX.4.4\"\ntarget_comp_id = \"WATCH\"\ndrop_copy = true\n"
    "[[fix.session]]\nbegin_string = \"FIX.4.2\"\ntarget_comp_id = \"ONE\"\ndrop_copy = true\n"
    "copied_participants = [7]\n";

std::string order(const std::string& name, char side, int quantity, std::string_view more = {}) {
    return fmt::format("35=D|11={}|21=1|55=TEST|54={}|60=20260302-09:00:00|38={}|40=2|44=10{}",
                       name, side, quantity, more);
}

class DropCopy : public ::testing::TestWithParam<const char*> {
  protected:
    void write(const std::string& text) const { std::ofstream{file_} << text; }
    [[nodiscard]] std::unique_ptr<RunningServer> serve() const {
        return std::make_unique<RunningServer>(
            (folder_ / "data").string(), (folder_ / "log").string(),
            std::vector<std::string>{"--only", "fix,binary,udp", "--config", file_, "--wiring",
                                     GetParam()});
    }
    /// Owner and status of the order in the next copy.
    static std::string copy(FixClient& client) {
        const auto message = client.receive();
        return message ? line_of(*message) : "nothing";
    }
    static std::string line_of(FixFields message) {
        std::string line = message[35];
        for (const int tag : {115, 797, 55, 11, 41, 1, 448, 150, 39, 32, 31, 38, 14, 6, 58})
            if (const std::string& text = message[tag]; !text.empty())
                line += fmt::format(" {}={}", tag, text);
        return line;
    }
    static std::string first_of(FixClient& client) { return copy(client).substr(0, 1); }

    testing::ScratchFolder folder_;
    std::string file_ = folder_ / "exchange.toml";
};

INSTANTIATE_TEST_SUITE_P(Wirings, DropCopy, ::testing::Values("inline", "pipelined"),
                         [](const auto& of) { return std::string{of.param}; });

TEST_P(DropCopy, ReportsOfOrdersOfEveryGatewayToThoseWhoWatch) {
    write(k_config);
    const auto server = serve();
    FixClient all{"FIX.4.4", "WATCH"};
    FixClient one{"FIX.4.2", "ONE"};
    FixClient alice{"FIX.4.4", "ALICE"};
    for (FixClient* const client : {&all, &one, &alice})
        ASSERT_TRUE(client->connect(server->fix_port()));
    alice.send(order("a", '1', 10, "|1=ACC|453=1|448=FUND|447=D|452=3"));
    EXPECT_EQ(first_of(alice), "8");
    EXPECT_EQ(copy(all), "8 115=7 797=Y 55=TEST 11=a 1=ACC 448=FUND 150=0 39=0 38=10 14=0 6=0");
    EXPECT_EQ(copy(one), "8 115=7 55=TEST 11=a 1=ACC 150=0 39=0 38=10 14=0 6=0")
        << "the version has no parties";
    const RawClient binary{server->port()};
    const testing::Login login = testing::hello(binary, "eight");
    const testing::PlainOrder sale{.side = 1, .quantity = 4, .price_e2 = 1'000, .instrument = 4};
    EXPECT_EQ(testing::place(binary, 2, login.client, sale).status, 1U);
    EXPECT_EQ(first_of(alice), "8");
    EXPECT_EQ(copy(all),
              "8 115=8 797=Y 55=TEST 150=0 39=0 38=4 14=0 6=0"
              "");
    EXPECT_EQ(copy(all),
              "8 115=7 797=Y 55=TEST 11=a 1=ACC 448=FUND 150=F 39=1 32=4 31=10 38=10 14=4 6=10");
    EXPECT_EQ(copy(all), "8 115=8 797=Y 55=TEST 150=F 39=2 32=4 31=10 38=4 14=4 6=10");
    EXPECT_EQ(copy(one), "8 115=7 55=TEST 11=a 1=ACC 150=1 39=1 32=4 31=10 38=10 14=4 6=10");
    const testing::RawUdp udp{server->udp_port()};
    udp.send(testing::extended({.sequence = 1, .id = 33, .price = 100, .quantity = 5}));
    EXPECT_EQ(copy(all), "8 115=9 797=Y 55=AAPL 11=33 150=0 39=0 38=5 14=0 6=0");
    alice.send("35=F|41=a|11=a2|55=TEST|54=1|60=20260302-09:00:00");
    EXPECT_EQ(copy(one), "8 115=7 55=TEST 11=a2 41=a 1=ACC 150=4 39=4 38=10 14=4 6=10")
        << "nothing of the others came in between";
}

TEST_P(DropCopy, EntersNoOrders) {
    write(k_config);
    const auto server = serve();
    FixClient all{"FIX.4.4", "WATCH"};
    FixClient one{"FIX.4.2", "ONE"};
    ASSERT_TRUE(all.connect(server->fix_port()));
    ASSERT_TRUE(one.connect(server->fix_port()));
    const std::vector<std::string> requests{
        order("x", '1', 1), "35=F|41=a|11=b|55=TEST|54=1|60=20260302-09:00:00",
        "35=H|11=a|55=TEST|54=1", "35=q|11=m|530=7|60=20260302-09:00:00", "35=AF|584=s|585=7"};
    for (const std::string& request : requests) {
        all.send(request);
        auto answer = all.receive();
        ASSERT_TRUE(answer) << request;
        EXPECT_EQ((*answer)[35] + (*answer)[380], "j6") << request;
        EXPECT_THAT((*answer)[58], HasSubstr("drop-copy session"));
    }
    one.send(order("x", '1', 1));
    EXPECT_THAT(copy(one), HasSubstr("j 58=a drop-copy session"));
    all.send("35=x|320=l|559=4");
    EXPECT_THAT(copy(all), HasSubstr("y 55=TEST")) << "what there is, it may ask";
}

TEST_P(DropCopy, KeepsWhatHappensWhileItsClientIsAwayAndThroughKills) {
    write(k_config);
    FixClient all{"FIX.4.4", "WATCH"};
    FixClient alice{"FIX.4.4", "ALICE"};
    FixClient bob{"FIX.4.4", "BOB"};
    {
        // It has never logged on.
        const auto server = serve();
        ASSERT_TRUE(alice.connect(server->fix_port()));
        alice.send(order("a", '1', 30));
        EXPECT_EQ(first_of(alice), "8");
        const RawClient binary{server->port()};
        const testing::Login login = testing::hello(binary, "eight");
        const testing::PlainOrder bid{.quantity = 9, .price_e2 = 900, .instrument = 4};
        EXPECT_EQ(testing::place(binary, 2, login.client, bid).status, 1U);
        server->kill();
    }
    {
        const auto server = serve();
        ASSERT_TRUE(all.connect(server->fix_port()));
        EXPECT_EQ(copy(all), "8 115=7 797=Y 55=TEST 11=a 150=0 39=0 38=30 14=0 6=0");
        EXPECT_EQ(copy(all), "8 115=8 797=Y 55=TEST 150=0 39=0 38=9 14=0 6=0");
        all.close();
        ASSERT_TRUE(bob.connect(server->fix_port()));
        bob.send(order("s", '2', 3));
        EXPECT_EQ(first_of(bob), "8");
        EXPECT_EQ(first_of(bob), "8");
        bob.close();
        EXPECT_EQ(server->terminate(), 0) << "from here on a snapshot has the orders";
    }
    {
        const auto server = serve();
        ASSERT_TRUE(bob.connect(server->fix_port()));
        bob.send("35=D|11=b|55=TEST|54=2|60=20260302-09:00:00|38=36|40=2|44=9");
        EXPECT_EQ(first_of(bob), "8");
        EXPECT_EQ(first_of(bob), "8");
        server->kill();
    }
    const auto server = serve();
    ASSERT_TRUE(all.connect(server->fix_port()));
    // Nothing already received comes again, and nothing is missing.
    std::string seen;
    const auto hear = [&] {
        EXPECT_TRUE(
            all.receive_all_until_now([&](const FixFields& one) { seen += line_of(one) + '\n'; }));
    };
    EXPECT_TRUE(testing::turns_until(hear, [&] {
        return seen.contains("8 115=8 797=Y 55=TEST 150=F 39=2 32=9 31=9 38=9 14=9 6=9\n") &&
               seen.contains("150=F 39=2 32=27 31=10 38=30 14=30 6=10\n");
    })) << seen;
    hear();
    EXPECT_THAT(seen, ::testing::Not(HasSubstr("11=a 150=0")));
    EXPECT_EQ(all.repeated(), 0);
}

TEST_P(DropCopy, IsAskedForBySettingsThatMakeSense) {
    const std::string session = "[[fix.session]]\nbegin_string = \"FIX.4.4\"\n";
    const auto refused = [&](const std::string& text) {
        write(text);
        return testing::run_program({"serve", "--config", file_, "--print-config"}).err;
    };
    EXPECT_THAT(refused(session + "drop_copy = true\n"), HasSubstr("target_comp_id"));
    EXPECT_THAT(refused("[[fix.session]]\ntarget_comp_id = \"W\"\ndrop_copy = true\n"),
                HasSubstr("begin_string"));
    EXPECT_THAT(refused(session + "target_comp_id = \"W\"\ncopied_participants = [1]\n"),
                HasSubstr("drop_copy = true"));
    for (const char* const list : {"[]", "[0]", "[300000]", "[\"x\"]", "7"})
        EXPECT_THAT(refused(session + "target_comp_id = \"W\"\ndrop_copy = true\n" +
                            "copied_participants = " + list + "\n"),
                    HasSubstr("a list of participants, 1 to 200000"))
            << list;
    write(session + "target_comp_id = \"W\"\ndrop_copy = true\ncopied_participants = [3, 5]\n");
    EXPECT_THAT(testing::run_program({"serve", "--config", file_, "--print-config"}).out,
                HasSubstr("drop_copy = true\ncopied_participants = [3, 5]\n"));
}

}  // namespace
}  // namespace damrak::fix_drop_copy_test
