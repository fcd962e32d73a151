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
        : fix_("FIX.4.4", who.is_named ? "OWN" : fmt::format("S{}", who.number)) {
        is_in_ = fix_.connect(port, true);
        if (!is_in_) is_told_ = fix_.refusal().find("use all that") != std::string::npos;
    }
    [[nodiscard]] bool is_in() const override { return is_in_; }
    [[nodiscard]] bool is_told() const override { return is_told_; }
    [[nodiscard]] bool trades() override {
        static_cast<void>(
            fix_.send("35=D|11=a|38=1|40=2|44=1.00|54=1|55=AAPL|60=20260302-10:00:00|59=0"));
        const auto report = fix_.receive();
        return report && report->contains(39) && report->at(39) == "0";
    }

  private:
    FixClient fix_;
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
        server_.emplace((folder_ / "data").string(), (folder_ / "log").string(),
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

INSTANTIATE_TEST_SUITE_P(Gateways, FinitePlaces,
                         Combine(::testing::ValuesIn(k_all), Values("inline", "pipelined")),
                         [](const auto& chosen) {
                             return fmt::format("{}_{}", std::get<0>(chosen.param).name,
                                                std::get<1>(chosen.param));
                         });

}  // namespace
}  // namespace damrak::testing::finite_places_test
