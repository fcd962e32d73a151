// Who is named in the configuration gets in and trades whatever strangers do, a stranger that finds
// no place gets an answer in its protocol, and places come back. Each gateway x each of these, in
// the real program, in both wirings; docs/reference/places.md has the matrix.
#include <cstdint>
#include <fstream>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sys/resource.h>
#include <unistd.h>

#include <damrak/http/client.hpp>

#include "places_clients.hpp"
#include "raw_binary.hpp"
#include "support/eventually.hpp"
#include "support/running_server.hpp"
#include "support/scratch_folder.hpp"

namespace damrak::testing::finite_places_test {
namespace {

using places::Client;
using places::Comer;
using places::FixPeer;
using places::Gateway;
using ::testing::Combine;
using ::testing::Values;

constexpr std::string_view k_named =
    "[gateways]\nanonymous = true\n"
    "[[participants]]\nid = 1\nname = \"own\"\napi_key = \"own\"\nfix_comp_ids = [\"OWN\"]\n"
    "ouch_users = [\"OWN:PASS\"]\nudp_sources = [\"127.0.0.3\"]\n";

/// An exchange with all gateways, and the strangers that come to one of them.
class Places {
  public:
    /// `open_files`: the limit that makes the rows of connections small; zero: they are not.
    Places(const Gateway& gateway, std::string wiring, unsigned open_files)
        : gateway_(gateway), wiring_(std::move(wiring)), open_files_(open_files) {}

    /// With these settings besides.
    void start(const std::string& settings, const std::string& data = "data") {
        std::ofstream{file_} << settings << k_named;
        server_.reset();
        server_.emplace(
            folder_ / data, log(),
            std::vector<std::string>{"--config", file_, "--wiring", wiring_, "--only",
                                     "fix,ouch,udp,itch,glimpse,http", "--fix-port", "0",
                                     "--ouch-port", "0", "--udp-port", "0", "--itch-port", "0",
                                     "--glimpse-port", "0", "--http-port", "0"},
            std::vector<std::string>{}, open_files_);
    }
    [[nodiscard]] RunningServer& server() { return *server_; }
    [[nodiscard]] std::string log() const { return folder_ / "log"; }
    [[nodiscard]] std::uint16_t port(std::string_view name) const {
        return nlohmann::json::parse(server_->ready_line())["ports"][name].get<std::uint16_t>();
    }
    [[nodiscard]] std::unique_ptr<Client> come(const Comer& who) const {
        return gateway_.make(port(gateway_.name), who);
    }
    [[nodiscard]] std::unique_ptr<Client> next_stranger() {
        return come({.is_named = false, .number = ++last_});
    }
    /// Strangers that log in until one may not, which is the last.
    [[nodiscard]] std::vector<std::unique_ptr<Client>> fill() {
        std::vector<std::unique_ptr<Client>> strangers;
        const auto come_in = [&] {
            strangers.clear();
            do strangers.push_back(next_stranger());
            while (strangers.back()->is_in() && strangers.size() < k_more_than_all);
            return !strangers.back()->is_in();
        };
        // A client that has its snapshot goes, and a sender of datagrams makes room after a second
        // of silence: on a busy machine before the last one comes, and then all come once more.
        if (gateway_.name == "glimpse" || gateway_.name == "udp")
            static_cast<void>(eventually(come_in));
        else
            come_in();
        return strangers;
    }
    /// Whether it gets in; it leaves an order.
    [[nodiscard]] bool trade_and_leave(const Comer& who) const {
        const auto client = come(who);
        EXPECT_TRUE(client->is_in() ? client->trades() : client->is_told());
        return client->is_in();
    }
    [[nodiscard]] bool next_stranger_trades() {
        return trade_and_leave({.is_named = false, .number = ++last_});
    }
    /// Of the strangers of this row, all that may have a place have one.
    [[nodiscard]] std::string level(const std::string& row) const {
        const auto answer = http::ask({.port = port("http"), .path = "/health"});
        return answer ? nlohmann::json::parse(answer->body)["levels"][row].get<std::string>()
                      : answer.error();
    }

    static constexpr std::size_t k_more_than_all = 200;

  private:
    const Gateway& gateway_;
    std::string wiring_;
    unsigned open_files_;
    ScratchFolder folder_;
    std::string file_ = folder_ / "exchange.toml";
    std::optional<RunningServer> server_;
    int last_ = 0;
};

class FinitePlaces : public ::testing::TestWithParam<std::tuple<Gateway, std::string>> {
  protected:
    FinitePlaces() { start(); }
    [[nodiscard]] static const Gateway& gateway() { return std::get<0>(GetParam()); }
    void start() { places_.start(k_few_senders); }
    [[nodiscard]] std::unique_ptr<Client> own() const {
        return places_.come({.is_named = gateway().has_identities, .number = 1});
    }

    // What needs no open file is small by its settings.
    static constexpr const char* k_few_senders = "[udp]\nsources = 8\n";
    // Of HTTP more than the 16 that one address may have of any row.
    Places places_{gateway(), std::get<1>(GetParam()), gateway().name == "http" ? 600U : 300U};
};

TEST_P(FinitePlaces, IdleConnectionsKeepNobodyOut) {
    std::vector<std::unique_ptr<RawClient>> idle;
    for (std::size_t i = 0; i < Places::k_more_than_all && gateway().name != "udp"; ++i)
        idle.push_back(std::make_unique<RawClient>(places_.port(gateway().name), "127.0.0.2"));
    const auto client = own();
    EXPECT_TRUE(client->is_in());
    EXPECT_TRUE(client->trades());
    if (!gateway().has_waiting) return;
    EXPECT_TRUE(idle.front()->is_closed()) << "who waited longest made room";
}

TEST_P(FinitePlaces, StrangersKeepNoIdentityOutAndAreTold) {
    const auto strangers = places_.fill();
    ASSERT_LT(strangers.size(), Places::k_more_than_all);
    EXPECT_TRUE(strangers.back()->is_told());
    EXPECT_GT(strangers.size(), 2U);
    if (!gateway().has_identities) return;
    const auto client = own();
    EXPECT_TRUE(client->is_in());
    EXPECT_TRUE(client->trades());
}

TEST_P(FinitePlaces, APlaceComesBackWithItsConnection) {
    auto strangers = places_.fill();
    ASSERT_TRUE(strangers.back()->is_told());
    strangers.clear();
    // The exchange hears of an end when it reads; of a sender of datagrams, by its silence.
    EXPECT_TRUE(eventually([this] { return places_.next_stranger()->is_in(); }));
}

TEST_P(FinitePlaces, AfterARestartAnIdentityGetsIn) {
    const auto strangers = places_.fill();
    places_.server().kill();
    start();
    const auto again = places_.fill();
    EXPECT_TRUE(again.back()->is_told());
    const auto client = places_.come({.is_named = gateway().has_identities, .number = 0});
    EXPECT_EQ(client->is_in(), gateway().has_identities);
    EXPECT_TRUE(!client->is_in() || client->trades());
}

// A limit on memory is found at the start, not by the first client.
TEST_P(FinitePlaces, TheFirstClientNeedsHardlyMoreMemoryThanThereWasAtTheStart) {
    constexpr rlim_t k_margin = rlim_t{512} << 20U;  // the C library takes 64 MiB for a thread
    RunningServer& server = places_.server();
    std::ifstream statm{fmt::format("/proc/{}/statm", server.process())};
    rlim_t pages = 0;
    ASSERT_TRUE(statm >> pages);
    const rlim_t most = pages * static_cast<rlim_t>(::sysconf(_SC_PAGESIZE)) + k_margin;
    const rlimit limit{.rlim_cur = most, .rlim_max = most};
    ASSERT_EQ(::prlimit(server.process(), RLIMIT_AS, &limit, nullptr), 0);
    const auto client = own();
    EXPECT_TRUE(client->is_in());
    EXPECT_TRUE(client->trades());
    EXPECT_EQ(server.terminate(), 0) << content_of(places_.log());
}

INSTANTIATE_TEST_SUITE_P(Gateways, FinitePlaces,
                         Combine(Values(places::k_binary, places::k_fix, places::k_ouch,
                                        places::k_udp, places::k_itch, places::k_glimpse),
                                 Values("inline", "pipelined")),
                         [](const auto& chosen) {
                             return fmt::format("{}_{}", std::get<0>(chosen.param).name,
                                                std::get<1>(chosen.param));
                         });
// Its thread and its rows are the same ones beside each wiring.
INSTANTIATE_TEST_SUITE_P(Http, FinitePlaces, Combine(Values(places::k_http), Values("inline")),
                         [](const auto&) { return "http"; });

/// A row whose places outlive connections, and settings with which strangers fill it.
struct LastingRow {
    std::string_view name;
    Gateway gateway;
    std::string settings;
};
void PrintTo(const LastingRow& row, std::ostream* out) {
    *out << row.name << " at " << row.gateway.name;
}

class LastingPlaces : public ::testing::TestWithParam<std::tuple<LastingRow, std::string>> {
  protected:
    [[nodiscard]] static const LastingRow& row() { return std::get<0>(GetParam()); }
    void start_in(std::string_view zone) {
        places_.start(fmt::format("[day]\nzone = \"{}\"\n{}", zone, row().settings));
    }

    // Wherever one of these zones is on a day, the other one is on the next.
    static constexpr std::string_view k_zone = "Etc/GMT+12";
    static constexpr std::string_view k_zone_a_day_ahead = "Etc/GMT-14";
    /// Of this row, on one day and the next.
    void use_up_and_wait_for_the_next_day();

    Places places_{row().gateway, std::get<1>(GetParam()), 0};
};

void LastingPlaces::use_up_and_wait_for_the_next_day() {
    constexpr int k_more_than_all = 60;
    int strangers = 0;
    while (strangers < k_more_than_all && places_.next_stranger_trades()) ++strangers;
    EXPECT_GT(strangers, 2);
    EXPECT_LT(strangers, k_more_than_all);
    EXPECT_NE(places_.level(std::string{row().name}), "ok") << "it is this row that is used up";
    EXPECT_TRUE(places_.trade_and_leave({.is_named = true, .number = 1}));
    places_.server().kill();
    start_in(k_zone);
    EXPECT_FALSE(places_.next_stranger_trades()) << "from before";
    EXPECT_NE(places_.level(std::string{row().name}), "ok");
    places_.server().kill();
    start_in(k_zone_a_day_ahead);
    EXPECT_TRUE(places_.trade_and_leave({.is_named = true, .number = 2}));
    // A refused client makes others give up what they need no more.
    int came = 0;
    EXPECT_TRUE(eventually([&] { return (came += places_.next_stranger_trades() ? 1 : 0) == 3; }));
}

TEST_P(LastingPlaces, OnTheNextDayStrangersHavePlacesAgain) {
    start_in(k_zone);
    use_up_and_wait_for_the_next_day();
}

// A position keeps its owner's name for the day: a share under each name would else keep all others
// out for ever.
class LastingPlacesOfTraders : public LastingPlaces {};

TEST_P(LastingPlacesOfTraders, EndWithTheNextDayToo) {
    start_in(k_zone);
    const RawClient seller{places_.server().port()};
    const Login login = hello(seller, "own");
    ASSERT_EQ(place(seller, 2, login.client, {.side = 1, .quantity = 1'000}).status, 1U);
    use_up_and_wait_for_the_next_day();
}

const std::string k_few_participants = "[capacity]\nparticipants = 40\naccounts = 400\n";
const LastingRow k_fix_participants{"participants", places::k_fix, k_few_participants};
const LastingRow k_ouch_participants{"participants", places::k_ouch, k_few_participants};
const LastingRow k_fix_sessions{"fix_unknown_sessions", places::k_fix,
                                "[fix]\nmaximum_unknown_sessions = 20\n"};
const LastingRow k_ouch_users{"ouch_users", places::k_ouch, "[capacity]\nanonymous_share = 1\n"};
std::string name_of(const ::testing::TestParamInfo<std::tuple<LastingRow, std::string>>& chosen) {
    const LastingRow& row = std::get<0>(chosen.param);
    return fmt::format("{}_{}_{}", row.name, row.gateway.name, std::get<1>(chosen.param));
}
INSTANTIATE_TEST_SUITE_P(
    Rows, LastingPlaces,
    Combine(Values(LastingRow{"participants", places::k_binary, k_few_participants},
                   k_fix_participants, k_ouch_participants, k_fix_sessions, k_ouch_users,
                   LastingRow{"udp_sources", places::k_udp, "[udp]\nsources = 8\n"}),
            Values("inline", "pipelined")),
    name_of);
// At the other gateways a client that is gone leaves nothing but orders.
INSTANTIATE_TEST_SUITE_P(Rows, LastingPlacesOfTraders,
                         Combine(Values(k_fix_participants, k_ouch_participants, k_fix_sessions,
                                        k_ouch_users),
                                 Values("inline", "pipelined")),
                         name_of);

// A FIX session is there for days and takes no descriptor, nor do its files: so names do not stop
// the journal, which begins a segment of 1 MiB after 5,440 records and makes the one after next.
class FinitePlacesOfFixNames : public ::testing::TestWithParam<std::string> {};

TEST_P(FinitePlacesOfFixNames, MoreThanThereAreDescriptorsStopNobody) {
    constexpr unsigned k_open_files = 256;
    constexpr int k_names = 300;
    constexpr std::uint32_t k_orders = 11'500;
    const ScratchFolder folder;
    const std::string file = folder / "exchange.toml";
    const std::string log = folder / "log";
    std::ofstream{file} << "[journal]\nsegment_mib = 1\n" << k_named;
    for (const int run : {1, 2}) {
        RunningServer server{
            folder / "data",
            log,
            {"--config", file, "--wiring", GetParam(), "--only", "fix", "--fix-port", "0"},
            {},
            k_open_files};
        for (int i = 1; i <= k_names; ++i)
            ASSERT_TRUE(FixPeer(server.fix_port(), {.is_named = false, .number = run * k_names + i})
                            .is_in())
                << i;
        FixPeer own{server.fix_port(), {.is_named = true, .number = run}};
        ASSERT_TRUE(own.is_in()) << content_of(log);
        EXPECT_TRUE(own.trades());
        const RawClient binary{server.port()};
        const Login login = hello(binary, "own");
        ASSERT_EQ(login.status, 1U);
        for (std::uint32_t i = 0; i < k_orders; ++i)
            ASSERT_EQ(place(binary, i + 2, login.client, {}).status, 1U) << i << content_of(log);
        const FixPeer last{server.fix_port(), {.is_named = false}};
        EXPECT_TRUE(last.is_in());
        if (run == 1)
            server.kill();
        else
            EXPECT_EQ(server.terminate(), 0);
        EXPECT_FALSE(content_of(log).contains("Too many open files")) << content_of(log);
    }
}

INSTANTIATE_TEST_SUITE_P(Wirings, FinitePlacesOfFixNames, Values("inline", "pipelined"),
                         [](const auto& chosen) { return chosen.param; });

}  // namespace
}  // namespace damrak::testing::finite_places_test
