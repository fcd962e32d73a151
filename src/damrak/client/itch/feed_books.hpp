// The public market as the order-by-order feed tells it: every displayed order in its priority, the
// levels, the best prices and the last trade of each instrument. Messages in, books out; a handler
// for FeedReceiver, SoupReceiver and FeedArbiter. One thread. A message costs a look-up of its
// order; memory grows with the orders that are open.
//
//   FeedBooks books;
//   auto receiver = SoupReceiver<FeedBooks>::open(config, books);
//   …
//   if (const FeedInstrument* stock = books.find("AAPL")) print(books.levels(*stock, Side::buy));
//
// Any input is safe: what is no message, or contradicts the book, is counted and changes what can
// be changed.
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
#include <damrak/order_flow/itch_flow.hpp>
#include <damrak/wire/moldudp/messages.hpp>

namespace damrak::client {

/// Prices count 1/10,000, as on the feed.
struct BookLevel {
    Price price{};
    Quantity quantity{};
    std::uint32_t orders = 0;
    friend bool operator==(const BookLevel&, const BookLevel&) = default;
};

struct BookOrder {
    std::uint64_t reference = 0;
    Price price{};
    Quantity quantity{};
    friend bool operator==(const BookOrder&, const BookOrder&) = default;
};

struct FeedTrade {
    std::int64_t time_ns = 0;  ///< since midnight
    Price price{};
    Quantity quantity{};
    friend bool operator==(const FeedTrade&, const FeedTrade&) = default;
};

struct FeedInstrument {
    InstrumentId id;  ///< in these books: counts from 1 in the order of the directory
    std::string symbol;
    std::optional<FeedTrade> last_trade;
    std::uint64_t trades = 0;   ///< since the begin of the session, or the snapshot
    std::int64_t traded = 0;    ///< quantity of them
    std::uint64_t changes = 0;  ///< of its book, its trades and its state
    bool halted = false;
};

class FeedBooks {
  public:
    using SessionName = wire::moldudp::SessionName;

    FeedBooks();

    // Of a handler of the feed.

    /// What was is forgotten.
    void on_session(const SessionName& session);
    /// A number of zero: a part of a snapshot.
    void on_message(std::uint64_t number, std::span<const std::byte> message);
    /// Messages from this number on, each behind its length in two bytes: faster than one by one.
    void on_messages(std::uint64_t first, std::span<const std::byte> frames);
    void on_end_of_session() { ended_ = true; }
    /// The snapshot is whole, and this message comes next.
    void on_joined(std::uint64_t next);

    /// By symbol; null: there is none.
    [[nodiscard]] const FeedInstrument* find(std::string_view symbol) const;
    /// By stock locate code.
    [[nodiscard]] const FeedInstrument* find(std::uint16_t locate) const;
    [[nodiscard]] std::span<const FeedInstrument> instruments() const {
        return market_->books.observer().instruments;
    }
    /// From the best price on; a depth of zero: all of them.
    [[nodiscard]] std::vector<BookLevel> levels(const FeedInstrument& of, Side side,
                                                std::size_t depth = 0) const;
    /// In the order in which they would trade.
    [[nodiscard]] std::vector<BookOrder> orders(const FeedInstrument& of, Side side,
                                                std::size_t depth = 0) const;
    [[nodiscard]] std::optional<BookLevel> best(const FeedInstrument& of, Side side) const;

    /// Of the messages; zeros: none came yet.
    [[nodiscard]] const SessionName& session() const { return session_; }
    /// The last message that is in the books.
    [[nodiscard]] std::uint64_t sequence() const { return sequence_; }
    /// Of the last message that said something of the market; since midnight.
    [[nodiscard]] std::int64_t time_ns() const { return market_->books.observer().time_ns; }
    /// False while a part of a snapshot is missing.
    [[nodiscard]] bool is_whole() const { return whole_; }
    [[nodiscard]] bool ended() const { return ended_; }
    /// Messages that are none of ITCH 5.0.
    [[nodiscard]] std::uint64_t faults() const { return faults_; }
    /// Messages that contradict the books: some are missing before them.
    [[nodiscard]] const order_flow::Anomalies& anomalies() const {
        return market_->books.anomalies();
    }

  private:
    /// Notes what the books themselves do not keep.
    struct Tape {
        static constexpr bool k_observes = true;

        void declare(InstrumentId id, std::string_view symbol);
        void executed(const order_flow::At& at, Price price, Quantity quantity, Side taker);
        void changed(const order_flow::At& at, order_flow::Change change, const BookStore& store,
                     const order_flow::BuiltBook& built);
        void traded(const order_flow::At& at, order_flow::TradeKind kind, Price price,
                    Quantity quantity, std::optional<Side> taker);
        void phase(const order_flow::At& at, order_flow::Phase phase);

        std::vector<FeedInstrument> instruments;
        std::int64_t time_ns = 0;

      private:
        void note(const order_flow::At& at, Price price, Quantity quantity);
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
