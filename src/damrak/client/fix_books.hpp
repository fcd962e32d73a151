// The books of instruments as the FIX door tells them, without I/O: requests for their market data
// go out, snapshots (W) and changes (X) come in. One request for each instrument, named by its
// number, so that one that the exchange does not have spoils nothing. A subscription ends with the
// connection; ask() again after each Logon. Total: whatever does not fit a book is left out.
//
// Used by FixOrderEntry, one thread; for people: a change costs the levels of its side.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <string>

#include <damrak/client/l2_receiver.hpp>
#include <damrak/client/term_command.hpp>
#include <damrak/client/term_door.hpp>
#include <damrak/wire/fix/dictionary.hpp>
#include <damrak/wire/fix/encode.hpp>
#include <damrak/wire/fix/message.hpp>

namespace damrak::client {

class FixBooks {
  public:
    using Book = L2Receiver::Book;
    using Message = wire::fix::Message;

    explicit FixBooks(const Symbols& symbols) {
        for (const auto& [id, name] : symbols.all()) add(id, name);
    }
    /// Of one more instrument. False: it is there already.
    bool add(InstrumentId id, const std::string& name) {
        symbols_.add(id, name);
        return books_.try_emplace(id).second;
    }

    /// The fields of the request for an instrument's book.
    void put_request(wire::fix::MessageWriter& writer, InstrumentId instrument) const;
    /// Nothing is known any more: the connection is gone.
    void forget();

    void on_snapshot(const Message& message, const wire::fix::Dictionary& dictionary);
    void on_changes(const Message& message, const wire::fix::Dictionary& dictionary);
    /// Of one request, or of all where the exchange has no market data.
    void on_refusal(const Message& message);

    [[nodiscard]] const Symbols& symbols() const { return symbols_; }
    /// Null for an instrument that is not among the symbols. Look at `valid` before the levels.
    [[nodiscard]] const Book* book(InstrumentId id) const;
    /// The last trades of all of them, oldest first. The side that took is told by the best prices
    /// before the trade, as the message does not say it.
    [[nodiscard]] const std::deque<TapeTrade>& tape() const { return tape_; }
    /// Why there is none, in the exchange's words; empty if it is on its way.
    [[nodiscard]] std::string why_not(InstrumentId id) const;

  private:
    /// Best first: bids count downwards. Prices are in millionths; an exchange may have finer ones
    /// than a screen shows.
    using Quantities = std::map<std::int64_t, std::uint64_t>;
    struct Kept {
        std::array<Quantities, 2> sides;
        Book book;
        std::string refusal;
    };

    [[nodiscard]] Kept* find(const Message& message);
    void trade(InstrumentId instrument, const Kept& kept, const wire::fix::Group& entry);
    [[nodiscard]] static std::optional<Side> taker(const Kept& kept, std::int64_t price);
    static void set(Kept& kept, const wire::fix::Group& entry, char action);
    static void show(Kept& kept);

    Symbols symbols_;
    std::map<InstrumentId, Kept> books_;
    std::deque<TapeTrade> tape_;
};

}  // namespace damrak::client
