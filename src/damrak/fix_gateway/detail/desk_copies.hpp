// Copies of reports, for sessions that watch the orders of others. Part of fix_desk.hpp.
#pragma once

#include <algorithm>

#include <damrak/fix_gateway/desk.hpp>
#include <damrak/fix_gateway/detail/desk_reports.hpp>

namespace damrak::gateway {

/// Copies are kept for sessions that have never logged on, too. Where there are no copies any more,
/// nothing of other doors is followed.
template <class Exchange, class Store>
void FixDesk<Exchange, Store>::add_copied() {
    for (std::size_t i = 0; i < places_.size(); ++i)
        if (places_[i].client == nullptr && directory_->settings(i).drop_copy)
            static_cast<void>(begin_arrival(i));
    // Nobody trades yet: this may wait for the disk.
    while (awaits_disk()) take_arrived([](ConnectionNumber, Client*, std::string_view) {});
    orders_.follow_all(!copied_to_.empty());
}

/// To those who watch the orders of others. What was refused, or only asked for, is not copied.
template <class Exchange, class Store>
void FixDesk<Exchange, Store>::copy(const Event& event, const CommandStamp& stamp,
                                    const Applied& applied) {
    if (applied.order == nullptr || event.kind == EventKind::rejected) return;
    detail::Execution execution = detail::execution_of(
        *applied.orders, *applied.order, instruments_.definition(applied.order->instrument));
    execution.event = {.sequence = stamp.sequence, .index = index_};
    execution.time = stamp.timestamp;
    execution.is_copy = true;
    const ParticipantId whose = applied.order->participant;
    const detail::FixedText<16> whose_text{"{}", whose.value};
    session::fix::Routing routing;
    routing.set(session::fix::Routing::k_on_behalf_of_comp_id, whose_text.view());
    for (Client* const client : copied_to_) {
        const auto& wanted = client->settings.copied_participants;
        const bool is_wanted = wanted.empty() || std::ranges::find(wanted, whose) != wanted.end();
        if (!is_wanted) continue;
        const detail::ReportStyle style = client->style();
        detail::Execution copied = execution;
        if (!detail::describe_event(event, applied, style, copied)) continue;
        send_routed(*client, "8", routing,
                    [&](auto& writer) { detail::put_execution(writer, style, copied); });
    }
}

}  // namespace damrak::gateway
