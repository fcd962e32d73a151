// All observers of one exchange, as the observer of its state, see journal/exchange_state.hpp.
// Filled before the journal is replayed; used by the replaying thread, then by the following one.
#pragma once

#include <algorithm>
#include <cstdint>
#include <expected>
#include <functional>
#include <string>
#include <vector>

#include <damrak/feed/market_observer.hpp>
#include <damrak/standard_exchange/gateway_states.hpp>

namespace damrak::exchange {

class MarketObservers : public standard_exchange::StateHearers {
  public:
    using Result = std::expected<void, std::string>;

    void add(feed::MarketObserver& observer) {
        (observer.kept() ? hearing_ : waiting_).push_back(&observer);
    }
    [[nodiscard]] bool has_any() const { return !hearing_.empty() || !waiting_.empty(); }
    /// A restart must replay the records after this one. Any thread, from go_live() on.
    [[nodiscard]] std::uint64_t kept() const {
        std::uint64_t least = UINT64_MAX;
        for (const feed::MarketObserver* const observer : hearing_)
            least = std::min(least, observer->kept().value_or(UINT64_MAX));
        return least;
    }

    void ask_about_orders(const std::function<bool(OrderId)>& is_anonymous) {
        for (const List* const list : {&hearing_, &waiting_})
            for (feed::MarketObserver* const observer : *list)
                observer->ask_about_orders(is_anonymous);
    }
    /// The replay begins after this record. Observers that keep no output do not get it.
    [[nodiscard]] Result begin(const Engine& engine, std::uint64_t position) {
        return each(hearing_,
                    [&](feed::MarketObserver& one) { return one.begin(engine, position); });
    }
    /// The replay ended with this record.
    [[nodiscard]] Result go_live(const Engine& engine, std::uint64_t last) {
        if (auto begun = each(waiting_, [&](auto& one) { return one.begin(engine, last); }); !begun)
            return begun;
        hearing_.insert(hearing_.end(), waiting_.begin(), waiting_.end());
        waiting_.clear();
        return each(hearing_, [&](feed::MarketObserver& one) { return one.go_live(last); });
    }

    [[nodiscard]] bool want_new_session() const {
        return std::ranges::any_of(
            hearing_, [](const auto* observer) { return observer->wants_new_session(); });
    }

    void on_command(const Command& command, const CommandStamp& stamp) {
        for (feed::MarketObserver* const observer : hearing_) observer->on_command(command, stamp);
    }
    void on_other_record(std::uint64_t sequence) {
        for (feed::MarketObserver* const observer : hearing_) observer->on_other_record(sequence);
    }
    void on_event(const Event& event, const CommandStamp& stamp) {
        for (feed::MarketObserver* const observer : hearing_) observer->on_event(event, stamp);
    }
    void on_batch_end(bool caught_up) {
        for (feed::MarketObserver* const observer : hearing_) observer->on_batch_end(caught_up);
    }
    void on_turn(std::int64_t now_ns) {
        for (feed::MarketObserver* const observer : hearing_) observer->on_turn(now_ns);
    }

  private:
    using List = std::vector<feed::MarketObserver*>;

    template <class F>
    [[nodiscard]] static Result each(const List& observers, const F& f) {
        for (feed::MarketObserver* const observer : observers)
            if (auto done = f(*observer); !done) return done;
        return {};
    }

    List hearing_;
    List waiting_;  ///< they begin at the end of the replay
};

using FollowedState = standard_exchange::ExchangeState<MarketObservers>;

}  // namespace damrak::exchange
