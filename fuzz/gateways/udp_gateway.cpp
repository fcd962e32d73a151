// Three senders pass any datagrams to the UDP gateway around the real engine. Answers must always
// be whole with consecutive numbers, no number of a sender may be entered twice, and a restart from
// the journal must recover the same senders and open orders. The first byte selects the rules; then
// each step begins with a byte that selects the sender and its action: send raw bytes, send an
// order in some format with a few small values, or wait.
#include <array>
#include <cstddef>
#include <cstdint>
#include <set>
#include <span>
#include <utility>

#include <damrak/base/assert.hpp>

#include "support/fuzz_input.hpp"
#include "support/fuzz_target.hpp"
#include "support/udp_exchange.hpp"

namespace damrak::fuzz_udp_gateway {

namespace {

using namespace damrak;           // NOLINT(google-build-using-namespace): its own
using namespace damrak::testing;  // NOLINT(google-build-using-namespace)
using wire::packet::Action;
using wire::packet::Format;

UdpExchangeOptions options_of(unsigned choice) {
    UdpExchangeOptions options;
    options.deferred = (choice & 1U) != 0;
    if ((choice & 2U) != 0) options.queue_commands = 4;
    if ((choice & 4U) != 0) options.gateway.messages_per_second = 1'000;
    options.gateway.burst_messages = 5;
    options.gateway.maximum_sources = (choice & 8U) != 0 ? 2 : 3;
    options.gateway.source_timeout_ns = 1'000'000'000;
    options.gateway.cancel_on_silence = (choice & 16U) != 0;
    options.engine.maximum_orders = (choice & 32U) != 0 ? 3 : 200;
    return options;
}

wire::packet::Order order_of(FuzzInput& input) {
    const unsigned what = input.byte();
    const unsigned terms = input.byte();
    return {.sequence = 0,
            .name = {input.byte() % 8},
            .price_e2 = 9'990 + input.byte() % 20,
            .quantity = input.byte() % 16,
            .stop_price_e2 = (terms & 1U) != 0 ? 10'000U : 0U,
            .instrument = {(terms >> 1U) % 4},
            .action = static_cast<Action>(1 + what % 3),
            .side = (what & 4U) != 0 ? Side::buy : Side::sell,
            .type = static_cast<OrderType>((what >> 3U) % 4),
            .time_in_force = static_cast<TimeInForce>((terms >> 3U) % 5)};
}

void step(UdpExchange& exchange, FuzzInput& input) {
    const unsigned choice = input.byte();
    UdpSender& sender = exchange.sender(static_cast<std::uint16_t>(4'000 + choice % 3));
    switch ((choice >> 2U) % 6) {
        case 0: {
            const auto taken = input.take(input.byte());
            Bytes bytes{taken.begin(), taken.end()};
            // Numbers of 16 bits: with larger jumps a sender may wrap around, and repeat itself.
            std::size_t high = 8;
            if (bytes.size() == 18) high = 0;
            if (bytes.size() == 24) high = 2;
            if (bytes.size() > high + 1) bytes[high] = bytes[high + 1] = std::byte{0};
            return sender.send_bytes(bytes);
        }
        case 1:
        case 2:
            return sender.send(order_of(input),
                               (choice & 128U) != 0 ? Format::words : Format::packed);
        case 3:
            return sender.send({order_of(input), order_of(input)});
        case 4:
            // Repeats earlier numbers, or skips some.
            sender.sequence += input.byte() % 8 - 4U;
            return sender.send(order_of(input), Format::extended);
        default:
            exchange.clock.ns += 10'000'000 * std::int64_t{input.byte()};
            return exchange.run();
    }
}

void check_answers(UdpExchange& exchange) {
    for (const std::uint16_t port :
         {std::uint16_t{4'000}, std::uint16_t{4'001}, std::uint16_t{4'002}}) {
        UdpSender& sender = exchange.sender(port);
        for (const std::string& line : sender.heard()) DAMRAK_ASSERT(!line.starts_with("fault"));
    }
}

// A sender that was forgotten may start again with any number.
void check_numbers(const UdpExchange& exchange) {
    std::set<std::pair<std::uint64_t, std::uint64_t>> entered;
    for (const journal::Record& record : exchange.journal()) {
        const SessionId session{record.head.session};
        if (gateway_of(session) != gateway::udp::k_udp_gateway) continue;
        if (record.command.kind == CommandKind::session_closed)
            std::erase_if(entered, [&](const auto& one) { return one.first == session.value; });
        if (record.command.kind < CommandKind::session_opened &&
            record.command.kind != CommandKind::mass_cancel)
            DAMRAK_ASSERT(entered.emplace(session.value, record.head.inbound_sequence).second);
    }
}

}  // namespace

DAMRAK_FUZZ_TARGET(udp_gateway)(const std::uint8_t* data, std::size_t size) {
    FuzzInput input{std::as_bytes(std::span{data, size})};
    const UdpExchangeOptions options = options_of(input.byte());
    UdpExchange exchange{options};
    for (int steps = 0; steps < 200 && !input.empty(); ++steps) step(exchange, input);
    exchange.run();
    check_answers(exchange);
    check_numbers(exchange);
    UdpExchangeOptions again = options;
    again.journal = exchange.journal();
    UdpExchange restarted{again};
    const gateway::udp::UdpClients& before = exchange.gateway().clients();
    const gateway::udp::UdpClients& after = restarted.gateway().clients();
    DAMRAK_ASSERT(after.orders() == before.orders());
    for (std::uint32_t i = 1; i <= before.highest_source(); ++i) {
        const gateway::udp::UdpSource& known = before.source(i);
        if (known.open_orders == 0) continue;
        const std::uint32_t found = after.find(known.session);
        DAMRAK_ASSERT(found != 0 && after.source(found).open_orders == known.open_orders);
        DAMRAK_ASSERT(after.source(found).participant == known.participant);
    }
    return 0;
}

}  // namespace damrak::fuzz_udp_gateway
