// A small venue around the matching engine: it stamps commands, keeps them, follows the public book
// and the positions of its traders, lets an order expire, and proves that its log gives the same
// state again. docs/tutorials/embed-the-engine.md explains it step by step.
//
//   build/release/examples/embed_engine
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include <damrak/domain/make_command.hpp>
#include <damrak/domain/price_text.hpp>
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

// A tick of 0.01 and prices of four decimals, unless the definition says otherwise.
const InstrumentDefinition k_definition{.id = k_stock, .symbol = Symbol::of("DMRK")};

std::string dollars(Price price) { return price_text(price, k_definition); }

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
                fmt::print("  best {} {} at {}\n", name, best.quantity.value, dollars(best.price));
        }
    }
    void print_position(ParticipantId who) const {
        const views::Position position = positions_.of(who, k_stock);
        fmt::print("  participant {} holds {} at {}\n", who.value, position.open().value,
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
                return fmt::print("  order {} trades {} at {}, {} open\n", id, event.quantity.value,
                                  dollars(event.price), event.remaining.value);
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

LimitOrderDetails order(ParticipantId who, Side side, std::int64_t quantity,
                        std::string_view price) {
    return {.instrument = k_stock,
            .participant = who,
            .side = side,
            .price = parse_price(price, k_definition).value(),
            .quantity{quantity},
            .time_in_force = TimeInForce::gtc};
}

}  // namespace

int main() {
    Venue venue;
    venue.submit(add_instrument(k_definition), 0);
    venue.submit(set_limits(k_taker, {.order_quantity{500}}), 0);

    fmt::print("the maker quotes\n");
    venue.submit(limit_order(order(k_maker, Side::buy, 300, "9.99")), 1);
    LimitOrderDetails offer = order(k_maker, Side::sell, 300, "10.01");
    offer.time_in_force = TimeInForce::gtd;
    offer.expire_time = Timestamp{60'000 * 1'000'000LL};
    venue.submit(limit_order(offer), 2);
    venue.print_book();

    fmt::print("the taker buys 1,000, then 100\n");
    venue.submit(limit_order(order(k_taker, Side::buy, 1'000, "10.01")), 3);
    venue.submit(limit_order(order(k_taker, Side::buy, 100, "10.01")), 4);
    venue.print_position(k_taker);

    fmt::print("a minute later\n");
    const Timestamp now{60'000 * 1'000'000LL};
    if (venue.next_expiry() <= now) venue.submit(tick(now), 60'000);
    venue.print_book();

    Engine replayed(k_config);
    for (const Command& command : venue.log()) replayed.apply(command, [](const Event&) {});
    const bool same = replayed.state_hash() == venue.state_hash();
    fmt::print("{} commands replayed: state hash {:016x}, {}\n", venue.log().size(),
               replayed.state_hash(), same ? "the same" : "another");
    return same ? 0 : 1;
}
