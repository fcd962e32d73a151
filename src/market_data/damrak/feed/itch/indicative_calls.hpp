// The indicative values of call auctions, from events alone: what each auction would be if it ended
// now. The ITCH publisher calls it with the events of the instruments that it publishes.
//
// The engine may be commands ahead of the event, so everything that an auction depends on is kept
// here: orders that are not displayed always, displayed ones only while their call runs. An event
// of a call costs up to 2 microseconds, any other a look-up.
// docs/rule-book/call-auctions.md has the rules.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include <damrak/auction/equilibrium.hpp>
#include <damrak/auction/running_call.hpp>
#include <damrak/domain/event.hpp>
#include <damrak/domain/market_rules.hpp>
#include <damrak/engine/engine.hpp>

namespace damrak::feed {

/// What a call depends on beside its orders.
struct CallTerms {
    AuctionRule rule{};
    std::optional<Price> reference{};
    PriceBandDetails band{};
    const InstrumentDefinition* definition = nullptr;
};

class IndicativeCalls {
  public:
    /// A resting order.
    struct Order {
        Side side{};
        std::optional<Price> limit{};  ///< none: a market order
        Quantity open{};
        bool displayed = false;
        bool held = false;          ///< waits for its minimum quantity, so that it is in no auction
        bool only_crosses = false;  ///< an auction order
    };

    /// The orders of the instrument that are not displayed.
    void load(const Engine& engine, InstrumentId id);
    /// Each event of an order.
    void on_event(const Event& event);

    /// A call begins, or continues under other terms. `displayed` calls its argument with the id
    /// and the order, for each displayed order.
    template <class F>
    void begin(InstrumentId id, const CallTerms& terms, const F& displayed) {
        open(id, terms);
        displayed([this, id](OrderId order, const Order& what) { put(of(id), order, what); });
    }
    void end(InstrumentId id);
    [[nodiscard]] bool runs(InstrumentId id) const {
        return id.value - 1 < instruments_.size() && instruments_[id.value - 1].call != nullptr;
    }

    /// The instrument must be in a call.
    [[nodiscard]] auction::Equilibrium value(InstrumentId id) const;
    /// The price if the auction orders were alone in it: the far price of ITCH.
    [[nodiscard]] std::optional<Price> far_price(InstrumentId id) const;
    /// Counts as an event of the call, if one runs.
    void touch(InstrumentId id);
    /// Instruments whose calls had events since the last look, in the order of these.
    [[nodiscard]] std::vector<InstrumentId> take_touched() { return std::exchange(touched_, {}); }

  private:
    struct Call {
        auction::RunningCall levels;
        auction::RunningCall auction_orders;  ///< those of the levels that are auction orders
        auction::TickTable ticks;
        auction::PriceTerms terms;
        /// By side: the last price within the band. Limits through it count as this price.
        std::array<std::optional<Price>, 2> edges{};
        std::optional<auction::PriceRange> band{};  ///< limits outside have no part in the price

        void add(const Order& order) {
            if (order.held) return;
            levels.add(order.side, limit_of(order), order.open);
            if (order.only_crosses) auction_orders.add(order.side, limit_of(order), order.open);
        }
        void remove(const Order& order) {
            if (order.held) return;
            levels.remove(order.side, limit_of(order), order.open);
            if (order.only_crosses) auction_orders.remove(order.side, limit_of(order), order.open);
        }

        [[nodiscard]] auction::Equilibrium value(const auction::RunningCall& of) const {
            return band ? auction::equilibrium_within(of.book(), terms, *band)
                        : of.indicative(terms);
        }

      private:
        [[nodiscard]] std::optional<Price> limit_of(const Order& order) const;
    };
    struct Instrument {
        std::unordered_map<std::uint64_t, Order> orders;  ///< by id
        std::unique_ptr<Call> call;
    };

    [[nodiscard]] Instrument& of(InstrumentId id);
    void open(InstrumentId id, const CallTerms& terms);
    static void set_band(Call& call, const CallTerms& terms);
    static void put(Instrument& in, OrderId id, const Order& order);
    static void take(Instrument& in, OrderId id);

    std::vector<Instrument> instruments_;
    std::vector<InstrumentId> touched_;
};

}  // namespace damrak::feed
