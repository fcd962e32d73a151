// A trader's connection to one of the exchange's gateways, as used by `damrak term`: requests in,
// news of its own orders out. OrderEntry connects to the binary gateway, FixOrderEntry to the FIX
// gateway. One thread; virtual calls are cheap enough for interactive use.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <damrak/client/l2_receiver.hpp>
#include <damrak/client/term_command.hpp>
#include <damrak/domain/identifiers.hpp>
#include <damrak/domain/order_terms.hpp>

namespace damrak::client {

/// An own order, as the terminal shows it.
struct OwnOrder {
    enum class State : std::uint8_t {
        sent,      ///< not answered yet
        open,      ///< rests, or is about to be filled
        finished,  ///< filled, cancelled or refused
        unsure,    ///< of a lost connection: may be open or not
    };

    std::uint32_t number = 0;  ///< the terminal's number: 1, 2, 3 …
    OrderId id{};              ///< the exchange's id, zero until it answered; a modify may change
                               ///< it
    InstrumentId instrument{};
    Side side{};
    bool market = false;
    State state{};
    std::int64_t price_e2 = 0;  ///< zero for a market order
    std::uint64_t open = 0;     ///< unfilled quantity
    std::uint64_t filled = 0;
    OrderExtras extras{};
    bool in_call = false;  ///< a market order that waits for an auction
    /// Whether the remainder rests if it cannot trade.
    [[nodiscard]] bool rests() const {
        return in_call || ((!market || extras.waits()) && !extras.is_immediate());
    }
    /// Whether it waits for its stop price, to become a market order.
    [[nodiscard]] bool is_plain_stop() const { return extras.stop_e2 > 0 && price_e2 == 0; }
    friend bool operator==(const OwnOrder&, const OwnOrder&) = default;
};

/// A trade of the market.
struct TapeTrade {
    std::string time{};  ///< of the day
    InstrumentId instrument{};
    std::int64_t price_e2 = 0;
    std::uint64_t quantity = 0;
    std::optional<Side> taker{};  ///< side of the aggressor, if known
};

/// Both sides of an own quote; prices in cents.
struct TermQuote {
    InstrumentId instrument{};
    std::uint64_t bid_quantity = 0;
    std::int64_t bid_e2 = 0;
    std::uint64_t ask_quantity = 0;
    std::int64_t ask_e2 = 0;
};

/// Something that happened at the gateway, for the terminal to show.
struct News {
    enum class Kind : std::uint8_t {
        logged_in,
        login_refused,
        logged_out,
        accepted,
        refused,  ///< the order
        filled,
        unfilled,  ///< the rest of a market order is cancelled
        cancelled,
        cancel_refused,
        modified,
        modify_refused,
        error,      ///< `code` of the protocol; the request that it answers is lost
        timed_out,  ///< the exchange ends the session
        status,     ///< the state of the order, as requested
        quote_refused,
        protection_set,
        protection_refused,
        triggered,
        trade_changed,  ///< the operator busted or corrected a trade, also of an order that ended
    };

    Kind kind{};
    OwnOrder order{};                ///< afterwards, if it concerns one
    std::uint64_t quantity = 0;      ///< of a fill; of a changed trade now, zero if it was busted
    std::int64_t price_e2 = 0;       ///< fill price
    std::uint64_t old_quantity = 0;  ///< of a changed trade before
    std::int64_t old_price_e2 = 0;
    std::uint64_t trade_id = 0;
    std::uint8_t code = 0;  ///< status or error number of the binary protocol
    std::string why{};      ///< as text, if the gateway gives one
};

/// Why a gateway other than the binary one takes no linked order.
inline constexpr std::string_view k_links_by_binary =
    "linked orders go by version 2 of the binary gateway: `damrak term` without --fix and key";

class TermGateway {
  public:
    TermGateway() = default;
    TermGateway(const TermGateway&) = default;
    TermGateway(TermGateway&&) = default;
    TermGateway& operator=(const TermGateway&) = default;
    TermGateway& operator=(TermGateway&&) = default;
    virtual ~TermGateway() = default;

    /// A price of zero makes a market order, or a stop order without a limit. Returns the order's
    /// number.
    virtual std::uint32_t enter(InstrumentId instrument, Side side, std::uint64_t quantity,
                                std::int64_t price_e2, const OrderExtras& extras) = 0;
    /// Whether it has instruments with prices below zero.
    [[nodiscard]] virtual bool takes_below_zero() const { return false; }
    /// Which of these options the gateway lacks, and what to do; empty if it has all.
    [[nodiscard]] virtual std::string why_not(const OrderExtras& /*extras*/) const { return {}; }
    /// Why it takes no quotes and no protection; empty: it does. The bid and the ask of a quote
    /// become orders with numbers.
    [[nodiscard]] virtual std::string why_no_quotes() const {
        return "quotes go by version 2 of the binary gateway: `damrak term` without --fix and key";
    }
    /// Replaces the last quote. A side of quantity and price zero does not exist.
    virtual void quote(const TermQuote& /*quote*/) {}
    /// Zeros take the protection away.
    virtual void protect(InstrumentId /*instrument*/, std::uint64_t /*quantity*/,
                         std::uint64_t /*window_us*/) {}
    /// Returns false if there is no such open order; so do the next two.
    virtual bool cancel(std::uint32_t number) = 0;
    /// `quantity` is the new open quantity. A price or stop price of zero stays as it is.
    virtual bool modify(std::uint32_t number, std::uint64_t quantity, std::int64_t price_e2,
                        std::int64_t stop_e2) = 0;
    virtual bool ask_status(std::uint32_t number) = 0;
    /// Whether it can report the status of an order.
    [[nodiscard]] virtual bool tells_status() const = 0;

    /// The instruments that it reported; null: it reports none.
    [[nodiscard]] virtual const Symbols* symbols() const { return nullptr; }

    /// Whether it delivers the books of instruments, so that no other feed is needed.
    [[nodiscard]] virtual bool tells_books() const { return false; }
    /// Null if it has no book of this instrument.
    [[nodiscard]] virtual const L2Receiver::Book* book(InstrumentId /*id*/) const {
        return nullptr;
    }
    /// Why there is no book; empty if it is still to come.
    [[nodiscard]] virtual std::string why_no_book(InstrumentId /*id*/) const { return {}; }

    /// The last trades of the market, oldest first; null: the gateway reports only own trades.
    [[nodiscard]] virtual const std::deque<TapeTrade>* tape() const { return nullptr; }

    /// Events since the last call, in order.
    [[nodiscard]] virtual std::vector<News> take_news() = 0;
    /// Why something was refused or happened unrequested, as text.
    [[nodiscard]] virtual std::string why(const News& news) const = 0;
    /// By number: orders that are sent, open or unsure.
    [[nodiscard]] virtual const std::map<std::uint32_t, OwnOrder>& orders() const = 0;
    /// The identity of the login.
    [[nodiscard]] virtual std::string who() const = 0;

    /// Unanswered requests.
    [[nodiscard]] virtual std::size_t pending() const = 0;
    /// All requests are answered, as far as the protocol shows.
    [[nodiscard]] virtual bool settled() const = 0;
    /// Some time has passed since the last answer.
    virtual void nothing_more_came() = 0;
};

}  // namespace damrak::client
