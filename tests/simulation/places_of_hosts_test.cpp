// One address leaves others their places, in each row whose places outlive connections, in the real
// gateways: over loopback, which is no host, the program cannot show it. Rows of connections have
// tests of their own (gateway/tcp_places_test.cpp, http/hostile_test.cpp).
#include <array>
#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <ostream>
#include <string>
#include <string_view>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <damrak/gateway/participants.hpp>
#include <damrak/net/client_address.hpp>

#include "support/commands.hpp"
#include "support/fix_exchange.hpp"
#include "support/simulation/ouch_process.hpp"
#include "support/simulation/soup_peer.hpp"
#include "support/simulation/world_time.hpp"
#include "support/udp_exchange.hpp"

namespace damrak::simulation::places_of_hosts_test {
namespace {

using Address = std::array<std::uint8_t, 4>;

/// Strangers that come to one row; those that get in stay.
class Comers {
  public:
    Comers() = default;
    Comers(const Comers&) = delete;
    Comers& operator=(const Comers&) = delete;
    virtual ~Comers() = default;
    /// Whether it gets in.
    [[nodiscard]] virtual bool come(const Address& from) = 0;
};

class OfParticipants final : public Comers {
  public:
    [[nodiscard]] bool come(const Address& from) override {
        return static_cast<bool>(participants_.take(net::ClientAddress::of(from)));
    }

  private:
    gateway::Participants participants_{EngineConfig{.maximum_participants = 64}};
};

class OfFix final : public Comers {
  public:
    [[nodiscard]] bool come(const Address& from) override {
        exchange_.comers_host = net::ClientAddress::of(from);
        std::string told;
        const std::string why =
            testing::FixTrader::refusal(exchange_, fmt::format("S{}", ++last_), told);
        EXPECT_TRUE(why.empty() || why == budget::text(budget::Refusal::host)) << why;
        return why.empty();
    }

  private:
    [[nodiscard]] static gateway::fix::FixApplicationConfig config() {
        gateway::fix::FixApplicationConfig config;
        config.maximum_unknown_sessions = 64;
        return config;
    }

    testing::FixExchange exchange_{config()};
    int last_ = 0;
};

class OfUdp final : public Comers {
  public:
    [[nodiscard]] bool come(const Address& from) override {
        testing::UdpSender& sender = exchange_.sender(++last_).at(from);
        sender.send({.name = {1}, .price_e2 = 100, .quantity = 1, .side = Side::buy},
                    wire::packet::Format::extended);
        exchange_.run();
        return !sender.heard().empty();
    }

  private:
    testing::UdpExchange exchange_{{.gateway = {.maximum_sources = 64}}};
    std::uint16_t last_ = 4'000;
};

class OfOuch final : public Comers {
  public:
    OfOuch() {
        // Of connections and participants there are more for one address than of users.
        constexpr std::uint32_t k_many = 16'384;
        setup_.engine.maximum_participants = k_many;
        setup_.gateway.maximum_connections = k_many;
        setup_.journal = {.directory = "data", .segment_bytes = 65'536, .prefault_bytes = 16'384};
        setup_.pipeline = {.shards = 1, .waiting = Waiting::spin};
        setup_.opening = {instrument_command(1, test_stock("TEST"))};
        setup_.beside = [] {};
        process_ = make_ouch_process(network_, disk_, clock_, setup_, [] {});
        EXPECT_TRUE(process_->start());
    }
    [[nodiscard]] bool come(const Address& from) override {
        const std::string name = fmt::format("U{}", clients_.size());
        SoupPeer& client = clients_.emplace_back();
        client.begin(network_.connect({.part_percent = 0}, net::ClientAddress::of(from)),
                     {.user = name}, now());
        constexpr int k_most_turns = 1'000;
        for (int i = 0; i < k_most_turns; ++i) {
            clock_.advance(k_millisecond_ns);
            network_.advance();
            process_->turn();
            process_->step_others(random_);
            for (const SoupPacket& packet : client.move(now()))
                if (packet.type == 'A' || packet.type == 'J') return packet.type == 'A';
        }
        ADD_FAILURE() << name << " hears nothing";
        return false;
    }

  private:
    [[nodiscard]] Timestamp now() const { return {clock_.time_of_day_ns()}; }

    RandomStream random_{1};
    VirtualClock clock_{k_morning_ns};
    Network network_{clock_, random_};
    Disk disk_{random_};
    OuchSetup setup_;
    std::unique_ptr<SimulatedProcess> process_;
    std::list<SoupPeer> clients_;
};

struct Row {
    std::string_view name;
    std::unique_ptr<Comers> (*open)();
    int one_host = 16;  ///< may have this many places
};
void PrintTo(const Row& row, std::ostream* out) { *out << row.name; }

template <class C>
std::unique_ptr<Comers> open() {
    return std::make_unique<C>();
}

class PlacesOfHosts : public ::testing::TestWithParam<Row> {};

TEST_P(PlacesOfHosts, OneAddressLeavesOthersTheirs) {
    constexpr Address k_crowd{10, 0, 0, 7};
    constexpr Address k_other{10, 0, 0, 8};
    const auto comers = GetParam().open();
    for (int i = 0; i < GetParam().one_host; ++i) ASSERT_TRUE(comers->come(k_crowd)) << i;
    EXPECT_FALSE(comers->come(k_crowd));
    EXPECT_TRUE(comers->come(k_other));
}

INSTANTIATE_TEST_SUITE_P(Rows, PlacesOfHosts,
                         ::testing::Values(Row{"participants", &open<OfParticipants>},
                                           Row{"fix_unknown_sessions", &open<OfFix>},
                                           Row{"ouch_users", &open<OfOuch>, 4'095 / 16},
                                           Row{"udp_sources", &open<OfUdp>}),
                         [](const auto& row) { return std::string{row.param.name}; });

}  // namespace
}  // namespace damrak::simulation::places_of_hosts_test
