// The matching engine as a library: add an instrument, enter a few orders, print what happens.
//
//   build/release/examples/match_orders
#include <cstdint>
#include <string_view>

#include <fmt/format.h>

#include <damrak/engine/engine.hpp>

namespace {

using namespace damrak;

constexpr InstrumentId k_stock{1};
constexpr ParticipantId k_maker{1};
constexpr ParticipantId k_taker{2};

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
        fmt::print("  order {} of participant {} {}: {} at {:.2f}, {} open, {} shown\n",
                   event.order_id.value, event.participant.value, what, event.quantity.value,
                   static_cast<double>(event.price.value) / 10'000, event.remaining.value,
                   event.displayed.value);
    }
    int events = 0;
};

Command add_stock() {
    Command command{};
    command.kind = CommandKind::add_instrument;
    command.instrument = k_stock;
    command.definition = {.symbol = Symbol::of("DMRK"),
                          .tick_size = Price{100},  // 0.01, in units of 0.0001
                          .maximum_price = k_published_maximum_price,
                          .lot_size = Quantity{1},
                          .maximum_quantity = k_published_maximum_quantity,
                          .price_decimals = 4};
    return command;
}

Command order(ParticipantId who, Side side, std::int64_t quantity, std::int64_t cents) {
    Command command{};
    command.kind = CommandKind::new_order;
    command.instrument = k_stock;
    command.participant = who;
    command.side = side;
    command.order_type = OrderType::limit;
    command.quantity = Quantity{quantity};
    command.price = Price{cents * 100};
    return command;
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
    apply("add an instrument", add_stock());

    Command iceberg = order(k_maker, Side::sell, 300, 1'001);
    iceberg.order.display_quantity = Quantity{100};
    apply("sell 300 at 10.01, showing 100", iceberg);
    apply("sell 50 at 10.02", order(k_maker, Side::sell, 50, 1'002));
    apply("buy 200 at 10.02", order(k_taker, Side::buy, 200, 1'002));
    Command off_tick = order(k_taker, Side::buy, 10, 1'000);
    off_tick.price += Price{50};
    apply("buy 10 at 10.005", off_tick);

    fmt::print("the book after {} events, state hash {:016x}\n", printer.events,
               engine.state_hash());
    const InstrumentState& stock = *engine.instrument(k_stock);
    stock.book.for_each_level(engine.store(), Side::sell, [&](const DepthLevel& level) {
        fmt::print("  {} for sale at {:.2f} in {} orders\n", level.quantity.value,
                   static_cast<double>(stock.price_of(level.tick).value) / 10'000, level.orders);
        return true;
    });
}
