// The public market built from the order-by-order feed: every displayed order by priority, the
// levels, the best prices and the last trade of each instrument. A handler for FeedReceiver,
// SoupReceiver and FeedArbiter. One thread. A message costs a look-up of its order; memory grows
// with the open orders.
//
//   FeedBooks books;
//   auto receiver = SoupReceiver<FeedBooks>::open(config, books);
//   …
//   if (const FeedInstrument* stock = books.find("AAPL")) print(books.levels(*stock, Side::buy));
//
// Any input is safe: invalid messages and contradictions to the book are counted, and applied as
// far as possible.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <damrak/order_flow/book_builder.hpp>
#include <damrak/order_flow/halt_state.hpp>
#include <damrak/order_flow/itch_flow.hpp>
#include <damrak/wire/moldudp/messages.hpp>

namespace damrak::client {

/// Prices are in units of 1/10,000, as on the feed.
struct BookLevel {
    Price price{};
    Quantity quantity{};
    std::uint32_t orders = 0;
    friend bool operator==(const BookLevel&, const BookLevel&) = default;
};

/// A displayed order of a book, as the feed shows it.
struct BookOrder {
    std::uint64_t reference = 0;
    Price price{};
    Quantity quantity{};
    friend bool operator==(const BookOrder&, const BookOrder&) = default;
};

/// A trade of an instrument, as the feed reports it.
struct FeedTrade {
    std::int64_t time_ns = 0;  ///< since midnight
    Price price{};
    Quantity quantity{};
    std::optional<Side> aggressor{};  ///< empty: the feed does not say
    friend bool operator==(const FeedTrade&, const FeedTrade&) = default;
};

/// What the feed has said about an instrument.
struct FeedInstrument {
    InstrumentId id;  ///< in these books: from 1, in directory order
    std::string symbol;
    std::optional<FeedTrade> last_trade;
    std::uint64_t trades = 0;   ///< since the start of the session, or the snapshot
    std::int64_t traded = 0;    ///< their quantity
    std::uint64_t changes = 0;  ///< of its book, trades and state
    bool halted = false;
    bool collects = false;  ///< orders do not trade, but wait for an auction
    order_flow::HaltState halt{};
    /// What the auction would be now; empty outside of calls.
    std::optional<order_flow::Indicative> indicative{};
};

/// What an instrument does instead of trading, and why: `halted (operator)`, or `auction 500 at
/// 100.01, 200 more to buy (volatility, from 95.00 to 105.00)`. Empty: it trades.
[[nodiscard]] std::string state_text(const FeedInstrument& of);

class FeedBooks {
  public:
    using SessionName = wire::moldudp::SessionName;

    FeedBooks();

    // Called by the feed:

    /// Clears the books.
    void on_session(const SessionName& session);
    /// A number of zero means a message of a snapshot.
    void on_message(std::uint64_t number, std::span<const std::byte> message);
    /// Messages from this number on, each after its length in two bytes: faster than one by one.
    void on_messages(std::uint64_t first, std::span<const std::byte> frames);
    void on_end_of_session() { ended_ = true; }
    /// The snapshot is complete; this message is next.
    void on_joined(std::uint64_t next);

    /// By symbol; null if there is none.
    [[nodiscard]] const FeedInstrument* find(std::string_view symbol) const;
    /// By stock locate code.
    [[nodiscard]] const FeedInstrument* find(std::uint16_t locate) const;
    [[nodiscard]] std::span<const FeedInstrument> instruments() const {
        return market_->books.observer().instruments;
    }
    /// From the best price on; a depth of zero means all.
    [[nodiscard]] std::vector<BookLevel> levels(const FeedInstrument& of, Side side,
                                                std::size_t depth = 0) const;
    /// In the order in which they would trade.
    [[nodiscard]] std::vector<BookOrder> orders(const FeedInstrument& of, Side side,
                                                std::size_t depth = 0) const;
    [[nodiscard]] std::optional<BookLevel> best(const FeedInstrument& of, Side side) const;

    /// Session of the messages; zeros if none arrived yet.
    [[nodiscard]] const SessionName& session() const { return session_; }
    /// The last message applied to the books.
    [[nodiscard]] std::uint64_t sequence() const { return sequence_; }
    /// Time of the last market message, since midnight.
    [[nodiscard]] std::int64_t time_ns() const { return market_->books.observer().time_ns; }
    /// False while a snapshot is incomplete.
    [[nodiscard]] bool is_whole() const { return whole_; }
    [[nodiscard]] bool ended() const { return ended_; }
    /// Messages that are not valid ITCH 5.0.
    [[nodiscard]] std::uint64_t faults() const { return faults_; }
    /// Messages that contradict the books: earlier ones are missing.
    [[nodiscard]] const order_flow::Anomalies& anomalies() const {
        return market_->books.anomalies();
    }

  private:
    /// Records what the books themselves do not have.
    struct Tape {
        static constexpr bool k_observes = true;

        void declare(InstrumentId id, std::string_view symbol);
        void executed(const order_flow::At& at, Price price, Quantity quantity, Side taker);
        void changed(const order_flow::At& at, order_flow::Change change, const BookStore& store,
                     const order_flow::BuiltBook& built);
        void traded(const order_flow::At& at, order_flow::TradeKind kind, Price price,
                    Quantity quantity, std::optional<Side> taker);
        void phase(const order_flow::At& at, order_flow::StateChange phase);
        void indicative(const order_flow::At& at, const order_flow::Indicative& value);
        void halt(const order_flow::At& at, const auto& message) {
            FeedInstrument& of = instruments[at.instrument.value - 1];
            const order_flow::HaltState before = of.halt;
            of.halt.on(message);
            if (of.halt != before) ++of.changes;
        }

        std::vector<FeedInstrument> instruments;
        std::int64_t time_ns = 0;

      private:
        void note(const order_flow::At& at, Price price, Quantity quantity,
                  std::optional<Side> taker);
    };
    using Books = order_flow::BookBuilder<Tape>;
    struct Market {
        Books books;
        order_flow::ItchFlow<Books> flow{books, {}};
    };

    std::unique_ptr<Market> market_;
    SessionName session_{};
    std::uint64_t sequence_ = 0;
    std::uint64_t faults_ = 0;
    bool whole_ = true;
    bool ended_ = false;
};

}  // namespace damrak::client
