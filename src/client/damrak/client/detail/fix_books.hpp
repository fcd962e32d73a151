// Books of instruments from the market data of the FIX gateway, without I/O: sends requests,
// receives snapshots (W) and incremental updates (X). Each instrument has its own request,
// identified by its number, so that an unknown instrument affects no other. Subscriptions end with
// the connection; call ask() after each Logon. Any input is safe: entries that do not fit a book
// are skipped.
//
// Used by FixOrderEntry, one thread; for interactive use: an update costs the levels of its side.
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
#include <damrak/client/term_gateway.hpp>
#include <damrak/fix_codec/dictionary.hpp>
#include <damrak/fix_codec/encode.hpp>
#include <damrak/fix_codec/message.hpp>

namespace damrak::client {

class FixBooks {
  public:
    using Book = L2Receiver::Book;
    using Message = fix_codec::Message;

    explicit FixBooks(const Symbols& symbols) {
        for (const auto& [id, name] : symbols.all()) add(id, name);
    }
    /// Adds an instrument. Returns false if it exists already.
    bool add(InstrumentId id, const std::string& name) {
        symbols_.add(id, name);
        return books_.try_emplace(id).second;
    }

    /// Writes the fields of the request for an instrument's book.
    void put_request(fix_codec::MessageWriter& writer, InstrumentId instrument) const;
    /// Forgets all books: the connection is lost.
    void forget();

    void on_snapshot(const Message& message, const fix_codec::Dictionary& dictionary);
    void on_changes(const Message& message, const fix_codec::Dictionary& dictionary);
    /// A refusal of one request, or of all if the exchange has no market data.
    void on_refusal(const Message& message);

    [[nodiscard]] const Symbols& symbols() const { return symbols_; }
    /// Null for an instrument that is not among the symbols. Check `valid` before using the levels.
    [[nodiscard]] const Book* book(InstrumentId id) const;
    /// The last trades of all instruments, oldest first. The aggressor's side is inferred from the
    /// best prices before the trade, as the message does not contain it.
    [[nodiscard]] const std::deque<TapeTrade>& tape() const { return tape_; }
    /// Why there is no book, in the exchange's words; empty if it is still to come.
    [[nodiscard]] std::string why_not(InstrumentId id) const;

  private:
    /// Best first: bids in descending order. Prices are in millionths, finer than the screen shows.
    using Quantities = std::map<std::int64_t, std::uint64_t>;
    struct Kept {
        std::array<Quantities, 2> sides;
        Book book;
        std::string refusal;
    };

    [[nodiscard]] Kept* find(const Message& message);
    void trade(InstrumentId instrument, const Kept& kept, const fix_codec::Group& entry);
    [[nodiscard]] static std::optional<Side> taker(const Kept& kept, std::int64_t price);
    static void set(Kept& kept, const fix_codec::Group& entry, char action);
    static void show(Kept& kept);

    Symbols symbols_;
    std::map<InstrumentId, Kept> books_;
    std::deque<TapeTrade> tape_;
};

}  // namespace damrak::client
