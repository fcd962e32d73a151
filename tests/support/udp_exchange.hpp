// A small exchange with only a UDP gateway: the real gateway and engine, datagrams in memory, and a
// journal that is a list. For tests of the gateway, and for its fuzz target.
//
//   UdpExchange exchange;
//   UdpSender& alice = exchange.sender(4'000);
//   alice.send({.name = 1, .price_e2 = 10'000, .quantity = 5});   exchange.run();
//   EXPECT_THAT(alice.heard(), ElementsAre("trade 1 0 5@10000"));
//
// Commands are applied inside submit() or, if `deferred`, only in run(), as in an exchange whose
// answers come later.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <damrak/engine/engine.hpp>
#include <damrak/gateway/udp/udp_gateway.hpp>
#include <damrak/journal/record.hpp>
#include <damrak/journal/writer.hpp>

#include "support/memory_path.hpp"
#include "support/recorded_engine.hpp"

namespace damrak::testing {

class UdpExchange;

/// A client: sends from one address and port.
class UdpSender {
  public:
    using Order = wire::packet::Order;
    using Format = wire::packet::Format;

    UdpSender(UdpExchange& exchange, std::uint16_t port, bool ipv6);

    /// Sends a datagram with one order, with the next number.
    void send(Order order, Format format = Format::packed);
    /// The same with the number in the order.
    void send_as_numbered(const Order& order, Format format = Format::packed);
    void send(const std::vector<Order>& orders);  ///< in one extended datagram
    void begin(std::uint32_t sequence);
    void send_bytes(const Bytes& bytes);

    /// Messages since the last call, one line each: "trade 1 0 5@10000" (bid, ask), or for the
    /// extended format "3 executed 1 5@10000 left 2" (the answered number, the name), with the
    /// reason if there is one.
    [[nodiscard]] std::vector<std::string> heard();
    [[nodiscard]] std::vector<Bytes> heard_bytes();
    /// Numbers of the extended replies so far; they are consecutive.
    [[nodiscard]] std::uint32_t replies() const { return replies_; }
    /// Extended replies that were missed.
    [[nodiscard]] std::uint32_t missed() const { return missed_; }

    [[nodiscard]] SessionId session() const;
    [[nodiscard]] const net::Endpoint& end() const { return end_; }

    /// From this address, before it has sent anything.
    UdpSender& at(const std::array<std::uint8_t, 4>& address) {
        end_.address = address;
        return *this;
    }

    wire::packet::Key key{};
    std::uint32_t sequence = 0;

  private:
    UdpExchange* exchange_;
    net::Endpoint end_;
    std::uint32_t replies_ = 0;
    std::uint32_t missed_ = 0;
};

struct UdpExchangeOptions {
    gateway::udp::UdpGatewayConfig gateway{};
    bool deferred = false;
    std::size_t queue_commands = 1'000;
    EngineConfig engine = small_engine();
    /// Continues after these records.
    std::vector<journal::Record> journal{};

    [[nodiscard]] static EngineConfig small_engine();
};

class UdpExchange {
  public:
    using Options = UdpExchangeOptions;
    struct Clock {
        std::int64_t ns = 1'000'000'000;
        [[nodiscard]] std::int64_t now_ns() const { return ns; }
    };
    /// The gateway's view of the clock.
    struct ClockView {
        const Clock* clock = nullptr;
        [[nodiscard]] std::int64_t now_ns() const { return clock->now_ns(); }
    };
    using Gateway = gateway::udp::UdpGateway<MemoryPath, ClockView, UdpExchange>;

    /// With instruments 1 and 2.
    explicit UdpExchange(Options options = {});

    /// IPv4, or IPv6 if the first call for this port requests it.
    UdpSender& sender(std::uint16_t port, bool ipv6 = false);
    /// One turn of the gateway.
    void turn();
    /// Runs turns until nothing more happens.
    void run();
    /// Applies a command of another gateway or of the exchange itself. Participant 50 is unknown to
    /// the UDP gateway.
    void apply(const Command& command);

    // Called by the gateway.
    bool submit(const Command& command, const Origin& origin, Timestamp now);
    bool do_work(Timestamp /*now*/) { return true; }
    [[nodiscard]] bool ready() const { return queue_.size() + 2 <= options_.queue_commands; }
    [[nodiscard]] bool awaits_answers() const { return !queue_.empty(); }
    [[nodiscard]] journal::DurableState durable_state() const { return durable_now; }
    [[nodiscard]] bool has_instrument(InstrumentId id) const {
        return engine_.instrument(id) != nullptr;
    }
    [[nodiscard]] bool below_zero(InstrumentId id) const {
        return has_instrument(id) && engine_.instrument(id)->below_zero();
    }
    [[nodiscard]] SessionId last_session() const { return {}; }
    [[nodiscard]] ParticipantId last_participant() const { return last_participant_; }

    void on_event(const Event& event) { events_.push_back(event); }

    [[nodiscard]] Gateway& gateway() { return *gateway_; }
    [[nodiscard]] gateway::Participants& participants() { return participants_; }
    [[nodiscard]] MemoryWire& wire() { return *wire_; }
    [[nodiscard]] const EngineInto<UdpExchange>& engine() const { return engine_; }
    /// All submitted commands, continuations included.
    [[nodiscard]] const std::vector<journal::Record>& journal() const { return journal_; }
    [[nodiscard]] std::size_t commands(CommandKind kind) const;
    [[nodiscard]] telemetry::Probe& probe() { return probe_; }

    Clock clock;
    journal::DurableState durable_now = journal::DurableState::all;

  private:
    struct Queued {
        Command command;
        Origin origin;
    };
    void apply(const Queued& queued);
    void keep(const Command& command, const Origin& origin);
    void go_on_behind(const std::vector<journal::Record>& journal);

    Options options_;
    std::shared_ptr<MemoryWire> wire_ = std::make_shared<MemoryWire>();
    EngineInto<UdpExchange> engine_;
    gateway::Participants participants_;
    telemetry::Probe probe_;
    std::unique_ptr<Gateway> gateway_;
    std::map<std::uint16_t, std::unique_ptr<UdpSender>> senders_;
    std::deque<Queued> queue_;
    std::vector<Event> events_;
    std::vector<journal::Record> journal_;
    ParticipantId last_participant_{};
};

}  // namespace damrak::testing

namespace damrak {
extern template class gateway::udp::UdpGateway<testing::MemoryPath, testing::UdpExchange::ClockView,
                                               testing::UdpExchange>;
}  // namespace damrak
