// A participant of a populated market, and what it can do there. The same class trades in virtual
// time (market.hpp) and live.
//
//   class Buyer final : public market_kernel::Participant {
//       void on_start(MarketAccess& access) override { access.wake_at(k_ten); }
//       void on_timer(MarketAccess& access, std::uint64_t) override {
//           access.enter({.instrument = {1}, .side = Side::buy, .price = …, .quantity = {9}});
//       }
//   };
//
// A participant sees the market through its own delayed view, knows its orders from reports alone,
// draws from streams of its own, and has no other source of time or chance. Its callbacks run one
// at a time, on one thread; they must return soon, keep no reference to what they are given, and
// may throw, which ends the run or isolates the participant, as configured.
#pragma once

#include <cstdint>
#include <string_view>

#include <damrak/base/time_units.hpp>
#include <damrak/domain/identifiers.hpp>
#include <damrak/domain/instrument.hpp>
#include <damrak/domain/measures.hpp>
#include <damrak/domain/order_terms.hpp>
#include <damrak/domain/reason.hpp>
#include <damrak/market_kernel/draws.hpp>
#include <damrak/views/public_change.hpp>

namespace damrak::market_kernel {

using damrak::k_microsecond_ns;
using damrak::k_millisecond_ns;
using damrak::k_second_ns;

/// Names an own order, from enter() to its last report; later it names nothing.
struct OrderHandle {
    std::uint32_t slot = 0;
    std::uint32_t generation = 0;
    [[nodiscard]] explicit operator bool() const { return slot != 0; }
    friend bool operator==(const OrderHandle&, const OrderHandle&) = default;
};

/// The terms of an order that a participant enters.
struct NewOrder {
    InstrumentId instrument{};
    Side side{};
    OrderType type = OrderType::limit;
    TimeInForce time_in_force = TimeInForce::day;
    SelfTradePrevention self_trade_prevention = SelfTradePrevention::cancel_oldest;
    bool hidden = false;
    bool post_only = false;
    Price price{};  ///< zero for market and stop orders
    Quantity quantity{};
    Price stop_price{};           ///< zero except for stop and stop-limit orders
    Quantity display_quantity{};  ///< zero, or the displayed part of an iceberg
    Quantity minimum_quantity{};
    PegReference peg = PegReference::none;  ///< what a pegged order follows; only in virtual time
    Price peg_offset{};                     ///< of a pegged order, away from the market
};

/// An own order as its participant knows it.
struct OwnOrder {
    enum class State : std::uint8_t {
        sent,  ///< not acknowledged yet
        open,  ///< accepted, and neither filled nor cancelled
        done,  ///< only within the last report
    };
    OrderHandle handle{};
    InstrumentId instrument{};
    State state{};
    Side side{};
    OrderType type{};
    Price price{};
    Quantity quantity{};      ///< ordered, less what was cancelled
    Quantity open{};          ///< as reported; not reduced by what is on the way
    bool cancelling = false;  ///< a cancel was sent
};

/// What the exchange says about an own order.
struct Report {
    enum class Kind : std::uint8_t {
        accepted,
        rejected,         ///< of a new order, which is done
        filled,           ///< `price` and `quantity` are those of the trade
        reduced,          ///< `quantity` was cancelled, some is left open
        cancelled,        ///< the rest of the order was cancelled or expired; it is done
        replaced,         ///< `price` is the new limit
        triggered,        ///< a stop order was elected
        change_rejected,  ///< of a cancel or a replace; the order is as it was, if it is open
    };
    Kind kind{};
    Reason reason{};        ///< of a reject or a cancel that the owner did not ask for
    bool is_maker = false;  ///< filled: the order rested
    OwnOrder order{};       ///< after the report
    Price price{};
    Quantity quantity{};
    Timestamp exchange_time{};  ///< stamp of the command that caused it
};

/// What a participant subscribes to. Bits.
enum class MarketNews : std::uint8_t {
    top_of_book = 1,  ///< best price or its quantity changed
    trade = 2,
    trading_state = 4,  ///< halt, resumption
    any_level = 8,      ///< any displayed quantity changed
};
[[nodiscard]] constexpr MarketNews operator|(MarketNews a, MarketNews b) {
    return static_cast<MarketNews>(static_cast<std::uint8_t>(a) | static_cast<std::uint8_t>(b));
}

/// Order entry, market data, time and chance of one participant. A virtual call each; in virtual
/// time nothing is allocated once pools have grown.
class MarketAccess {
  public:
    MarketAccess(const MarketAccess&) = delete;
    MarketAccess& operator=(const MarketAccess&) = delete;

    /// By the participant's own clock, which may be off.
    [[nodiscard]] virtual Timestamp now() const = 0;
    /// on_timer() is called at this time with `key`. Timers are not cancelled: ignore stale keys.
    virtual void wake_at(Timestamp at, std::uint64_t key = 0) = 0;

    /// Sends a new order. Its reports carry the handle. No handle: the participant has as many
    /// orders as it may have, and nothing was sent.
    virtual OrderHandle enter(const NewOrder& order) = 0;
    /// Takes an order back, or `quantity` of it. False: the handle names no order.
    virtual bool cancel(OrderHandle order, Quantity quantity = Quantity{0}) = 0;
    /// Another price or open quantity. The exchange decides whether priority is lost.
    virtual bool replace(OrderHandle order, Price price, Quantity quantity) = 0;
    /// Null: it is done, or never was.
    [[nodiscard]] virtual const OwnOrder* order(OrderHandle order) const = 0;

    /// The market as this participant sees it now. O(log of the changes since it looked last).
    [[nodiscard]] virtual const views::PublicChange& view(InstrumentId instrument) = 0;
    /// Displayed depth as this participant sees it now. Following a book costs a few dozen
    /// nanoseconds a change, so ask for it in on_start() or never; a later first call throws.
    [[nodiscard]] virtual const views::VisibleDepth& depth(InstrumentId instrument) = 0;
    /// on_market() is called when such news arrives, once for what arrives at the same moment.
    virtual void subscribe(InstrumentId instrument, MarketNews news) = 0;

    /// Instruments have the ids from 1 to this.
    [[nodiscard]] virtual std::uint32_t instruments() const = 0;
    [[nodiscard]] virtual const InstrumentDefinition& definition(InstrumentId id) const = 0;
    /// What the instrument is worth, in price units, by the news of the world that reached this
    /// participant at this moment, after the delay of its connection (Connection::value_ns). Not
    /// the truth of the market: nobody's orders are in it. Who pays for such knowledge, and with
    /// what error, is the participant's own parameter.
    [[nodiscard]] virtual double fundamental(InstrumentId id, Timestamp at) = 0;

    /// Bought less sold, by the reports that arrived.
    [[nodiscard]] virtual Quantity position(InstrumentId id) const = 0;
    /// Received less paid, fees included, in price units times quantity.
    [[nodiscard]] virtual std::int64_t cash() const = 0;

    /// A stream of this participant's own for a purpose; keep it as a member.
    [[nodiscard]] virtual Draws draws(std::string_view purpose) const = 0;
    /// Place of the participant in its group, from 0, and the size of the group.
    [[nodiscard]] virtual std::uint32_t member() const = 0;
    [[nodiscard]] virtual std::uint32_t members() const = 0;

  protected:
    MarketAccess() = default;
    ~MarketAccess() = default;
};

class Participant {
  public:
    Participant() = default;
    Participant(const Participant&) = delete;
    Participant& operator=(const Participant&) = delete;
    virtual ~Participant() = default;

    /// Once, when the market opens.
    virtual void on_start(MarketAccess& /*access*/) {}
    /// What was subscribed to has happened; view() shows what became of it.
    virtual void on_market(MarketAccess& /*access*/, InstrumentId /*instrument*/) {}
    /// Of an own order.
    virtual void on_report(MarketAccess& /*access*/, const Report& /*report*/) {}
    virtual void on_timer(MarketAccess& /*access*/, std::uint64_t /*key*/) {}
};

}  // namespace damrak::market_kernel
