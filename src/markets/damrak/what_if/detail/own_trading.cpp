#include <damrak/what_if/detail/own_trading.hpp>

#include <algorithm>
#include <cstdlib>

namespace damrak::what_if {

OwnTrading::OwnTrading(std::vector<std::string> groups, const RecordedMarket& record)
    : record_(&record) {
    for (std::string& name : groups) {
        if (groups_.empty() || groups_.back().group != name) {
            groups_.emplace_back();
            groups_.back().group = std::move(name);
        }
        group_of_.push_back(static_cast<std::uint32_t>(groups_.size() - 1));
    }
}

void OwnTrading::on_sent(ParticipantId participant, const Command& command, Timestamp time) {
    if (participant.value > group_of_.size()) return;
    if (!first_action_) first_action_ = time;
    GroupTrading& group = groups_[group_of_[participant.value - 1]];
    ++group.messages;
    if (command.kind == CommandKind::new_order) ++group.orders;
    const Top& top = record_->top();
    if (!group.arrival_x2 && top.has_both()) group.arrival_x2 = top.twice_mid();
}

void OwnTrading::on_event(const Event& event, const CommandStamp& stamp) {
    if (event.kind != EventKind::executed) return;
    if (!event.participant || event.participant.value > group_of_.size()) return;
    const std::uint32_t index = group_of_[event.participant.value - 1];
    GroupTrading& group = groups_[index];
    const bool buys = event.side == Side::buy;
    const std::int64_t quantity = event.quantity.value;
    const std::int64_t sign = buys ? 1 : -1;
    ++group.fills;
    (buys ? group.bought : group.sold) += quantity;
    if (!has_flag(event, EventFlags::k_aggressor)) group.maker_quantity += quantity;
    const Top& top = record_->top();
    if (!top.has_both()) return;
    const auto cost = [&](std::int64_t twice_mid) {
        return static_cast<double>(sign * quantity * (2 * event.price.value - twice_mid)) / 2;
    };
    group.slippage_quantity += quantity;
    group.slippage += cost(top.twice_mid());
    group.shortfall += cost(group.arrival_x2.value_or(top.twice_mid()));
    for (std::size_t i = 0; i < k_markout_ns.size(); ++i)
        waiting_[i].push_back({.due = {stamp.timestamp.value + k_markout_ns[i]},
                               .group = index,
                               .signed_quantity = sign * quantity,
                               .price = event.price});
}

void OwnTrading::settle(Timestamp time) {
    for (std::size_t i = 0; i < k_markout_ns.size(); ++i) {
        auto& waiting = waiting_[i];
        for (; !waiting.empty() && waiting.front().due < time; waiting.pop_front()) {
            const Top& top = record_->top();
            if (!top.has_both()) continue;
            const Waiting& fill = waiting.front();
            Markout& markout = groups_[fill.group].markouts[i];
            markout.quantity += std::abs(fill.signed_quantity);
            markout.sum += static_cast<double>(fill.signed_quantity *
                                               (top.twice_mid() - 2 * fill.price.value)) /
                           2;
        }
    }
}

}  // namespace damrak::what_if
