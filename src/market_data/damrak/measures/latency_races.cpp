#include <damrak/measures/latency_races.hpp>

#include <algorithm>

namespace damrak::measures {
namespace {

std::size_t index_of(Side side) { return static_cast<std::size_t>(side); }

}  // namespace

void LatencyRaces::take(Timestamp time, ParticipantId who, OrderId order, Side side, Price price,
                        Quantity quantity) {
    Take& last = last_[index_of(side)];
    const bool is_same = last.winner == who && last.order == order;
    // Who else takes something within the window has neither won nor failed.
    if (!is_same && is_near(last, time)) return;
    if (!is_same) {
        close(last);
        last = {.time = time, .winner = who, .order = order, .side = side, .losers = {}};
    }
    last.shares += quantity.value;
    last.paid += quantity.value * price.value;
}

void LatencyRaces::taken(Timestamp time, ParticipantId who, Side taker_side) {
    Take& take = taken_[who.value];
    take.time = time;
    take.winner = who;
    take.side = taker_side;
}

void LatencyRaces::take_failed(Timestamp time, ParticipantId who, OrderId order, Side side) {
    Take& last = last_[index_of(side)];
    if (is_near(last, time) && last.order != order) lose(last, who);
}

void LatencyRaces::cancel_failed(Timestamp time, ParticipantId who) {
    const auto found = taken_.find(who.value);
    if (found == taken_.end() || !is_near(found->second, time)) return;
    Take& last = last_[index_of(found->second.side)];
    if (is_near(last, time)) lose(last, who);
}

void LatencyRaces::lose(Take& take, ParticipantId who) {
    if (who != take.winner && std::ranges::find(take.losers, who) == take.losers.end())
        take.losers.push_back(who);
}

void LatencyRaces::close(Take& take) {
    if (!take.winner || take.losers.empty()) return;
    ++races_;
    for (const ParticipantId loser : take.losers) ++results_[loser.value].entered;
    RaceResult& winner = results_[take.winner.value];
    ++winner.entered;
    ++winner.won;
    won_.push_back(take);
    take = {};
}

void LatencyRaces::settle(Timestamp until, std::int64_t twice_mid) {
    for (Take& last : last_)
        if (last.winner && !is_near(last, until)) close(last);
    // Races of both sides are closed out of order by less than the window.
    while (!won_.empty() && won_.front().time.value + k_rent_after_ns <= until.value) {
        const Take& take = won_.front();
        if (twice_mid != 0) {
            RaceResult& winner = results_[take.winner.value];
            const std::int64_t sign = take.side == Side::buy ? 1 : -1;
            winner.shares += take.shares;
            winner.twice_rent += sign * (twice_mid * take.shares - 2 * take.paid);
        }
        won_.pop_front();
    }
}

}  // namespace damrak::measures
