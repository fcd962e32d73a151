// How others answer to what own participants did to the book of a what-if replay: the displayed
// depth returns to the recorded depth, exponentially with a time constant. Where own orders took
// orders that the record still has, new ones come; they leave again as the record's depth falls.
// Orders of the record itself are never touched, own orders do not count as depth, and a reaction
// never trades at once. With no own order there is nothing to answer to.
//
// Source: Obizhaeva and Wang (2013), Optimal trading strategy and supply/demand dynamics, for a
// limit order book with exponential resilience.
//
// One thread. An answer costs a walk over the best levels of both books.
#pragma once

#include <cstdint>
#include <map>
#include <utility>

#include <damrak/market_kernel/market.hpp>
#include <damrak/market_runs/market_file.hpp>
#include <damrak/what_if/detail/recorded_market.hpp>

namespace damrak::what_if {

struct ReactionCounts {
    std::uint64_t orders = 0;
    std::int64_t added = 0;      ///< shares
    std::int64_t cancelled = 0;  ///< of those
    std::int64_t filled = 0;     ///< of those
};

class Reaction final : public market_kernel::MarketWatcher {
  public:
    /// Its orders are those of `self`; all participants below `background` are own ones.
    Reaction(const market_runs::ReactionDescription& description, ParticipantId self,
             ParticipantId background)
        : is_(description), self_(self), background_(background) {}

    void on_event(const Event& event, const CommandStamp& stamp) override;
    /// Both markets are at the same moment, an interval after the last answer.
    void answer(market_kernel::Market& market, const RecordedMarket& record);

    [[nodiscard]] std::int64_t interval_ns() const { return is_.interval_ns; }
    [[nodiscard]] const ReactionCounts& counts() const { return counts_; }

  private:
    struct Own {
        Side side{};
        Price price{};
        Quantity open{};
    };
    /// Displayed quantity by price rank (see rank_of), best first.
    using Depth = std::map<std::int64_t, std::int64_t>;

    void answer(market_kernel::Market& market, const RecordedMarket& record, Side side);
    [[nodiscard]] Depth replayed(const Engine& engine, Side side, std::int64_t worst) const;
    void add(market_kernel::Market& market, Side side, Price price, std::int64_t quantity);
    void cancel(market_kernel::Market& market, Side side, Price price, std::int64_t quantity);

    market_runs::ReactionDescription is_;
    ParticipantId self_;
    ParticipantId background_;
    std::map<std::uint64_t, Own> orders_;  ///< by id, the newest last
    /// Shares that an answer owes and that do not make a whole one yet, by side and price rank.
    std::map<std::pair<Side, std::int64_t>, double> owed_;
    ReactionCounts counts_;
    std::uint64_t numbers_ = 0;
};

}  // namespace damrak::what_if
