// No datagram allocates: orders, changes, duplicates, garbage and answers, of known senders and of
// new ones.
#include <damrak/gateway/udp/udp_gateway.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include <gtest/gtest.h>

#include <damrak/engine/engine.hpp>

#include "allocation_counter.hpp"
#include "support/recorded_engine.hpp"

namespace damrak::udp_gateway_test {
namespace {

using testing::AllocationCounter;
using wire::packet::Action;
using wire::packet::Format;

/// Generates a day of datagrams from a few numbers, in its own memory.
class DayPath {
  public:
    static constexpr std::uint32_t k_senders = 20;

    template <class Receiver>
    std::size_t receive(std::size_t quota, int /*wait_ms*/, Receiver&& receiver) {
        for (std::size_t i = 0; i < quota; ++i) receiver(next());
        return quota;
    }
    [[nodiscard]] std::span<std::byte> claim(const net::Endpoint& /*to*/, std::size_t at_most) {
        return std::span{out_}.first(at_most);
    }
    void commit(std::size_t bytes) { counters_.sent += bytes > 0 ? 1U : 0U; }
    void flush() {}
    [[nodiscard]] static std::uint16_t port() { return 0; }
    [[nodiscard]] static int descriptor() { return -1; }
    [[nodiscard]] static std::string describe() { return {}; }
    [[nodiscard]] net::PathCounters counters() const { return counters_; }

  private:
    net::Datagram next() {
        const std::uint32_t n = count_++;
        const std::uint32_t sender = n % k_senders;
        // Every seventh number comes twice, every eleventh is skipped.
        const std::uint32_t sequence = n / k_senders + (n % 11 == 0 ? 1 : 0) - (n % 7 == 0 ? 1 : 0);
        const wire::packet::Order order{.sequence = sequence,
                                        .name = {1 + n / k_senders % 50},
                                        .price_e2 = 9'990 + n * 7 % 20,
                                        .quantity = n * 13 % 90,
                                        .action = static_cast<Action>(n % 5 == 0 ? 2 + n % 2 : 1),
                                        .side = n % 2 == 0 ? Side::buy : Side::sell};
        std::size_t length = 0;
        if (n % 3 == 0) {
            length = encode(wire::packet::Header{.count = 1, .sequence = sequence}, in_);
            length += encode_extended(order, std::span{in_}.subspan(length));
        } else {
            length = encode_public(n % 3 == 1 ? Format::packed : Format::words, order, in_);
        }
        if (n % 101 == 0) --length;
        return {
            .bytes = std::span{in_}.first(length),
            .source = {.address = {10, 0, 0, 1}, .port = static_cast<std::uint16_t>(sender + 1)}};
    }

    std::array<std::byte, 64> in_{};
    std::array<std::byte, wire::packet::k_maximum_datagram> out_{};
    net::PathCounters counters_;
    std::uint32_t count_ = 0;
};

/// Applies commands at once, and stores nothing.
class PlainExchange {
  public:
    struct Clock {
        std::int64_t ns = 0;
        std::int64_t now_ns() { return ns += 1'000; }
    };
    using Gateway = gateway::udp::UdpGateway<DayPath, Clock, PlainExchange>;

    PlainExchange()
        : gateway(Gateway::Setup{}, gateway::House{engine_config(), participants, probe}) {
        Command add{};
        add.kind = CommandKind::add_instrument;
        add.instrument = InstrumentId{1};
        const InstrumentDefinition usual;
        add.definition = {.symbol = Symbol::of("ONE"),
                          .tick_size = Price{100},
                          .maximum_price = usual.maximum_price,
                          .lot_size = usual.lot_size,
                          .maximum_quantity = usual.maximum_quantity,
                          .price_decimals = 4};
        engine.apply(add);
        gateway.attach(*this);
        gateway.open(DayPath{});
    }

    bool submit(const Command& command, const Origin& origin, Timestamp now) {
        origin_ = origin;
        Command stamped = command;
        stamped.timestamp = now;
        if (command.kind < CommandKind::session_opened) engine.apply(stamped);
        gateway.on_command_end(origin);
        return true;
    }
    static bool do_work(Timestamp /*now*/) { return true; }
    static bool ready() { return true; }
    static bool awaits_answers() { return false; }
    static bool has_instrument(InstrumentId /*id*/) { return true; }
    static bool below_zero(InstrumentId /*id*/) { return false; }
    static journal::DurableState durable_state() { return {}; }
    static SessionId last_session() { return {}; }
    static ParticipantId last_participant() { return {}; }
    void on_event(const Event& event) {
        ++events;
        gateway.on_event(event, origin_, {});
    }

    std::int64_t events = 0;
    gateway::Participants participants{engine_config()};
    telemetry::Probe probe;
    Gateway gateway;
    EngineInto<PlainExchange> engine{engine_config(), *this};

  private:
    static EngineConfig engine_config() {
        EngineConfig config;
        config.maximum_instruments = 1;
        config.maximum_participants = 1'000;  // a host may have a sixteenth
        config.maximum_accounts = 100;
        config.maximum_orders = 10'000;
        return config;
    }
    Origin origin_{};
};

TEST(UdpGatewayMemory, NoDatagramAllocates) {
    PlainExchange exchange;
    const AllocationCounter counter;
    for (int turn = 0; turn < 2'000; ++turn) {
        exchange.gateway.poll(0);
        exchange.gateway.flush();
    }
    EXPECT_EQ(counter.news(), 0);
    EXPECT_EQ(counter.malloc_bytes(), 0);
    const gateway::udp::UdpCounters& counted = exchange.gateway.counters();
    EXPECT_EQ(counted.datagrams, 128'000U);
    EXPECT_GT(counted.duplicates, 1'000U);
    EXPECT_GT(counted.malformed(), 1'000U);
    EXPECT_GT(counted.replies, 10'000U);
    EXPECT_EQ(exchange.gateway.clients().sources(), DayPath::k_senders);
    EXPECT_GT(exchange.events, 10'000);
}

}  // namespace
}  // namespace damrak::udp_gateway_test
