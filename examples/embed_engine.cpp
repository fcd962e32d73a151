// A small venue around the matching engine: it stamps commands, keeps them, follows the public book
// and the positions of its traders, lets an order expire, and proves that its log gives the same
// state again. docs/tutorials/embed-the-engine.md explains it step by step.
//
//   build/release/examples/embed_engine
#include <cstdint>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include <damrak/engine/engine.hpp>
#include <damrak/views/market_depth.hpp>
#include <damrak/views/position.hpp>

namespace {

using namespace damrak;

constexpr InstrumentId k_stock{1};
constexpr ParticipantId k_maker{1};
constexpr ParticipantId k_taker{2};

// All memory is reserved from these numbers when the engine is made.
constexpr EngineConfig k_config{.maximum_instruments = 1,
                                .maximum_participants = 100,
                                .maximum_orders = 10'000,
                                .maximum_extensions = 1'000,
                                .maximum_accounts = 100,
                                .maximum_levels = 1'000,
                                .maximum_ladder_nodes = 1'000};

double dollars(Price price) { return static_cast<double>(price.value) / 10'000; }

class Venue {
  public:
    /// The engine has no clock: the caller says what time it is.
    void submit(const Command& command, std::int64_t milliseconds) {
        log_.push_back(command);
        log_.back().timestamp = Timestamp{milliseconds * 1'000'000};
        engine_.apply(log_.back(), [this](const Event& event) { on_event(event); });
    }

    void print_book() const {
        for (const Side side : {Side::sell, Side::buy}) {
            const views::PublicLevel best = depth_.best(k_stock, side);
            const std::string_view name = side == Side::sell ? "ask" : "bid";
            if (best.orders == 0)
                fmt::print("  no {}\n", name);
            else
                fmt::print("  best {} {} at {:.2f}\n", name, best.quantity.value,
                           dollars(best.price));
        }
    }
    void print_position(ParticipantId who) const {
        const views::Position position = positions_.of(who, k_stock);
        fmt::print("  participant {} holds {} at {:.2f}\n", who.value, position.open().value,
                   dollars(position.average_price()));
    }
    [[nodiscard]] Timestamp next_expiry() const { return engine_.next_expiry(); }
    [[nodiscard]] std::uint64_t state_hash() const { return engine_.state_hash(); }
    [[nodiscard]] const std::vector<Command>& log() const { return log_; }

  private:
    void on_event(const Event& event) {
        depth_.on_event(event);
        positions_.on_event(event);
        const auto id = event.order_id.value;
        switch (event.kind) {
            case EventKind::accepted:
                return fmt::print("  order {} accepted\n", id);
            case EventKind::executed:
                return fmt::print("  order {} trades {} at {:.2f}, {} open\n", id,
                                  event.quantity.value, dollars(event.price),
                                  event.remaining.value);
            case EventKind::cancelled:
                return fmt::print("  order {} cancelled\n", id);
            case EventKind::expired:
                return fmt::print("  order {} expired\n", id);
            case EventKind::rejected:
                return fmt::print("  rejected: {}\n", text(event.reason));
            default:
                return;
        }
    }

    Engine engine_{k_config};
    views::MarketDepth depth_{k_config};
    views::Positions positions_;
    std::vector<Command> log_;
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

Command limit_order_size(ParticipantId who, std::int64_t quantity) {
    Command command{};
    command.kind = CommandKind::set_limits;
    command.participant = who;
    command.limits = {.order_quantity = Quantity{quantity}};
    return command;
}

Command order(ParticipantId who, Side side, std::int64_t quantity, std::int64_t cents) {
    Command command{};
    command.kind = CommandKind::new_order;
    command.instrument = k_stock;
    command.participant = who;
    command.side = side;
    command.order_type = OrderType::limit;
    command.time_in_force = TimeInForce::gtc;
    command.quantity = Quantity{quantity};
    command.price = Price{cents * 100};
    return command;
}

}  // namespace

int main() {
    Venue venue;
    venue.submit(add_stock(), 0);
    venue.submit(limit_order_size(k_taker, 500), 0);

    fmt::print("the maker quotes\n");
    venue.submit(order(k_maker, Side::buy, 300, 9'99), 1);
    Command offer = order(k_maker, Side::sell, 300, 10'01);
    offer.time_in_force = TimeInForce::gtd;
    offer.order.expire_time = Timestamp{60'000 * 1'000'000LL};
    venue.submit(offer, 2);
    venue.print_book();

    fmt::print("the taker buys 1,000, then 100\n");
    venue.submit(order(k_taker, Side::buy, 1'000, 10'01), 3);
    venue.submit(order(k_taker, Side::buy, 100, 10'01), 4);
    venue.print_position(k_taker);

    fmt::print("a minute later\n");
    Command tick{};
    tick.kind = CommandKind::tick;
    if (venue.next_expiry() <= Timestamp{60'000 * 1'000'000LL}) venue.submit(tick, 60'000);
    venue.print_book();

    Engine replayed(k_config);
    for (const Command& command : venue.log()) replayed.apply(command, [](const Event&) {});
    const bool same = replayed.state_hash() == venue.state_hash();
    fmt::print("{} commands replayed: state hash {:016x}, {}\n", venue.log().size(),
               replayed.state_hash(), same ? "the same" : "another");
    return same ? 0 : 1;
}
