// docs/rule-book/allocation.md: the orders at one price share an incoming order.
#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>
#include <vector>

#include <damrak/base/wide_integer.hpp>

#include "support/reference/meeting.hpp"
#include "support/reference/reference_engine.hpp"

namespace damrak::reference {

namespace {

/// An order at the price. `left` and `got` change from step to step.
struct Allotted {
    Queue::iterator order;
    std::int64_t left = 0;
    std::int64_t got = 0;
    bool without = false;  ///< pro rata gave it nothing
};

/// `amount` times a percentage in hundredths, in lots.
std::int64_t percent_of(std::int64_t amount, std::int64_t hundredths, std::int64_t lot) {
    const std::int64_t lots = amount / lot;
    return (lots / 10'000 * hundredths + lots % 10'000 * hundredths / 10'000) * lot;
}

/// The steps of AL-3 to AL-10, one after the other, and then time.
class Sharing {
  public:
    Sharing(const Instrument& market, const Order& incoming, const std::vector<Queue::iterator>& at)
        : market_{market},
          rules_{market.allocation},
          lot_{market.definition.lot_size.value},
          incoming_{incoming},
          left_{incoming.open.value} {
        for (const auto& order : at) shares_.push_back({order, tradable(*order).value});
        for (const AllocationStep step : rules_.steps) take(step);
        give_by_time(left_);
    }

    [[nodiscard]] const std::vector<Allotted>& shares() const { return shares_; }

  private:
    void take(AllocationStep step) {
        if (step == AllocationStep::top) top();
        if (step == AllocationStep::lead_makers) lead_makers();
        if (step == AllocationStep::split) give_by_time(split());
        if (step == AllocationStep::pro_rata) pro_rata();
        if (step == AllocationStep::leveling) leveling();
        if (step == AllocationStep::size)
            for (Allotted* share : by_size()) give(*share, left_);
        if (step == AllocationStep::same_broker)
            for (Allotted& share : shares_)
                if (share.order->participant == incoming_.participant) give(share, left_);
    }
    std::int64_t give(Allotted& share, std::int64_t quantity) {
        const std::int64_t given = std::min({quantity, share.left, left_});
        share.left -= given;
        share.got += given;
        left_ -= given;
        return given;
    }
    void give_by_time(std::int64_t quantity) {
        for (Allotted& share : shares_) quantity -= give(share, quantity);
    }
    void top() {
        const std::int64_t most = rules_.top_maximum.value / lot_ * lot_;
        for (Allotted& share : shares_)
            if (share.order->top) give(share, most);
    }
    void lead_makers() {
        const std::int64_t base = left_;
        std::map<ParticipantId, std::int64_t> due;
        for (const auto& [maker, hundredths] : market_.lead_makers)
            due[maker] = percent_of(base, hundredths, lot_);
        for (Allotted& share : shares_)
            if (const auto maker = due.find(share.order->participant); maker != due.end())
                maker->second -= give(share, maker->second);
    }
    [[nodiscard]] std::int64_t split() const {
        const std::int64_t down = percent_of(left_, rules_.split_basis_points, lot_);
        const std::int64_t rest =
            left_ / lot_ % 10'000 * rules_.split_basis_points % 10'000;  // of a lot
        const bool up = rules_.split_rounding == 1 ? rest >= 5'000 : rest > 0;
        return down + (rules_.split_rounding != 0 && up ? lot_ : 0);
    }
    void pro_rata() {
        const std::int64_t base = left_;
        std::int64_t level = 0;
        for (const Allotted& share : shares_) level += share.left;
        if (base >= level) return give_by_time(left_);
        for (Allotted& share : shares_) {
            const Uint128 product = Uint128(base) * Uint128(share.left);
            std::int64_t due = static_cast<std::int64_t>(product / Uint128(level)) / lot_ * lot_;
            if (due < rules_.pro_rata_minimum.value) due = 0;
            share.without = due == 0 && share.left > 0;
            give(share, due);
        }
    }
    void leveling() {
        for (Allotted* share : by_size())
            if (share->without) give(*share, lot_);
    }
    [[nodiscard]] std::vector<Allotted*> by_size() {
        std::vector<Allotted*> all;
        for (Allotted& share : shares_) all.push_back(&share);
        std::ranges::stable_sort(all, std::ranges::greater{}, &Allotted::left);
        return all;
    }

    const Instrument& market_;
    const AllocationDetails& rules_;
    std::int64_t lot_;
    const Order& incoming_;
    std::int64_t left_;
    std::vector<Allotted> shares_;
};

/// AL-12.
bool fit_together(const AllocationDetails& rules) {
    std::map<AllocationStep, std::size_t> places;
    for (std::size_t i = 0; i < rules.steps.size(); ++i) {
        const AllocationStep step = rules.steps.at(i);
        if (step > AllocationStep::same_broker) return false;
        if (step == AllocationStep::none) continue;
        if (places.size() != i || places.contains(step)) return false;
        places[step] = i;
    }
    const auto leveling = places.find(AllocationStep::leveling);
    if (leveling != places.end()) {
        const auto pro_rata = places.find(AllocationStep::pro_rata);
        if (pro_rata == places.end() || pro_rata->second + 1 != leveling->second) return false;
    }
    if (rules.split_basis_points != 0 && !places.contains(AllocationStep::split)) return false;
    return rules.split_rounding <= 2 && rules.split_basis_points <= 10'000 &&
           rules.top_minimum.value >= 0 && rules.top_maximum >= rules.top_minimum &&
           rules.pro_rata_minimum.value >= 0;
}

}  // namespace

void ReferenceEngine::set_allocation(const Command& command) {
    if (!knows(command.instrument)) return reject(command, Reason::unknown_instrument);
    if (!fit_together(command.allocation)) return reject(command, Reason::invalid_rules);
    instrument(command.instrument).allocation = command.allocation;
    clear_top(instrument(command.instrument));
    Command notice = command;
    notice.participant = {};
    emit_notice(notice, EventKind::allocation_set, 0);
}

void ReferenceEngine::set_lead_maker(const Command& command) {
    if (!knows(command.instrument)) return reject(command, Reason::unknown_instrument);
    if (!knows(command.participant)) return reject(command, Reason::unknown_participant);
    auto& makers = instrument(command.instrument).lead_makers;
    const std::int64_t hundredths = command.lead_maker.basis_points;
    if (hundredths > 10'000) return reject(command, Reason::invalid_rules);
    if (hundredths == 0)
        makers.erase(command.participant);
    else if (makers.size() == 8 && !makers.contains(command.participant))
        return reject(command, Reason::lead_makers_full);
    else
        makers[command.participant] = hundredths;
    emit_notice(command, EventKind::lead_maker_set, 0);
}

/// AL-4: an order that comes to rest.
void ReferenceEngine::note_top(Order& order) {
    Instrument& market = instrument(order.instrument);
    order.top = false;
    const bool shown = !order.hidden && !order.held && !order.aside;
    if (!market.shares() || market.collects() || !shown) return;
    Levels& levels = market.levels(order.side);
    for (const auto& [price, level] : levels) {
        const bool occupied = !level.displayed.empty() || !level.hidden.empty();
        if (occupied && !BestFirst{order.side}(order.price, price)) return;
    }
    clear_top(levels);
    order.top = tradable(order) >= market.allocation.top_minimum;
}

/// One round after the other, as icebergs show their next slices.
void ReferenceEngine::match_sharing(Order& order, Queue& queue, Matching& matching) {
    while (order.open.value > 0) {
        std::vector<Queue::iterator> others;
        for (auto at = queue.begin(); at != queue.end();) {
            if (!is_own(*at, order)) {
                others.push_back(at++);
            } else if (order.self_trade_prevention == SelfTradePrevention::skip_own) {
                matching.passed_own_in_level = true;
                ++at;
            } else {
                at = prevent_self_trade(order, queue, at, matching);
                if (order.open.value == 0 || matching.stopped != Reason::none) return;
            }
        }
        if (others.empty()) return;
        const std::vector<Allotted> shares =
            Sharing{instrument(order.instrument), order, others}.shares();
        for (const Allotted& share : shares)
            if (share.got > 0) trade(order, queue, share.order, {}, Quantity{share.got});
    }
}

}  // namespace damrak::reference
