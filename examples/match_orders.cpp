// The matching engine as a library: add an instrument, enter a few orders, print what happens.
//
//   build/release/examples/match_orders
#include <cstdint>
#include <string_view>

#include <fmt/format.h>

#include <damrak/domain/make_command.hpp>
#include <damrak/domain/price_text.hpp>
#include <damrak/engine/engine.hpp>

namespace {

using namespace damrak;

constexpr InstrumentId k_stock{1};
constexpr ParticipantId k_maker{1};
constexpr ParticipantId k_taker{2};

// A tick of 0.01 and prices of four decimals, unless the definition says otherwise.
const InstrumentDefinition k_definition{.id = k_stock, .symbol = Symbol::of("DMRK")};

struct Printer {
    void on_event(const Event& event) {
        ++events;
        switch (event.kind) {
            case EventKind::accepted:
                return tell("accepted", event);
            case EventKind::rested:
                return tell("rests", event);
            case EventKind::executed:
                return tell("trades", event);
            case EventKind::refreshed:
                return tell("shows its next slice", event);
            case EventKind::cancelled:
                return tell("cancelled", event);
            case EventKind::rejected:
                fmt::print("  rejected: {}\n", text(event.reason));
                return;
            default:
                return;
        }
    }
    static void tell(std::string_view what, const Event& event) {
        fmt::print("  order {} of participant {} {}: {} at {}, {} open, {} shown\n",
                   event.order_id.value, event.participant.value, what, event.quantity.value,
                   price_text(event.price, k_definition), event.remaining.value,
                   event.displayed.value);
    }
    int events = 0;
};

LimitOrderDetails order(ParticipantId who, Side side, std::int64_t quantity,
                        std::string_view price) {
    return {.instrument = k_stock,
            .participant = who,
            .side = side,
            .price = parse_price(price, k_definition).value(),
            .quantity{quantity}};
}

}  // namespace

int main() {
    Printer printer;
    Engine engine({.maximum_instruments = 1, .maximum_orders = 1'000});
    // Events come in slices; all but those of very large orders have one.
    const auto apply = [&](std::string_view what, const Command& command) {
        fmt::print("{}\n", what);
        Slice slice = engine.apply(command);
        for (;;) {
            for (const Event& event : slice) printer.on_event(event);
            if (!slice.more) return;
            slice = engine.resume();
        }
    };
    apply("add an instrument", add_instrument(k_definition));

    LimitOrderDetails iceberg = order(k_maker, Side::sell, 300, "10.01");
    iceberg.display_quantity = Quantity{100};
    apply("sell 300 at 10.01, showing 100", limit_order(iceberg));
    apply("sell 50 at 10.02", limit_order(order(k_maker, Side::sell, 50, "10.02")));
    apply("buy 200 at 10.02", limit_order(order(k_taker, Side::buy, 200, "10.02")));
    apply("buy 10 at 10.005", limit_order(order(k_taker, Side::buy, 10, "10.005")));

    fmt::print("the book after {} events, state hash {:016x}\n", printer.events,
               engine.state_hash());
    const InstrumentState& stock = *engine.instrument(k_stock);
    stock.book.for_each_level(engine.store(), Side::sell, [&](const DepthLevel& level) {
        fmt::print("  {} for sale at {} in {} orders\n", level.quantity.value,
                   price_text(stock.price_of(level.tick), k_definition), level.orders);
        return true;
    });
}
