// What market makers are obliged to, and whether they do it: presence (share of the time of trading
// with quotes on both sides), a maximum spread and a minimum quantity, judged in periods and paid
// for. Definitions: docs/reference/measures.md. Rules of this form: MiFID II RTS 8 (presence for
// half of the day), and the market maker programmes of exchanges.
//
// Watches the events of one instrument and of the makers of one group. A change of a maker's order
// costs a few look-ups in small maps; others cost a look-up in a table.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include <damrak/domain/event.hpp>
#include <damrak/measures/statistics.hpp>

namespace damrak::measures {

struct Obligation {
    std::string group;
    double presence = 0.8;                ///< share of each period
    std::int64_t most_spread_ticks = 10;  ///< between prices down to which least_quantity rests
    std::int64_t least_quantity = 100;    ///< on each side
    std::int64_t period_ns = 60'000'000'000;
    std::int64_t reward = 0;   ///< in price units, to each maker for each period that it meets
    std::int64_t penalty = 0;  ///< of each maker for each other period
    friend bool operator==(const Obligation&, const Obligation&) = default;
};

/// Of all makers of a group.
struct QuotingResult {
    std::uint32_t makers = 0;  ///< zero: the group has no obligation
    double trading_s = 0;      ///< summed over the makers
    double present_s = 0;      ///< of it, within the obligation
    TimeWeighted spread;       ///< of own quotes of least_quantity, in ticks, while both rest
    std::uint64_t periods = 0;
    std::uint64_t met = 0;
    std::int64_t payment = 0;  ///< rewards less penalties, in price units
};

/// Measures how long and how well market makers quote.
class QuotingWatch {
  public:
    /// `is_maker[i]`: participant i + 1 is of the group.
    QuotingWatch(const Obligation& obligation, std::int64_t tick, std::vector<bool> is_maker,
                 Timestamp begin);

    /// Of the instrument.
    void on_event(const Event& event, Timestamp time);
    void set_trading(bool is_trading, Timestamp time);
    /// A period that is not over counts in the times alone.
    [[nodiscard]] QuotingResult finish(Timestamp end);

  private:
    struct Resting {
        Side side{};
        std::int64_t price = 0;
        std::int64_t displayed = 0;
    };
    struct Maker {
        std::map<std::uint64_t, Resting> orders;            ///< by order id
        std::map<std::int64_t, std::int64_t> displayed[2];  ///< by side: price, quantity
        Timestamp since{};
        std::int64_t spread_ticks = -1;  ///< negative: a side does not rest with least_quantity
        std::int64_t period_trading_ns = 0;
        std::int64_t period_present_ns = 0;
    };
    void show(Maker& maker, std::uint64_t order, const Resting& resting);
    void hide(Maker& maker, std::uint64_t order);
    void judge(Maker& maker) const;
    void settle(Maker& maker, Timestamp until);
    void pass(Maker& maker, std::int64_t duration_ns);
    void close_period(Maker& maker);

    Obligation is_;
    std::int64_t tick_;
    Timestamp begin_;
    bool is_trading_ = true;
    std::vector<std::size_t> maker_of_;  ///< by participant: place in makers_, counted from one
    std::vector<Maker> makers_;
    QuotingResult result_;
};

}  // namespace damrak::measures
