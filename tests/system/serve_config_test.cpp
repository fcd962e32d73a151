// The configuration of `damrak serve`: read, printed, refused with a place; keys, limits and
// instruments from it; what a reload changes and what it refuses.
#include <cstdint>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "raw_binary.hpp"
#include "support/eventually.hpp"
#include "support/run_program.hpp"
#include "support/running_server.hpp"
#include "support/scratch_folder.hpp"

namespace damrak::serve_config_test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using testing::hello;
using ::testing::Not;
using testing::place;
using testing::RawClient;
using testing::run_program;
using testing::RunningServer;
using testing::ScratchFolder;

constexpr std::uint64_t k_accepted = 1;
constexpr std::uint64_t k_refused = 2;
constexpr std::uint64_t k_wrong_key = 3;

constexpr const char* k_instrument = "[[instruments]]\nid = 1\nsymbol = \"ONE\"\n";

class ServeConfig : public ::testing::Test {
  protected:
    void write(const std::string& text) const { std::ofstream{file_} << text; }
    [[nodiscard]] testing::ProgramRun print(std::vector<std::string> flags = {}) const {
        flags.insert(flags.begin(), {"serve", "--config", file_, "--print-config"});
        return run_program(flags);
    }
    [[nodiscard]] RunningServer start(std::vector<std::string> flags = {}) const {
        flags.insert(flags.begin(), {"--config", file_});
        return {data_, log_, flags};
    }
    struct Wrong {
        std::string text;
        int line;
        std::string said;
    };
    void expect_refused(const std::vector<Wrong>& all) const {
        for (const Wrong& wrong : all) {
            SCOPED_TRACE(wrong.text);
            write(wrong.text);
            const auto run = print();
            EXPECT_EQ(run.exit_code, 1);
            EXPECT_EQ(testing::lines_in(run.err), 1U) << run.err;
            EXPECT_THAT(run.err, AllOf(HasSubstr(file_ + ":" + std::to_string(wrong.line) + ": "),
                                       HasSubstr(wrong.said)));
            EXPECT_EQ(run.out, "");
        }
    }
    [[nodiscard]] static std::vector<std::string> wiring(const std::string& name) {
        if (name == "inline") return {};
        return {"--wiring", name, "--shards", "2"};
    }
    [[nodiscard]] std::int64_t records() const {
        const auto run = run_program({"journal", "verify", data_, "--json"});
        EXPECT_EQ(run.exit_code, 0) << run.err;
        return nlohmann::json::parse(run.out)["last_sequence"].get<std::int64_t>();
    }

    ScratchFolder folder_;
    std::string file_ = folder_ / "exchange.toml";
    std::string data_ = folder_ / "data";
    std::string log_ = folder_ / "log";
};

TEST_F(ServeConfig, TheExampleOfTheReferenceLoadsAndPrintsAsItself) {
    const std::string page = testing::content_of("docs/reference/configuration.md");
    const std::size_t begin = page.find("```toml\n") + 8;
    write(page.substr(begin, page.find("```", begin) - begin));
    const auto first = print();
    ASSERT_EQ(first.exit_code, 0) << first.err;
    EXPECT_THAT(first.out,
                AllOf(HasSubstr("retention_s = 604800"), HasSubstr("symbol = \"EURX\""),
                      HasSubstr("{ from = 1000.00, tick = 0.50 }"),
                      HasSubstr("api_key = \"(secret)\""), HasSubstr("limits.open_orders = 50")));
    std::string again = first.out;
    for (std::size_t at = 0; (at = again.find("(secret)", at)) != std::string::npos;)
        again.replace(at, 8, std::to_string(at));  // another key for each
    write(again);
    EXPECT_EQ(print().out, first.out);
    EXPECT_EQ(start().terminate(), 0);
}

TEST_F(ServeConfig, WithoutAFileTheDefaultsArePrinted) {
    const auto run = run_program({"serve", "--print-config"});
    EXPECT_EQ(run.exit_code, 0) << run.err;
    EXPECT_THAT(run.out, AllOf(HasSubstr("binary = 12345"), HasSubstr("symbol = \"TEST\""),
                               HasSubstr("durability = \"async\"")));
}

TEST_F(ServeConfig, FlagsOverrideTheFileAndTheFileTheDefaults) {
    write("[gateways]\nbinary = 7\nfix = 9\n[journal]\ndurability = \"sync\"\n[run]\nspin=true\n");
    EXPECT_THAT(print().out, AllOf(HasSubstr("binary = 7\n"), HasSubstr("durability = \"sync\""),
                                   HasSubstr("spin = true"), HasSubstr("fix = 9")));
    EXPECT_THAT(print({"--durability", "group", "--binary-port", "8", "--only", "binary"}).out,
                AllOf(HasSubstr("binary = 8\n"), HasSubstr("durability = \"group\""),
                      HasSubstr("fix = \"off\"")));
}

TEST_F(ServeConfig, NamesFileLineKeyAndWhatWasExpected) {
    const std::vector<Wrong> all{
        {"[gateways\n", 1, ""},
        {"[gateways]\nbinary = 70000\n", 2, "gateways.binary: expected a port"},
        {"[gateways]\nbinary = \"on\"\n", 2, "gateways.binary: expected a port"},
        {"[gateways]\nfx = 1\n", 2, "gateways.fx: there is no such key; did you mean fix?"},
        {"[doors]\n", 1, "doors: there is no such key; its name is gateways now"},
        {"\n[run]\nquickly = true\n", 3, "run.quickly: there is no such key; known here: "},
        {"gateways = 5\n", 1, "gateways: expected a table, [gateways], found 5"},
        {"[journal]\ndurability = \"fast\"\n", 2, "expected one of \"async\", \"group\", \"sync\""},
        {"[journal]\nsegment_mib = 0\n", 2, "expected a whole number from 1 to 65536, found 0"},
        {"[journal]\nsegment_mib = 1.5\n", 2, "journal.segment_mib: expected a whole number"},
        {"[session]\ntimeout_s = -1\n", 2, "session.timeout_s"},
        {"[session]\ncancel_on_logout = 1\n", 2, "expected true or false, found 1"},
        {"[udp]\npath = \"xpd\"\n", 2, "expected one of \"auto\", \"socket\", \"xdp\""},
        {"[udp]\nreply_to = \"here\"\n", 2, "udp.reply_to: expected a port, or an IPv4 address"},
        {"[udp]\nsources = 0\n", 2, "udp.sources: expected a whole number from 1 to 16384"},
        {"[udp]\nreceive_frames = 32\n", 2,
         "udp.receive_frames: expected a whole number from 64 to 65536"},
        {"[run]\nrings = { notices = 15 }\n", 2,
         "run.rings.notices: expected a whole number from 16 to 1048576"},
        {"[capacity]\norders = 0\n", 2, "capacity.orders"},
        {"instruments = 3\n", 1, "expected tables, [[instruments]]"},
        {"[[instruments]]\nid = 1\n", 1, "instruments: symbol is missing"},
        {"[[instruments]]\nid = 1\nsymbol = 4\n", 3, "instruments.symbol: expected a text"},
        {"[[instruments]]\nid = 1\nsymbol = \"12345678901234567\"\n", 3, "at most 16 characters"},
        {std::string{k_instrument} + "tick = 0.00001\n", 4, "of at most 4 decimals"},
        {std::string{k_instrument} + "tick = -0.01\n", 4, "not below zero"},
        {std::string{k_instrument} + "maximum_price = 1e300\n", 4, "of at most 4 decimals"},
        {std::string{k_instrument} + "maximum_price = -1\n", 4, "a number, not below zero, of at"},
        {std::string{k_instrument} + "minimum_price = -0.00001\n", 4, "a number of at most 4"},
        {std::string{k_instrument} + "maximum_quantity = 1_000_000\n", 1,
         "instrument 1: the definition of the instrument is invalid; without unpublished"},
        {std::string{k_instrument} + "tick_bands = [{ from = 1.005, tick = 0.02 }]\n", 4,
         "instruments.tick_bands: a band begins"},
        {std::string{k_instrument} + "tick_bands = [{ from = 1 }]\n", 4, "tick is missing"},
        {std::string{k_instrument} + "tick_table = \"rts11_7\"\n", 4, "\"rts11_6\", \"rule_612\""},
        {std::string{k_instrument} + "decimals = 2\ntick_table = \"rts11_2\"\n", 5,
         "tick_table: its tick sizes need decimals = 4 or more"},
        {std::string{k_instrument} + "tick_bands = [{from=1,tick=1}]\ntick_table = \"rts11_1\"\n",
         5, "tick_table: it takes the place of tick_bands"},
        {std::string{k_instrument} + k_instrument, 5, "has this id already"},
        {std::string{k_instrument} + "[[instruments]]\nid = 2\nsymbol = \"ONE\"\n", 6,
         "has this symbol already"},
        {"[[participants]]\nname = \"x\"\n", 1, "participants: id is missing"},
        {"[[participants]]\nid = 0\n", 2, "participants.id"},
        {"[[participants]]\nid = 1\napi_key = \"12345678901234567\"\n", 3, "32 hexadecimal digits"},
        {"[[participants]]\nid = 1\nlimits.postion = 1\n", 3, "did you mean position?"},
        {"[[participants]]\nid = 1\napi_key = \"a\"\n[[participants]]\nid = 2\napi_key = \"a\"\n",
         6, "has this key already"},
        {"[[participants]]\nid = 1\n[[participants]]\nid = 1\n", 4, "has this id already"},
    };
    expect_refused(all);
}

TEST_F(ServeConfig, NamesWhatCannotBeTogetherOrHere) {
    const std::vector<Wrong> all{
        {"[session]\n[session]\n", 2, "cannot redefine existing table 'session'"},
        {"[run]\npin = \"0-\"\n", 2, "run.pin: '0-' is not a list of cores"},
        {"[run]\npin = \"1023\"\n", 2, "run.pin: core 1023 is not available"},
        {"[run]\nshards = 2\n", 2, "run.shards: 2 shards need run.wiring = \"pipelined\""},
        {"[run]\nwait = \"spin\"\n", 2, "run.wait: is of run.wiring = \"pipelined\""},
        {"[run]\ndemo_market = true\n[gateways]\nbinary = \"off\"\n", 2,
         "run.demo_market: needs the gateways binary, to trade, and itch"},
        {"[gateways]\nbinary = \"off\"\nfix = \"off\"\nouch = \"off\"\nudp = \"off\"\n", 1,
         "closed to orders"},
        {"[gateways]\nbinary = 77\nfix = 77\n", 3, "gateways.fix: port 77 is that of the binary"},
        {"[gateways]\naddress = \"300.1.1.1\"\n", 2,
         "gateways.address: '300.1.1.1' is neither an address nor a known host name"},
        {"[gateways]\naddress = \"\"\n", 2, "gateways.address: expected an address"},
        {"[udp]\ninterface = \"nosuchif0\"\n", 2, "udp.interface: there is no network"},
        {"[udp]\npath = \"xdp\"\n", 2, "udp.path: AF_XDP needs udp.interface"},
        {"[udp]\ninstrument = 9\n[[instruments]]\nid = 1\nsymbol = \"A\"\n", 2,
         "udp.instrument: there is no instrument 9"},
        {"[journal]\ndirectory = \"/dev/null\"\n", 2, "/dev/null is not a directory"},
        {"[[fix.session]]\ntarget_comp_id = \"A\"\n[[fix.session]]\ntarget_comp_id = \"A\"\n", 3,
         "fix.session: another session has these comp ids"},
        {"[[fix.session]]\nparticipant = 9\n[capacity]\nparticipants = 5\n", 2,
         "fix.session.participant: expected a whole number from 1 to 5"},
    };
    expect_refused(all);
}

TEST_F(ServeConfig, WithKeysOnlyThoseGetInAndAsTheirParticipants) {
    write(
        "[[participants]]\nid = 5\napi_key = \"letmein\"\nlimits.order_quantity = 10\n"
        "[[participants]]\nid = 6\napi_key = \"6f7468657200000000000000000000ff\"\n"
        "[[participants]]\nid = 7\napi_key = \"blockedkey\"\nblocked = true\n");
    RunningServer server = start();
    EXPECT_THAT(server.log_with("entry"),
                HasSubstr("entry        at every gateway with one of 3 API keys"));
    EXPECT_EQ(hello(RawClient{server.port()}).status, k_wrong_key);
    EXPECT_EQ(hello(RawClient{server.port()}, "letmeout").status, k_wrong_key);
    const RawClient limited{server.port()};
    const auto limited_login = hello(limited, "letmein");
    EXPECT_EQ(limited_login.status, k_accepted);
    EXPECT_EQ(place(limited, 2, limited_login.client, {.quantity = 11}).status, k_refused);
    EXPECT_EQ(place(limited, 3, limited_login.client, {.quantity = 10}).status, k_accepted);
    const RawClient free{server.port()};
    const auto free_login = hello(free, std::string_view{"other\0\0\0\0\0\0\0\0\0\0\xff", 16});
    EXPECT_EQ(free_login.status, k_accepted);
    EXPECT_EQ(place(free, 2, free_login.client, {.quantity = 11}).status, k_accepted);
    const RawClient blocked{server.port()};
    const auto blocked_login = hello(blocked, "blockedkey");
    EXPECT_EQ(blocked_login.status, k_accepted);
    EXPECT_EQ(place(blocked, 2, blocked_login.client, {}).status, k_refused);
    EXPECT_EQ(server.terminate(), 0);
}

TEST_F(ServeConfig, InstrumentsAreThoseOfTheFile) {
    write(
        "[[instruments]]\nid = 9\nsymbol = \"NINE\"\ntick = 0.05\nlot = 10\nmaximum_price = 20\n"
        "tick_bands = [{ from = 10, tick = 0.1 }]\n"
        "[[instruments]]\nid = 2\nsymbol = \"TWO\"\nhalted = true\n");
    RunningServer server = start();
    EXPECT_THAT(server.log_with("connect"), HasSubstr("instruments  TWO (2, halted), NINE (9)"));
    const RawClient client{server.port()};
    const std::uint64_t id = hello(client).client;
    auto try_order = [&, sequence = 1U](std::uint32_t instrument, std::uint64_t quantity,
                                        std::uint64_t price_e2) mutable {
        return place(client, ++sequence, id,
                     {.quantity = quantity, .price_e2 = price_e2, .instrument = instrument})
            .status;
    };
    EXPECT_EQ(try_order(9, 10, 105), k_accepted);
    EXPECT_EQ(try_order(9, 10, 104), k_refused) << "tick";
    EXPECT_EQ(try_order(9, 10, 1'005), k_refused) << "tick of the band";
    EXPECT_EQ(try_order(9, 10, 1'010), k_accepted);
    EXPECT_EQ(try_order(9, 5, 105), k_refused) << "lot";
    EXPECT_EQ(try_order(9, 10, 2'010), k_refused) << "maximum price";
    EXPECT_EQ(try_order(1, 10, 100), k_refused) << "no such instrument";
    EXPECT_EQ(try_order(2, 10, 100), k_refused) << "halted";
    EXPECT_EQ(server.terminate(), 0);
}

TEST_F(ServeConfig, ARestartJournalsOnlyWhatDiffers) {
    const std::string limited =
        std::string{k_instrument} + "[[participants]]\nid = 3\nlimits.open_orders = 5\n";
    write(limited);
    EXPECT_EQ(start().terminate(), 0);
    EXPECT_EQ(records(), 5) << "the day, the instrument and the limits";
    EXPECT_EQ(start().terminate(), 0);
    EXPECT_EQ(records(), 5);
    write(limited + "limits.position = 100\n");
    EXPECT_EQ(start().terminate(), 0);
    EXPECT_EQ(records(), 6);
    write(k_instrument);
    EXPECT_EQ(start().terminate(), 0);
    EXPECT_EQ(records(), 7) << "no limits any more";
    EXPECT_EQ((RunningServer{data_, log_}.terminate()), 0);
    EXPECT_EQ(records(), 7) << "without a file the instruments stay";
}

TEST_F(ServeConfig, AnInstrumentThatIsThereCannotBecomeAnother) {
    write(k_instrument);
    EXPECT_EQ(start().terminate(), 0);
    write("[[instruments]]\nid = 1\nsymbol = \"ONE\"\nlot = 10\n");
    const auto other = run_program(
        {"serve", "--config", file_, "--data", data_, "--only", "binary", "--binary-port", "0"});
    EXPECT_EQ(other.exit_code, 1);
    EXPECT_THAT(other.err, HasSubstr("instrument 1 (ONE): its lot cannot change"));
    write("[[instruments]]\nid = 2\nsymbol = \"ONE\"\n");
    const auto twice = run_program(
        {"serve", "--config", file_, "--data", data_, "--only", "binary", "--binary-port", "0"});
    EXPECT_THAT(twice.err, HasSubstr("the symbol ONE is that of instrument 1 already"));
    write(std::string{k_instrument} + "[capacity]\norders = 5\n");
    const auto smaller = run_program(
        {"serve", "--config", file_, "--data", data_, "--only", "binary", "--binary-port", "0"});
    EXPECT_EQ(smaller.exit_code, 1);
    EXPECT_THAT(smaller.err, HasSubstr("capacity: orders = 5 (the journal has 1000000)"));
}

class ServeConfigIn : public ServeConfig, public ::testing::WithParamInterface<const char*> {};

TEST_P(ServeConfigIn, AReloadTakesOverInstrumentsLimitsAndKeys) {
    write(k_instrument);
    RunningServer server = start(wiring(GetParam()));
    const RawClient client{server.port()};
    const std::uint64_t id = hello(client).client;
    const testing::PlainOrder in_two{.instrument = 2};
    EXPECT_EQ(place(client, 2, id, in_two).status, k_refused);
    write(std::string{k_instrument} +
          "[[instruments]]\nid = 2\nsymbol = \"TWO\"\n"
          "[[participants]]\nid = 1\nlimits.order_quantity = 3\n"
          "[[participants]]\nid = 9\napi_key = \"nine\"\n");
    server.ask_to_reload();
    EXPECT_THAT(server.log_with("reloaded"), HasSubstr("reloaded     3 commands; 1 API key"));
    EXPECT_EQ(place(client, 3, id, in_two).status, k_accepted);
    EXPECT_EQ(place(client, 4, id, {.quantity = 4}).status, k_refused) << "of participant 1";
    EXPECT_EQ(hello(RawClient{server.port()}).status, k_wrong_key);
    EXPECT_EQ(hello(RawClient{server.port()}, "nine").status, k_accepted);
    EXPECT_EQ(server.terminate(), 0);
    EXPECT_EQ(start().terminate(), 0);
    EXPECT_THAT(testing::content_of(log_), Not(HasSubstr("damrak:")));
}

TEST_P(ServeConfigIn, AReloadThatRemovesTheLastKeyLetsNoClientIn) {
    write("[[participants]]\nid = 9\napi_key = \"nine\"\n");
    RunningServer server = start({"--wiring", GetParam()});
    EXPECT_EQ(hello(RawClient{server.port()}, "nine").status, k_accepted);
    write("[[participants]]\nid = 9\n");
    server.ask_to_reload();
    EXPECT_THAT(server.log_with("reloaded"), HasSubstr("0 API keys: nobody can log in until"));
    EXPECT_EQ(hello(RawClient{server.port()}).status, k_wrong_key);
    EXPECT_EQ(hello(RawClient{server.port()}, "nine").status, k_wrong_key);
    write("[[participants]]\nid = 9\napi_key = \"other\"\n");
    server.ask_to_reload();
    EXPECT_THAT(server.log_with("1 API key\n"), HasSubstr("1 API key\n"));
    EXPECT_EQ(hello(RawClient{server.port()}, "other").status, k_accepted);
    EXPECT_EQ(server.terminate(), 0);
}

// Participant 1's limit changes with each reload, while others trade in another instrument.
TEST_P(ServeConfigIn, EveryReloadUnderLoadIsTakenOver) {
    const auto text = [](int quantity) {
        return std::string{k_instrument} +
               "[[instruments]]\nid = 2\nsymbol = \"TWO\"\n"
               "[[participants]]\nid = 1\nlimits.order_quantity = " +
               std::to_string(quantity) + "\n";
    };
    write(text(10));
    RunningServer server = start(wiring(GetParam()));
    const RawClient client{server.port()};
    const std::uint64_t id = hello(client).client;
    testing::ProgramRun load;
    std::thread loading{[&] {
        load = run_program({"load", "--port", std::to_string(server.port()), "--clients", "8",
                            "--window", "4", "--instrument", "2", "--warm-up", "0", "--seconds",
                            "1", "--at-least", "500", "--verify", "--json"});
    }};
    std::uint32_t sequence = 1;
    for (int quantity = 20; quantity <= 60; quantity += 10) {
        write(text(quantity));
        server.ask_to_reload();
        const auto place_one = [&](int more) {
            return place(client, ++sequence, id,
                         {.quantity = static_cast<std::uint64_t>(quantity + more)})
                .status;
        };
        EXPECT_TRUE(testing::eventually([&] { return place_one(0) == k_accepted; }));
        EXPECT_EQ(place_one(1), k_refused);
    }
    loading.join();
    EXPECT_EQ(load.exit_code, 0) << load.err;
    EXPECT_EQ(server.terminate(), 0);
    EXPECT_THAT(testing::content_of(log_), Not(HasSubstr("not reloaded")));
}

INSTANTIATE_TEST_SUITE_P(Wirings, ServeConfigIn, ::testing::Values("inline", "pipelined"),
                         [](const auto& each) { return std::string{each.param}; });

TEST_F(ServeConfig, AReloadIsRefusedAsAWhole) {
    const std::string two =
        std::string{k_instrument} + "[[instruments]]\nid = 2\nsymbol = \"TWO\"\n";
    write(k_instrument);
    RunningServer server = start();
    write(two +
          "[journal]\nsegment_mib = 64\n[session]\ntimeout_s = 5\n[telemetry]\nkeep_runs = 7\n");
    server.ask_to_reload();
    EXPECT_THAT(
        server.log_with("not reloaded"),
        HasSubstr("not reloaded journal.segment_mib, session.timeout_s, telemetry.keep_runs cannot "
                  "change while"));
    write("[[instruments]]\nid = 2\nsymbol = \"TWO\"\n[[instruments]]\nid = 1\nsymbol = \"NEW\"\n");
    server.ask_to_reload();
    EXPECT_THAT(server.log_with("its symbol cannot"),
                HasSubstr("not reloaded instrument 1 (ONE): its symbol cannot change"));
    write("[[instruments]\n");
    server.ask_to_reload();
    EXPECT_THAT(server.log_with("toml:1"), HasSubstr("not reloaded " + file_ + ":1: "));
    const RawClient client{server.port()};
    const std::uint64_t id = hello(client).client;
    EXPECT_EQ(place(client, 2, id, {.instrument = 2}).status, k_refused)
        << "nothing was taken over";
    EXPECT_EQ(place(client, 3, id, {}).status, k_accepted) << "and it goes on";
    EXPECT_EQ(server.terminate(), 0);
}

}  // namespace
}  // namespace damrak::serve_config_test
