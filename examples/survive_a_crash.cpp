// A whole exchange in one process, on a simulated network, disk and clock: a client enters an
// order, the exchange is killed, and the next one still has it.
//
//   build/release/examples/survive_a_crash
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include <fmt/format.h>

#include <damrak/client/binary_client.hpp>
#include <damrak/sim/stepped_exchange.hpp>

namespace {

using namespace damrak;

// Handler of BinaryClient that prints what the client receives.
struct Printer {
    void on_hello(const auto&, const wire::binary::HelloAck& m) const {
        fmt::print("  logged in as client {}\n", m.client_id.value);
    }
    void on_order_ack(const auto&, const wire::binary::OrderAck& m) {
        fmt::print("  order {} accepted\n", m.order_id.value);
        order = m.order_id;
    }
    void on_cancel_ack(const auto&, const wire::binary::CancelAck& m) {
        fmt::print("  order {} cancelled\n", m.order_id.value);
        cancelled = m.status == 1;
    }
    void on_logout(const auto&, const auto&) const {}
    void on_modify_ack(const auto&, const auto&) const {}
    void on_trade(const auto&, const auto&) const {}
    void on_error(const auto&, const auto&) const {}
    void on_timeout(const auto&, const auto&) const {}

    OrderId order{};
    bool cancelled = false;
};

constexpr wire::binary::ApiKey k_key{std::byte{1}};

sim::ExchangeSetup setup() {
    Command add{};
    add.kind = CommandKind::add_instrument;
    add.instrument = InstrumentId{1};
    add.definition = {.symbol = Symbol::of("TEST"),
                      .tick_size = Price{100},
                      .maximum_price = k_published_maximum_price,
                      .lot_size = Quantity{1},
                      .maximum_quantity = k_published_maximum_quantity,
                      .price_decimals = 4};
    sim::ExchangeSetup setup;
    // With a key the client is the same participant after the crash.
    setup.identities.add_key(k_key, ParticipantId{1});
    setup.identities.admit_anonymous(false);
    setup.engine = {.maximum_instruments = 4, .maximum_participants = 16, .maximum_orders = 1'000};
    setup.journal = {.directory = "data", .segment_bytes = 8'192};
    setup.opening = {add};
    return setup;
}

struct World {
    sim::VirtualClock clock{1'700'000'000'000'000'000};
    RandomStream random{1};
    sim::Network network{clock, random};
    sim::Disk disk{random};
    sim::ExchangeSetup exchange = setup();
    std::unique_ptr<sim::ExchangeProcess> process;
    Printer printer;

    bool start() {
        process = std::make_unique<sim::ExchangeProcess>(network, disk, clock, exchange);
        const auto started = process->start();
        if (!started) fmt::print("{}\n", started.error());
        return started.has_value();
    }

    // A connection: logs in, sends what `ask` writes, and hears the answers.
    template <class Ask>
    void talk(Ask&& ask) {
        sim::ClientSocket socket = network.connect({.part_percent = 0});
        client::BinaryClient client;
        std::array<std::byte, client::BinaryClient::k_largest_request_bytes> memory{};
        static_cast<void>(socket.send(std::span{memory}.first(client.hello(memory, k_key))));
        listen(socket, client);
        static_cast<void>(socket.send(std::span{memory}.first(ask(client, memory))));
        listen(socket, client);
    }

    void listen(sim::ClientSocket& socket, client::BinaryClient& client) {
        std::vector<std::byte> heard;
        for (int turn = 0; turn < 50; ++turn) {
            clock.advance(20'000);
            network.advance();
            process->turn();
            process->sync();
            std::array<std::byte, 256> room{};
            const auto got = socket.receive(room);
            heard.insert(heard.end(), room.begin(),
                         room.begin() + static_cast<std::ptrdiff_t>(got.bytes));
            const auto used = client.receive(heard, printer).consumed_bytes;
            heard.erase(heard.begin(), heard.begin() + static_cast<std::ptrdiff_t>(used));
        }
    }
};

}  // namespace

int main() {
    World world;
    if (!world.start()) return 1;
    fmt::print("the exchange is up\n");
    world.talk([](client::BinaryClient& client, std::span<std::byte> memory) {
        return client.new_order(
            memory, {.instrument = InstrumentId{1}, .quantity = 10, .price_e2 = 10'000});
    });

    world.process.reset();
    fmt::print("it was killed; another begins where its journal ends\n");
    if (!world.start()) return 1;
    world.talk([&world](client::BinaryClient& client, std::span<std::byte> memory) {
        return client.cancel(memory, {.order_id = world.printer.order});
    });
    return world.printer.cancelled ? 0 : 1;
}
