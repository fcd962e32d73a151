// Who is named in the configuration gets in and trades whatever strangers do, a stranger that finds
// no place is told so in its protocol, and places come back. Each gateway over TCP x each of these,
// in the real program, in both wirings.
#include <array>
#include <cstdint>
#include <fstream>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sys/resource.h>
#include <unistd.h>

#include "raw_binary.hpp"
#include "support/fix_client.hpp"
#include "support/running_server.hpp"
#include "support/scratch_folder.hpp"

namespace damrak::testing::finite_places_test {
namespace {

using ::testing::Combine;
using ::testing::Values;

constexpr std::string_view k_named =
    "[gateways]\nanonymous = true\n"
    "[[participants]]\nid = 1\nname = \"own\"\napi_key = \"own\"\nfix_comp_ids = [\"OWN\"]\n"
    "ouch_users = [\"OWN:PASS\"]\n";

/// Who comes: the one that the configuration names, or a stranger by this number.
struct Comer {
    bool is_named = false;
    int number = 0;
};

/// One client of a gateway, from its login to its end.
class Client {
  public:
    virtual ~Client() = default;
    Client() = default;
    Client(const Client&) = delete;
    Client& operator=(const Client&) = delete;
    [[nodiscard]] virtual bool is_in() const = 0;
    /// It was told that there is no room.
    [[nodiscard]] virtual bool is_told() const = 0;
    /// An order of its is accepted. True where there are no orders.
    [[nodiscard]] virtual bool trades() { return true; }
};

class BinaryClient : public Client {
  public:
    BinaryClient(std::uint16_t port, const Comer& who)
        : raw_(port), login_(hello(raw_, who.is_named ? "own" : "")) {}
    [[nodiscard]] bool is_in() const override { return login_.status == 1; }
    [[nodiscard]] bool is_told() const override { return login_.status == 5; }
    [[nodiscard]] bool trades() override {
        return place(raw_, 2, login_.client, {.quantity = 1, .price_e2 = 100}).status == 1;
    }

  private:
    RawClient raw_;
    Login login_;
};

class FixPeer : public Client {
  public:
    FixPeer(std::uint16_t port, const Comer& who)
        : fix_("FIX.4.4", who.is_named ? "OWN" : fmt::format("S{}", who.number)),
          name_(who.is_named ? fmt::format("own{}", who.number) : "a") {
        is_in_ = fix_.connect(port, true);
        if (is_in_) return;
        const std::string why = fix_.refusal();
        is_told_ = why.contains("use all that") || why.contains("no participants left");
    }
    [[nodiscard]] bool is_in() const override { return is_in_; }
    [[nodiscard]] bool is_told() const override { return is_told_; }
    [[nodiscard]] bool trades() override {
        static_cast<void>(fix_.send(fmt::format(
            "35=D|11={}|38=1|40=2|44=1.00|54=1|55=AAPL|60=20260302-10:00:00|59=1", name_)));
        const auto report = fix_.receive();
        return report && report->contains(39) && report->at(39) == "0";
    }

  private:
    FixClient fix_;
    std::string name_;  ///< of its order: that of all strangers is the same
    bool is_in_ = false;
    bool is_told_ = false;
};

class SoupClient : public Client {
  public:
    SoupClient(std::uint16_t port, const Comer& who) : raw_(port) {
        const std::string packet =
            std::string{"\0\x2FL", 3} +
            fmt::format("{:6}{:10}{:>10}{:>20}",
                        who.is_named ? "OWN" : fmt::format("S{}", who.number),
                        who.is_named ? "PASS" : "", "", 1);
        raw_.send(std::as_bytes(std::span{packet}));
        const Bytes head = raw_.receive(3);
        const char kind = head.size() == 3 ? static_cast<char>(head[2]) : '\0';
        is_in_ = kind == 'A';
        is_told_ = kind == 'J';
        if (is_in_) static_cast<void>(raw_.receive(30));
    }
    [[nodiscard]] bool is_in() const override { return is_in_; }
    [[nodiscard]] bool is_told() const override { return is_told_; }

  protected:
    RawClient raw_;

  private:
    bool is_in_ = false;
    bool is_told_ = false;
};

class OuchClient : public SoupClient {
  public:
    using SoupClient::SoupClient;
    [[nodiscard]] bool trades() override {
        // Enter Order of 5.0: reference, side, quantity, symbol, price, and the rest as usual.
        Bytes order;
        const auto text = [&](std::string_view characters) {
            for (const char c : characters) order.push_back(static_cast<std::byte>(c));
        };
        put(order, 0, 2);
        text("UO");
        put(order, 1, 4);
        text("B");
        put(order, 1, 4);
        text("AAPL    ");
        put(order, 10'000, 8);
        text("0YPNN");
        text(fmt::format("{:14}", "a"));
        put(order, 0, 2);
        order[1] = static_cast<std::byte>(order.size() - 2);
        raw_.send(order);
        return next_message() == 'S' && next_message() == 'A';
    }

  private:
    /// Its type; heartbeats are none.
    [[nodiscard]] char next_message() const {
        for (;;) {
            const Bytes length = raw_.receive(2);
            const Bytes packet = raw_.receive(get(length, 0, 2));
            if (packet.empty()) return '\0';
            if (static_cast<char>(packet[0]) == 'S') return static_cast<char>(packet[1]);
        }
    }
};

using MakeClient = std::unique_ptr<Client> (*)(std::uint16_t port, const Comer& who);
template <class C>
std::unique_ptr<Client> make(std::uint16_t port, const Comer& who) {
    return std::make_unique<C>(port, who);
}

struct Gateway {
    std::string_view name;
    MakeClient make;
    bool has_identities = true;
};
constexpr std::array k_all{Gateway{"binary", &make<BinaryClient>}, Gateway{"fix", &make<FixPeer>},
                           Gateway{"ouch", &make<OuchClient>},
                           Gateway{"itch", &make<SoupClient>, false},
                           Gateway{"glimpse", &make<SoupClient>, false}};

class FinitePlaces : public ::testing::TestWithParam<std::tuple<Gateway, std::string>> {
  protected:
    FinitePlaces() {
        std::ofstream{file_} << k_named;
        start();
    }
    [[nodiscard]] static const Gateway& gateway() { return std::get<0>(GetParam()); }
    void start() {
        server_.reset();
        server_.emplace(data_, (folder_ / "log").string(),
                        std::vector<std::string>{
                            "--config", file_, "--wiring", std::get<1>(GetParam()), "--only",
                            "fix,ouch,itch,glimpse,http", "--fix-port", "0", "--ouch-port", "0",
                            "--itch-port", "0", "--glimpse-port", "0", "--http-port", "0"},
                        std::vector<std::string>{}, k_open_files);
    }
    [[nodiscard]] std::uint16_t port(std::string_view name) const {
        return nlohmann::json::parse(server_->ready_line())["ports"][name].get<std::uint16_t>();
    }
    [[nodiscard]] std::unique_ptr<Client> come(const Comer& who) const {
        return gateway().make(port(gateway().name), who);
    }
    /// Strangers that log in until one may not, which is the last.
    [[nodiscard]] std::vector<std::unique_ptr<Client>> fill() const {
        std::vector<std::unique_ptr<Client>> strangers;
        do strangers.push_back(come({.is_named = false, .number = ++last_}));
        while (strangers.back()->is_in() && strangers.size() < k_more_than_all);
        return strangers;
    }

    static constexpr unsigned k_open_files = 300;
    static constexpr std::size_t k_more_than_all = 200;

    ScratchFolder folder_;
    std::string file_ = folder_ / "exchange.toml";
    std::string data_ = folder_ / "data";
    std::optional<RunningServer> server_;
    mutable int last_ = 0;
};

TEST_P(FinitePlaces, IdleConnectionsKeepNobodyOut) {
    std::vector<std::unique_ptr<RawClient>> idle;
    for (std::size_t i = 0; i < k_more_than_all; ++i)
        idle.push_back(std::make_unique<RawClient>(port(gateway().name)));
    const auto client = come({.is_named = gateway().has_identities, .number = 1});
    EXPECT_TRUE(client->is_in());
    EXPECT_TRUE(client->trades());
    EXPECT_TRUE(idle.front()->is_closed()) << "who waited longest made room";
}

TEST_P(FinitePlaces, StrangersKeepNoIdentityOutAndAreTold) {
    const auto strangers = fill();
    ASSERT_LT(strangers.size(), k_more_than_all);
    EXPECT_TRUE(strangers.back()->is_told());
    EXPECT_GT(strangers.size(), 2U);
    if (!gateway().has_identities) return;
    const auto own = come({.is_named = true});
    EXPECT_TRUE(own->is_in());
    EXPECT_TRUE(own->trades());
}

TEST_P(FinitePlaces, APlaceComesBackWithItsConnection) {
    auto strangers = fill();
    ASSERT_TRUE(strangers.back()->is_told());
    strangers.clear();
    // The exchange hears of an end when it reads.
    for (int tries = 0; tries < 1'000; ++tries)
        if (const auto next = come({.is_named = false, .number = ++last_}); next->is_in()) return;
    FAIL() << "no stranger got in";
}

TEST_P(FinitePlaces, AfterARestartAnIdentityGetsIn) {
    const auto strangers = fill();
    server_->kill();
    start();
    const auto again = fill();
    EXPECT_TRUE(again.back()->is_told());
    const auto own = come({.is_named = gateway().has_identities, .number = 0});
    EXPECT_EQ(own->is_in(), gateway().has_identities);
    EXPECT_TRUE(!own->is_in() || own->trades());
}

// A limit on memory is found at the start, not by the first client.
TEST_P(FinitePlaces, TheFirstClientNeedsHardlyMoreMemoryThanThereWasAtTheStart) {
    constexpr rlim_t k_margin = rlim_t{512} << 20U;  // the C library takes 64 MiB for a thread
    std::ifstream statm{fmt::format("/proc/{}/statm", server_->process())};
    rlim_t pages = 0;
    ASSERT_TRUE(statm >> pages);
    const rlim_t most = pages * static_cast<rlim_t>(::sysconf(_SC_PAGESIZE)) + k_margin;
    const rlimit limit{.rlim_cur = most, .rlim_max = most};
    ASSERT_EQ(::prlimit(server_->process(), RLIMIT_AS, &limit, nullptr), 0);
    const auto client = come({.is_named = gateway().has_identities, .number = 1});
    EXPECT_TRUE(client->is_in());
    EXPECT_TRUE(client->trades());
    EXPECT_EQ(server_->terminate(), 0) << content_of(folder_ / "log");
}

TEST_P(FinitePlaces, OnTheNextDayStrangersHavePlacesAgain) {
    if (!gateway().has_identities) return;  // who reads leaves nothing behind
    // Wherever one of these zones is on a day, the other one is on the next.
    const auto start_in = [this](std::string_view zone) {
        std::ofstream{file_} << "[day]\nzone = \"" << zone << "\"\n"
                             << "[capacity]\nparticipants = 40\naccounts = 400\n"
                             << k_named;
        start();
    };
    const auto trade_and_leave = [this](const Comer& who) {
        const auto client = come(who);
        EXPECT_TRUE(client->is_in() ? client->trades() : client->is_told());
        return client->is_in();
    };
    data_ = folder_ / "small";
    start_in("Etc/GMT+12");
    int strangers = 0;
    while (strangers < 40 && trade_and_leave({.is_named = false, .number = ++last_})) ++strangers;
    EXPECT_GT(strangers, 2);
    EXPECT_LT(strangers, 40);
    EXPECT_TRUE(trade_and_leave({.is_named = true, .number = 1}));
    server_->kill();
    start_in("Etc/GMT+12");
    EXPECT_FALSE(trade_and_leave({.is_named = false, .number = ++last_})) << "from before";
    server_->kill();
    start_in("Etc/GMT-14");
    EXPECT_TRUE(trade_and_leave({.is_named = true, .number = 2}));
    // Whoever is refused has others give up what they need no more.
    int came = 0;
    for (int tries = 0; came < 3 && tries < 1'000; ++tries)
        if (trade_and_leave({.is_named = false, .number = ++last_})) ++came;
    EXPECT_EQ(came, 3);
}

INSTANTIATE_TEST_SUITE_P(Gateways, FinitePlaces,
                         Combine(::testing::ValuesIn(k_all), Values("inline", "pipelined")),
                         [](const auto& chosen) {
                             return fmt::format("{}_{}", std::get<0>(chosen.param).name,
                                                std::get<1>(chosen.param));
                         });

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
