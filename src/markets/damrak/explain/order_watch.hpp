// Explains what became of the orders of a group of participants: what stood ahead of each, what
// happened to that, and why it was filled or not. Watches a market from its beginning and changes
// nothing in it; works in populated markets and in replays of recorded days alike.
//
//   explain::OrderWatch watch{members, {.group = "makers", .number = 3}};
//   Market market{std::move(setup), {&watch}};
//   market.run_until(end);
//   watch.finish();
//   const Fate& third = watch.fates().front();
//
// Displayed orders are counted exactly; hidden ones only when they trade. One thread. An event
// costs a look-up in a tree, and a comparison for each open order that is followed. Memory is the
// open orders of the market, 256 best prices of each side, and the orders that are followed.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <damrak/explain/detail/fate.hpp>
#include <damrak/explain/detail/order_mirror.hpp>
#include <damrak/market_kernel/market.hpp>

namespace damrak::explain {

/// Whose a participant is; ids are from 1 in the order of these.
struct Member {
    std::string group;
    std::uint32_t member = 0;
    std::uint32_t members = 1;
};

/// Which orders are to be explained.
struct Question {
    std::string group;
    std::optional<std::uint64_t> number;  ///< only this order, from 1; else the first ones
    std::uint64_t limit = 20;             ///< at most this many
};

class OrderWatch final : public market_kernel::MarketWatcher {
  public:
    OrderWatch(std::vector<Member> members, Question question);

    void on_sent(ParticipantId participant, const Command& command, Timestamp time) override;
    void on_event(const Event& event, const CommandStamp& stamp) override;
    void on_change(InstrumentId instrument, const views::PublicChange& change) override;
    /// The market ran to this time; without one, to the last thing that happened.
    void finish(std::optional<Timestamp> end = {});

    /// After finish(), in the order of sending.
    [[nodiscard]] const std::vector<Fate>& fates() const { return fates_; }
    /// Orders of the group, whether followed or not.
    [[nodiscard]] std::uint64_t orders() const { return orders_; }
    [[nodiscard]] const Question& question() const { return question_; }
    [[nodiscard]] const std::vector<Member>& members() const { return members_; }

  private:
    using Index = std::size_t;  ///< of fates_
    struct Best {
        Timestamp since{};
        Price price{};
        bool is_there = false;
    };
    /// Best prices of one side over time, the current one last.
    struct BestPrices {
        static constexpr std::size_t k_kept = 256;
        std::array<Best, k_kept> ring{};
        std::uint64_t count = 0;
        Quantity quantity{};  ///< at the current one
        [[nodiscard]] const Best& back(std::uint64_t i) const {
            return ring[(count - 1 - i) % k_kept];
        }
    };

    [[nodiscard]] BestPrices& across(InstrumentId instrument, Side side);
    [[nodiscard]] std::optional<Facing> facing(InstrumentId instrument, Side side);
    [[nodiscard]] std::optional<Missed> missed(const Fate& fate, Timestamp now);
    void note_best(BestPrices& prices, const Best& best, Quantity quantity);
    void arrive(const Event& event, Timestamp now);
    void refuse(const Event& event, Timestamp now);
    void note_own(Index index, const Event& event, const OrderMirror::Change& change,
                  Timestamp now);
    void begin_stay(Index index, const Standing& standing, Timestamp now);
    void end_stay(Index index, Timestamp now);
    void look_across(Index index, const Standing& standing);
    void note_ahead(Index self, const Event& event, const OrderMirror::Change& change,
                    Timestamp now);
    void note_trade(const Event& taker, const Standing& taking, Timestamp now);

    std::vector<Member> members_;
    Question question_;
    std::uint64_t orders_ = 0;
    Timestamp latest_{};
    std::vector<Fate> fates_;
    OrderMirror mirror_;
    std::map<std::pair<std::uint32_t, std::uint64_t>, Index> under_way_;  ///< by the owner's number
    std::map<std::uint64_t, Index> by_id_;                                ///< also done ones
    std::map<Index, Standing> resting_;
    std::map<std::uint64_t, BestPrices> bests_;  ///< by instrument and side
    Event maker_event_{};                        ///< of the current trade
    Standing maker_{};                           ///< before it
};

}  // namespace damrak::explain
