// State of `damrak term`, without a terminal: own orders, fills, positions, books and messages.
// Commands and answers come in, requests go to the TermGateway, lines come out; term_screen.hpp
// draws them. One thread; for interactive use.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <expected>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <damrak/client/l2_receiver.hpp>
#include <damrak/client/term_command.hpp>
#include <damrak/client/term_gateway.hpp>
#include <damrak/views/position.hpp>

namespace damrak::client {

/// State of the connection, set by its owner.
struct TermLink {
    enum class State : std::uint8_t { connecting, up, waiting, refused };
    State state{};
    std::string where;         ///< host:port
    std::string trouble;       ///< why there is no connection
    std::int64_t retry_s = 0;  ///< waiting: seconds until the next attempt
    std::uint64_t losses = 0;  ///< number of lost connections
};

/// State of the market data.
enum class TermFeed : std::uint8_t {
    off,     ///< not requested
    silent,  ///< nothing arrives: closed, or on another network
    live,
};

/// A line of the terminal's log.
struct TermLine {
    enum class Tone : std::uint8_t { plain, good, bad, bright };
    std::string time;
    std::string text;
    Tone tone{};
};

class TermModel {
  public:
    TermModel(Symbols symbols, TermGateway& entry) : symbols_(std::move(symbols)), entry_(&entry) {}

    /// Executes a command. Returns lines to show, or why it cannot be done. The result of a request
    /// arrives as news. The caller handles `wait` and `quit`.
    std::expected<std::vector<std::string>, std::string> execute(const TermCommand& command);
    /// Formats news as lines.
    std::vector<TermLine> hear(const std::vector<News>& news);
    void on_datagram(std::span<const std::byte> datagram) { feed_.on_datagram(datagram); }

    /// Book from the order-by-order feed, instead of the L2 multicast.
    void set_book(InstrumentId id, L2Receiver::Book book) { feed_books_[id] = std::move(book); }
    /// What the instrument does instead of trading; empty: it trades, or nothing tells.
    void set_state(InstrumentId id, std::string text) { states_[id] = std::move(text); }
    [[nodiscard]] std::string state(InstrumentId id) const {
        const auto found = states_.find(id);
        return found == states_.end() ? std::string{} : found->second;
    }

    /// Adds a line to the messages.
    void say(TermLine line);
    void say(std::string text, TermLine::Tone tone = TermLine::Tone::plain) {
        say({time, std::move(text), tone});
    }

    /// The gateway's, or else the owner's.
    [[nodiscard]] const Symbols& symbols() const {
        const Symbols* const told = entry_->symbols();
        return told == nullptr ? symbols_ : *told;
    }
    void set_symbols(Symbols symbols) { symbols_ = std::move(symbols); }
    [[nodiscard]] const TermGateway& entry() const { return *entry_; }
    /// From the gateway or a feed; null before its first message.
    [[nodiscard]] const L2Receiver::Book* book(InstrumentId id) const {
        if (entry_->tells_books()) return entry_->book(id);
        const auto found = feed_books_.find(id);
        return found == feed_books_.end() ? feed_.book(id) : &found->second;
    }
    /// Why there is no valid book.
    [[nodiscard]] std::string why_no_book(InstrumentId id) const;
    [[nodiscard]] InstrumentId shown() const {
        if (shown_) return shown_;
        return symbols().all().empty() ? InstrumentId{1} : symbols().all().begin()->first;
    }
    [[nodiscard]] const std::deque<TermLine>& lines() const { return lines_; }
    [[nodiscard]] std::vector<std::uint32_t> open_orders() const;
    [[nodiscard]] const std::map<InstrumentId, views::Position>& positions() const {
        return positions_;
    }
    /// The price that values a position: the middle of its book, or the last own fill.
    [[nodiscard]] Price mark(InstrumentId id) const;
    /// Trades, oldest first: of the market, from the gateway or else from the owner; own trades if
    /// neither has them.
    [[nodiscard]] const std::deque<TapeTrade>& tape() const {
        if (entry_->tape() != nullptr) return *entry_->tape();
        return market_trades_ ? *market_trades_ : own_trades_;
    }
    [[nodiscard]] bool tape_is_own() const { return entry_->tape() == nullptr && !market_trades_; }
    /// Appends trades of the market.
    void add_market_trades(std::span<const TapeTrade> trades);
    /// No source delivers them any more.
    void end_market_trades() { market_trades_.reset(); }
    [[nodiscard]] std::string tape_text(const TapeTrade& trade) const;
    /// Profit of all positions.
    [[nodiscard]] Int128 profit() const;
    /// Refusals so far.
    [[nodiscard]] std::uint64_t refusals() const { return refusals_; }

    // Set by the owner.
    TermLink link;
    TermFeed feed_state = TermFeed::off;
    std::string time;  ///< of the day
    Timestamp now{};

  private:
    std::expected<std::vector<std::string>, std::string> enter(const TermCommand& command);
    std::expected<std::vector<std::string>, std::string> quote(const TermCommand& command);
    std::expected<std::vector<std::string>, std::string> modify(const TermCommand& command);
    [[nodiscard]] std::vector<std::string> tape_lines(std::size_t most) const;
    [[nodiscard]] TermLine line_of(const News& news);
    void fill(const News& news);
    void correct(const News& news);
    [[nodiscard]] std::string changed_trade(const News& news) const;
    [[nodiscard]] std::expected<std::vector<std::string>, std::string> show_book(
        const TermCommand& command);
    [[nodiscard]] std::vector<std::string> order_lines() const;
    [[nodiscard]] std::vector<std::string> position_lines() const;
    [[nodiscard]] std::expected<std::vector<std::string>, std::string> no_order(
        std::uint32_t number) const;

    static constexpr std::size_t k_most_lines = 500;

    Symbols symbols_;
    TermGateway* entry_;
    L2Receiver feed_;
    std::map<InstrumentId, L2Receiver::Book> feed_books_;
    std::map<InstrumentId, std::string> states_;
    InstrumentId shown_{};  ///< zero: the first
    std::deque<TermLine> lines_;
    std::map<InstrumentId, views::Position> positions_;
    std::map<InstrumentId, Price> last_fill_;
    std::deque<TapeTrade> own_trades_;
    std::optional<std::deque<TapeTrade>> market_trades_;  ///< none: no source
    std::uint64_t refusals_ = 0;
};

/// "+12.34": price units times quantity, in the currency.
[[nodiscard]] std::string money_text(Int128 value);
[[nodiscard]] std::string describe_order(const OwnOrder& order, const Symbols& symbols);

}  // namespace damrak::client
