// A trader's end of a connection to one of the exchange's doors, as `damrak term` trades by it:
// requests in, news of the own orders out. OrderEntry is that of the binary door, FixOrderEntry
// that of the FIX door. One thread; for people, so calls through a pointer do no harm.
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

struct OwnOrder {
    enum class State : std::uint8_t {
        sent,      ///< not answered yet
        open,      ///< rests, or is about to be filled
        finished,  ///< filled, cancelled or refused
        unsure,    ///< of a connection that was lost: it may rest or be gone
    };

    std::uint32_t number = 0;  ///< our own name for it: 1, 2, 3 …
    OrderId id{};              ///< the exchange's, zero until it answered; a modify may change it
    InstrumentId instrument{};
    Side side{};
    bool market = false;
    State state{};
    std::uint64_t price_e2 = 0;  ///< zero for a market order
    std::uint64_t open = 0;      ///< what is not filled yet
    std::uint64_t filled = 0;
    OrderExtras extras{};
    /// Whether it stays when it cannot trade.
    [[nodiscard]] bool rests() const {
        return !market && !(extras.in_force && is_immediate(*extras.in_force));
    }
    /// Whether it waits for its stop price, to become an order at the market.
    [[nodiscard]] bool is_plain_stop() const { return extras.stop_e2 > 0 && price_e2 == 0; }
    friend bool operator==(const OwnOrder&, const OwnOrder&) = default;
};

/// A trade of the market.
struct TapeTrade {
    std::string time{};  ///< of the day
    InstrumentId instrument{};
    std::uint64_t price_e2 = 0;
    std::uint64_t quantity = 0;
    std::optional<Side> taker{};  ///< who came to the other, where it is known
};

struct News {
    enum class Kind : std::uint8_t {
        logged_in,
        login_refused,
        logged_out,
        accepted,
        refused,  ///< the order
        filled,
        unfilled,  ///< what is left of a market order is cancelled
        cancelled,
        cancel_refused,
        modified,
        modify_refused,
        error,      ///< `code` of the protocol; the request that it answers is lost
        timed_out,  ///< the exchange ends the session
        status,     ///< how the order stands, as the exchange was asked
    };

    Kind kind{};
    OwnOrder order{};            ///< after it, where it is about one
    std::uint64_t quantity = 0;  ///< filled: so much
    std::uint64_t price_e2 = 0;  ///< filled: at this price
    std::uint64_t trade_id = 0;
    std::uint8_t code = 0;  ///< the status or error number of the binary protocol
    std::string why{};      ///< the FIX door's text
};

class TermDoor {
  public:
    TermDoor() = default;
    TermDoor(const TermDoor&) = default;
    TermDoor(TermDoor&&) = default;
    TermDoor& operator=(const TermDoor&) = default;
    TermDoor& operator=(TermDoor&&) = default;
    virtual ~TermDoor() = default;

    /// A price of zero makes a market order, or a stop order without a limit. Returns the order's
    /// number.
    virtual std::uint32_t enter(InstrumentId instrument, Side side, std::uint64_t quantity,
                                std::uint64_t price_e2, const OrderExtras& extras) = 0;
    /// What of that the door does not have, and what to do; empty: it takes it.
    [[nodiscard]] virtual std::string why_not(const OrderExtras& /*extras*/) const { return {}; }
    /// False if there is no such open order; so do the next ones.
    virtual bool cancel(std::uint32_t number) = 0;
    /// `quantity` is what shall be open then.
    /// A price or a stop price of zero stays as it is.
    virtual bool modify(std::uint32_t number, std::uint64_t quantity, std::uint64_t price_e2,
                        std::uint64_t stop_e2) = 0;
    virtual bool ask_status(std::uint32_t number) = 0;
    /// Whether it can be asked.
    [[nodiscard]] virtual bool tells_status() const = 0;

    /// The instruments that it told of; null: it tells of none.
    [[nodiscard]] virtual const Symbols* symbols() const { return nullptr; }

    /// Whether it brings the books of instruments along, so that no other feed is needed.
    [[nodiscard]] virtual bool tells_books() const { return false; }
    /// Null if it brings none of this one.
    [[nodiscard]] virtual const L2Receiver::Book* book(InstrumentId /*id*/) const {
        return nullptr;
    }
    /// Why there is none; empty if it is on its way.
    [[nodiscard]] virtual std::string why_no_book(InstrumentId /*id*/) const { return {}; }

    /// The last trades of the market, oldest first; null: the door tells none but the own.
    [[nodiscard]] virtual const std::deque<TapeTrade>* tape() const { return nullptr; }

    /// What happened since the last time, in its order.
    [[nodiscard]] virtual std::vector<News> take_news() = 0;
    /// Why something was refused, or happened unasked, in words.
    [[nodiscard]] virtual std::string why(const News& news) const = 0;
    /// By number: those that are sent, open or unsure.
    [[nodiscard]] virtual const std::map<std::uint32_t, OwnOrder>& orders() const = 0;
    /// As whom we are logged in.
    [[nodiscard]] virtual std::string who() const = 0;

    /// Requests that are not answered yet.
    [[nodiscard]] virtual std::size_t pending() const = 0;
    /// All that was asked is answered, as far as the protocol tells.
    [[nodiscard]] virtual bool settled() const = 0;
    /// A while has passed since the last answer.
    virtual void nothing_more_came() = 0;
};

}  // namespace damrak::client
