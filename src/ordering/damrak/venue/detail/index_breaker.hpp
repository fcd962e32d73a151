// The market-wide breaker of a venue: an index of last prices, and the level that it has fallen to.
// The supervisor halts and reopens the instruments.
//
// After a restart, levels below the last close that the index stands at count as those that
// halted before it.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include <damrak/auction/market_breaker.hpp>
#include <damrak/domain/instrument.hpp>
#include <damrak/venue/market_hours.hpp>
#include <damrak/venue/venue.hpp>

namespace damrak::venue::detail {

class IndexBreaker {
  public:
    /// Both must outlive it.
    IndexBreaker(const BreakerRule& rules, const MarketHours& hours, Timestamp now);

    /// Another instrument, with its last price or none. It counts if it is a part of the index.
    void add(const InstrumentDefinition& definition, Price last);
    void on_price(InstrumentId instrument, Price price);
    /// The price of the instrument is its close of the day.
    void on_close(InstrumentId instrument);

    /// All instruments were added, and some of them are in a halt that began then, or closed for a
    /// day that had begun by then.
    void restore(Timestamp now, std::optional<Timestamp> halted_since,
                 std::optional<Timestamp> closed_since);
    /// The level that halts the market now, if one does.
    [[nodiscard]] std::optional<int> look(Timestamp now);
    void on_time(Timestamp now);
    void resume() { breaker_->resume(); }

    [[nodiscard]] auction::MarketBreaker::Phase phase() const {
        return breaker_ ? breaker_->phase() : auction::MarketBreaker::Phase::trading;
    }
    /// The level of the last halt of the day.
    [[nodiscard]] int reached() const { return breaker_->reached(); }
    /// Those of a day that has begun since the last call.
    [[nodiscard]] std::optional<BreakerLevels> take_levels();
    [[nodiscard]] bool has_new_levels() const { return has_new_levels_; }
    /// When a halt ends, or the next day begins.
    [[nodiscard]] Timestamp next() const;

  private:
    struct Part {
        InstrumentId instrument{};
        auction::Wide scale = 0;  ///< weight, times billionths in a price unit
        Price last{};
        Price close{};
    };

    Part* find(InstrumentId instrument);
    [[nodiscard]] bool is_complete() const { return missing_ == 0 && !parts_.empty(); }
    void begin_day(auction::Wide last_close, Timestamp now);

    const BreakerRule* rules_;
    const MarketHours* hours_;
    std::vector<Part> parts_;
    std::size_t missing_;                            ///< parts without a price
    auction::Wide value_ = 0;                        ///< in billionths of the currency
    std::optional<auction::MarketBreaker> breaker_;  ///< none until the last close is known
    bool has_new_levels_ = false;
    Timestamp next_opening_;
};

}  // namespace damrak::venue::detail
