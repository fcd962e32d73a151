// What each group of participants of a simulated market earned, held and paid, and how the price
// moved after its passive fills. Watches a market, for one instrument; needs owners, so recorded
// days have none of it. One thread; a fill costs a look-up and a place in a queue for 60 s.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include <damrak/market_kernel/market.hpp>
#include <damrak/market_runs/detail/value_error.hpp>
#include <damrak/measures/latency_races.hpp>
#include <damrak/measures/measures.hpp>
#include <damrak/measures/obligation.hpp>

namespace damrak::market_runs {

/// By the trades themselves, in whole numbers.
struct GroupResult {
    std::string group;
    std::int64_t cash = 0;  ///< received less paid, fees included
    std::int64_t fees = 0;
    std::int64_t position = 0;
    /// Twice the profit: cash, payments for obligations, and the position at the last mid.
    std::int64_t twice_profit = 0;
    bool has_profit = false;             ///< there was a mid, or nothing to value
    std::int64_t largest_inventory = 0;  ///< of the group, long or short
    measures::TimeWeighted inventory;
    std::uint64_t messages = 0;  ///< sent: new orders, cancels, replaces
    std::uint64_t rejected = 0;  ///< of them, by the engine
    std::int64_t maker_volume = 0;
    std::int64_t taker_volume = 0;
    /// Mid against the own passive fill after 1, 10, 60 s, in price units; positive is a loss.
    std::array<measures::Moments, 3> adverse_selection{};
    measures::QuotingResult quoting{};  ///< if the group has an obligation
    measures::RaceResult races;
};

/// Feeds the measures of one instrument from a market in virtual time.
class MarketMeasures final : public market_kernel::MarketWatcher {
  public:
    static constexpr std::array<std::int64_t, 3> k_adverse_s{1, 10, 60};

    /// `group_of[i]` is the group of participant i + 1; fees as in the market's exchange model.
    MarketMeasures(InstrumentId instrument, const measures::Settings& settings,
                   const std::vector<std::string>& group_of,
                   const market_kernel::ExchangeModel& exchange);
    /// Before the market runs, which begins at `begin`. One for each group at most.
    void oblige(const measures::Obligation& obligation, Timestamp begin);
    /// Also measures how far the price is from the value, whose paths must outlive this.
    void compare_with(market_kernel::Fundamentals& values, Timestamp begin) {
        value_error_.emplace(values, instrument_, begin);
    }

    void on_event(const Event& event, const CommandStamp& stamp) override;
    void on_change(InstrumentId instrument, const views::PublicChange& change) override;
    void on_sent(ParticipantId participant, const Command& command, Timestamp time) override;

    /// The market ran to this time.
    [[nodiscard]] measures::Results finish(Timestamp end);
    /// After finish(), in the order in which the groups first appear.
    [[nodiscard]] const std::vector<GroupResult>& groups() const { return groups_; }

  private:
    struct Fill {
        Timestamp time{};
        std::size_t group = 0;
        std::int64_t sign = 0;
        std::int64_t twice_mid = 0;
    };
    void note_fill(const Event& event, Timestamp time);
    void settle(Timestamp until);
    void add_message(measures::OrderMessage::Kind kind, Quantity quantity, const Event& event,
                     Timestamp time);
    void note_race(const Event& event, Timestamp time);

    InstrumentId instrument_;
    market_kernel::ExchangeModel exchange_;
    measures::Settings settings_;
    measures::Measures measures_;
    std::vector<std::size_t> groups_of_;  ///< by participant
    std::vector<GroupResult> groups_;
    std::vector<Timestamp> held_since_;  ///< by group: the current position
    std::array<std::deque<Fill>, k_adverse_s.size()> fills_;
    struct Watch {
        std::size_t group = 0;
        measures::QuotingWatch quoting;
    };
    std::vector<Watch> watches_;
    measures::LatencyRaces races_;
    std::optional<detail::ValueError> value_error_;
    std::int64_t twice_mid_ = 0;  ///< latest; zero: there was none
};

}  // namespace damrak::market_runs
