// The market of a feed session as its viewers see it: every displayed order, the last trades,
// candles, and the statistics of the day. Built from the messages of the order-by-order feed. One
// thread. A message costs a look-up of its order; memory grows with the open orders.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <damrak/archive/candles.hpp>
#include <damrak/archive/day.hpp>
#include <damrak/feed/feed_session.hpp>
#include <damrak/market_stream/detail/topic.hpp>
#include <damrak/order_flow/book_builder.hpp>
#include <damrak/order_flow/broken_trades.hpp>
#include <damrak/order_flow/halt_state.hpp>
#include <damrak/order_flow/itch_flow.hpp>

namespace damrak::market_stream {

struct Trade {
    std::uint64_t sequence = 0;  ///< of its message
    std::int64_t time_ns = 0;    ///< since midnight
    std::uint32_t price_e4 = 0;
    std::uint64_t quantity = 0;
    std::optional<Side> aggressor{};  ///< empty: the feed does not say
    std::uint64_t match_number = 0;
};

/// Of the day. Trades that are not printable, or were broken later, do not count.
struct Statistics {
    std::optional<std::uint32_t> open_e4{};
    std::uint32_t high_e4 = 0;
    std::uint32_t low_e4 = 0;
    std::uint32_t last_e4 = 0;
    std::uint64_t volume = 0;
    std::uint64_t turnover_e4 = 0;
    std::uint64_t trades = 0;
    // Messages about displayed orders:
    std::uint64_t orders = 0;  ///< new ones and replacements
    std::uint64_t executions = 0;
    std::uint64_t cancels = 0;  ///< whole and partial
};

enum class DisplayedState : std::uint8_t {
    trading,
    halted,
    call,  ///< orders are collected for an auction, and do not trade
};
/// As in a `state` message.
[[nodiscard]] std::string_view name(DisplayedState state);

struct Instrument {
    static constexpr std::size_t k_kept_trades = 500;
    static constexpr std::size_t k_kept_candles = 64;
    static constexpr std::size_t k_kept_busts = 64;

    InstrumentId id{};
    std::string symbol;
    std::uint16_t locate = 0;
    DisplayedState state{};
    order_flow::HaltState halt{};
    std::optional<order_flow::Indicative> auction{};  ///< while a call runs
    std::uint64_t book_changes = 0;
    Statistics statistics{};
    std::deque<Trade> trades{};  ///< the last ones, oldest first; broken ones with quantity zero
    std::uint64_t told = 0;      ///< trades so far, with those that were broken
    std::uint64_t recounts = 0;  ///< see MarketState::recount()
    std::uint64_t busts = 0;     ///< of trades that were among the last ones
    std::deque<Trade> busted{};  ///< the last of these, with quantity zero, in order of the busts
    /// By length as in k_candle_seconds: the last ones, oldest first.
    std::array<std::deque<archive::Candle>, k_candle_seconds.size()> candles{};
};

class MarketState {
  public:
    MarketState();
    /// The next messages of the session, from this number on, each after its length in two bytes.
    void on_messages(std::uint64_t first, std::span<const std::byte> frames);
    /// Trades were broken that candles and statistics still have.
    [[nodiscard]] bool has_to_recount() const;
    /// Takes all messages once more, without the trades that were broken: `from` is a reader at the
    /// first one, `memory` what it reads into.
    void recount(feed::FeedReader from, std::span<std::byte> memory);

    /// The last message in it.
    [[nodiscard]] std::uint64_t sequence() const { return market_->sequence; }
    /// Time of the last message about the market, since midnight.
    [[nodiscard]] std::int64_t time_ns() const { return tape().time_ns; }
    [[nodiscard]] std::span<const Instrument> instruments() const { return tape().instruments; }
    /// Null if there is none.
    [[nodiscard]] const Instrument* find(std::string_view symbol) const;

    /// The best levels of a side; without the number of orders where some are anonymous.
    void levels(const Instrument& of, Side side, std::size_t most,
                std::vector<archive::BookLevel>& into) const;
    /// The orders of the best levels of a side in the order in which they would trade.
    void orders(const Instrument& of, Side side, std::size_t most_levels, std::size_t most,
                std::vector<archive::BookOrder>& into) const;

  private:
    /// Records what the books themselves do not have.
    struct Tape {
        static constexpr bool k_observes = true;

        void declare(InstrumentId id, std::string_view symbol);
        void executed(const order_flow::At& at, Price price, Quantity quantity, Side taker) {
            add_trade(at, price, quantity, taker);
        }
        void changed(const order_flow::At& at, order_flow::Change change, const BookStore& store,
                     const order_flow::BuiltBook& built);
        void traded(const order_flow::At& at, order_flow::TradeKind kind, Price price,
                    Quantity quantity, std::optional<Side> taker);
        void phase(const order_flow::At& at, order_flow::StateChange phase);
        void indicative(const order_flow::At& at, const order_flow::Indicative& value);
        void halt(const order_flow::At& at, const auto& message) {
            instruments[at.instrument.value - 1].halt.on(message);
        }

        std::vector<Instrument> instruments;
        std::int64_t time_ns = 0;
        std::uint64_t sequence = 0;      ///< of the current message
        std::uint16_t locate = 0;        ///< of the current message
        std::uint64_t match_number = 0;  ///< of the current message, if it has one

        void bust(InstrumentId id, std::uint64_t busted_number);

      private:
        void add_trade(const order_flow::At& at, Price price, Quantity quantity,
                       std::optional<Side> taker);
    };
    using Books = order_flow::BookBuilder<Tape>;
    struct Market {
        explicit Market(order_flow::BrokenTrades known)
            : flow{books, {.broken = known}}, known_broken{known.size()} {}

        Books books;
        order_flow::ItchFlow<Books> flow;
        std::size_t known_broken;
        std::uint64_t sequence = 0;
    };
    struct Visitor;
    [[nodiscard]] const Tape& tape() const { return market_->books.observer(); }

    std::unique_ptr<Market> market_;
};

}  // namespace damrak::market_stream
