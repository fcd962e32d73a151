// The public side of a market: turns the events of each command into public changes, keeps the log
// of each instrument, and knows who subscribed to what. See market.hpp for threads and costs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <damrak/auction/curves.hpp>
#include <damrak/base/reserved_array.hpp>
#include <damrak/domain/event.hpp>
#include <damrak/engine/engine.hpp>
#include <damrak/market_kernel/detail/due.hpp>
#include <damrak/market_kernel/detail/public_log.hpp>
#include <damrak/market_kernel/market.hpp>

namespace damrak::market_kernel::detail {

class PublicSide {
  public:
    /// Price levels of an auction: EngineConfig::maximum_prices().
    PublicSide(std::uint32_t instruments, std::size_t most_prices);

    /// The order of an event, before what the event says of it is in the slot.
    void note(const Event& event, OrderSlot& slot);
    void note_trade(const Event& event, Side taker);
    void note_trading_state(const Event& event);
    /// The command is done: publishes what was noted. `f(instrument, change)` for each change,
    /// `g(instrument, news)` for each instrument with news.
    template <class F, class G>
    void publish(const Engine& engine, Timestamp time, F&& f, G&& g);

    [[nodiscard]] PublicLog& log(InstrumentId id) { return logs_[id.value - 1]; }
    [[nodiscard]] const PublicLog& log(InstrumentId id) const { return logs_[id.value - 1]; }
    [[nodiscard]] bool has_news() const { return !noted_.empty(); }

  private:
    struct Noted {
        InstrumentId instrument{};
        views::PublicChange::Kind kind{};
        Side side{};
        TradingState state{};
        Price price{};
        Quantity quantity{};
        friend bool operator==(const Noted&, const Noted&) = default;
    };

    void note_level(InstrumentId instrument, Side side, Price price);
    /// Of a record: the state after the command in it.
    [[nodiscard]] views::PublicChange change_of(const Noted& noted,
                                                const views::PublicChange& before,
                                                const views::PublicChange& top) const;
    [[nodiscard]] views::PublicChange top_of(const Engine& engine, InstrumentId id);
    static void fill_level(const Engine& engine, const Noted& noted, views::PublicChange& change);

    std::vector<PublicLog> logs_;
    std::vector<Noted> noted_;  ///< of the current command
    ReservedArray<auction::PriceLevel> call_levels_;
};

template <class F, class G>
void PublicSide::publish(const Engine& engine, Timestamp time, F&& f, G&& g) {
    for (std::size_t i = 0; i < noted_.size();) {
        const InstrumentId id = noted_[i].instrument;
        PublicLog& log = this->log(id);
        const views::PublicChange before = log.last();
        views::PublicChange top = top_of(engine, id);
        top.time = time;
        std::uint8_t news = 0;
        for (; i < noted_.size() && noted_[i].instrument == id; ++i) {
            views::PublicChange change = change_of(noted_[i], log.last(), top);
            if (change.kind == views::PublicChange::Kind::level)
                fill_level(engine, noted_[i], change);
            news |= static_cast<std::uint8_t>(
                change.kind == views::PublicChange::Kind::level   ? MarketNews::any_level
                : change.kind == views::PublicChange::Kind::trade ? MarketNews::trade
                                                                  : MarketNews::trading_state);
            log.add(change);
            f(id, change);
        }
        if (before.bid != top.bid || before.ask != top.ask ||
            before.bid_quantity != top.bid_quantity || before.ask_quantity != top.ask_quantity)
            news |= static_cast<std::uint8_t>(MarketNews::top_of_book);
        g(id, static_cast<MarketNews>(news));
    }
    noted_.clear();
}

}  // namespace damrak::market_kernel::detail
