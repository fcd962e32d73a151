// The L2 market data feed from both ends: an engine's events become datagrams, one of which is
// lost, and a receiver keeps the book and knows when it cannot.
//
//   build/release/examples/follow_the_book
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include <damrak/client/l2_receiver.hpp>
#include <damrak/engine/engine.hpp>
#include <damrak/feed/l2_publisher.hpp>

namespace {

using namespace damrak;

constexpr InstrumentId k_stock{1};
constexpr std::int64_t k_second_ns = 1'000'000'000;

struct Market {
    EngineConfig config{.maximum_instruments = 1, .maximum_participants = 8};
    client::L2Receiver receiver;
    bool lose_next = false;
    feed::L2Publisher publisher{
        {.flush_interval_ns = 0}, config, [this](std::span<const std::byte> datagram) {
            if (!std::exchange(lose_next, false)) receiver.on_datagram(datagram);
        }};
    Engine engine{config};

    void apply(const Command& command) {
        engine.apply(command, [this](const Event& event) { publisher.on_event(event); });
    }

    void enter(Side side, std::int64_t quantity, std::int64_t price_units) {
        Command order{};
        order.kind = CommandKind::new_order;
        order.instrument = k_stock;
        order.participant = ParticipantId{side == Side::buy ? 1U : 2U};
        order.side = side;
        order.quantity = Quantity{quantity};
        order.price = Price{price_units};
        apply(order);
    }

    // Sends what is due, and tells what the receiver has.
    bool show(std::string_view when, std::int64_t now_ns) {
        publisher.do_work(now_ns);
        const auto* const book = receiver.book(k_stock);
        const bool valid = book != nullptr && book->valid;
        fmt::print("{}: {}\n", when, valid ? "the book is" : "something was lost, no book");
        if (!valid) return false;
        for (const auto& [name, side] : {std::pair{"bid", Side::buy}, std::pair{"ask", Side::sell}})
            for (const auto& level : book->side(side))
                fmt::print("  {} {} at {}\n", name, level.quantity, level.price_e2);
        return true;
    }
};

}  // namespace

int main() {
    Market market;
    Command add{};
    add.kind = CommandKind::add_instrument;
    add.instrument = k_stock;
    add.definition = {.symbol = Symbol::of("TEST"),
                      .tick_size = Price{100},
                      .maximum_price = k_published_maximum_price,
                      .lot_size = Quantity{1},
                      .maximum_quantity = k_published_maximum_quantity,
                      .price_decimals = 4};
    market.apply(add);
    market.enter(Side::buy, 100, 1'000'000);
    market.enter(Side::sell, 50, 1'000'200);
    const bool first = market.show("two orders", 1);

    market.lose_next = true;
    market.enter(Side::buy, 70, 999'900);
    market.show("a datagram is lost", 2);
    market.enter(Side::sell, 30, 1'000'000);
    const bool after_loss = market.show("a trade", 3);
    const bool again = market.show("the next snapshot", 2 * k_second_ns);
    return first && !after_loss && again ? 0 : 1;
}
