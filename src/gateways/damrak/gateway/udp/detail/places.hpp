// The places for senders of the UDP gateway: who gets one and when it is freed. Part of
// udp_gateway.hpp.
#pragma once

#include <algorithm>

#include <damrak/gateway/udp/udp_gateway.hpp>

namespace damrak::gateway::udp {

template <class Path, class Clock, class Exchange>
void UdpGateway<Path, Clock, Exchange>::keep_time() {
    timers_due_ = {time_.value + k_timers_ns};
    for (session::ActivityList* const list : {&activity_, &anonymous_activity_})
        list->expire({time_.value - config_.source_timeout_ns}, [this, list](auto& node) {
            auto& source = static_cast<Source&>(node);
            if (end(source))
                ++counters_.forgotten;
            else
                list->add(source, time_);
        });
    publish();
}

template <class Path, class Clock, class Exchange>
void UdpGateway<Path, Clock, Exchange>::publish() {
    counters_.sources = clients_.sources();
    counters_.anonymous = senders_.figures().strangers;
    counters_.maximum_sources = config_.maximum_sources;
    counters_.maximum_anonymous = maximum_anonymous();
    published_.store(counters_);
    published_path_.store(path_->counters());
}

// Anybody can invent addresses: if some senders are identified, all others together get only a part
// of the places.
template <class Path, class Clock, class Exchange>
std::uint32_t UdpGateway<Path, Clock, Exchange>::maximum_anonymous() const {
    const Identities& identities = participants_->identities();
    if (!identities.has_keys() && !identities.has_sources()) return config_.maximum_sources;
    return config_.maximum_anonymous != 0
               ? std::min(config_.maximum_anonymous, config_.maximum_sources)
               : config_.maximum_sources / 2;
}

// Finds a place for another sender. An anonymous one never replaces an identified one.
template <class Path, class Clock, class Exchange>
budget::Row::Place UdpGateway<Path, Clock, Exchange>::take_place(const budget::Who& who) {
    senders_.set(budget::Row::Parts::of(config_.maximum_sources, maximum_anonymous()));
    auto place = senders_.take(who);
    const bool may_try = !place && (place.error() == budget::Refusal::host
                                        ? make_place_of(who.host)
                                        : make_place(anonymous_activity_) ||
                                              (who.identity && make_place(activity_)));
    if (may_try) place = senders_.take(who);
    return place ? *std::move(place) : budget::Row::Place{};
}

// A host that has all it may have gets the place of an idle sender of its own.
template <class Path, class Clock, class Exchange>
bool UdpGateway<Path, Clock, Exchange>::make_place_of(net::ClientAddress host) {
    auto* const own = static_cast<Source*>(
        anonymous_activity_.find(k_looks, [&](const session::ActivityList::Node& node) {
            const auto& source = static_cast<const Source&>(node);
            return net::ClientAddress::of(source.endpoint) == host &&
                   source.last_activity() <= Timestamp{time_.value - k_idle_ns};
        }));
    if (own == nullptr) return false;
    anonymous_activity_.remove(*own);
    if (end(*own)) {
        ++counters_.replaced;
        return true;
    }
    anonymous_activity_.add(*own, time_);
    return false;
}

// Checks the senders that were silent the longest. A sender in use counts as active now, so that
// the next check finds others.
template <class Path, class Clock, class Exchange>
bool UdpGateway<Path, Clock, Exchange>::make_place(session::ActivityList& among) {
    const Timestamp limit{time_.value - k_idle_ns};
    for (int looks = 0; looks < k_looks; ++looks) {
        auto* const oldest = static_cast<Source*>(among.oldest());
        if (oldest == nullptr || oldest->last_activity() > limit) return false;
        among.remove(*oldest);
        if (end(*oldest)) {
            ++counters_.replaced;
            return true;
        }
        among.add(*oldest, time_);
    }
    return false;
}

/// Removes a silent sender. Returns false if it must stay.
template <class Path, class Clock, class Exchange>
bool UdpGateway<Path, Clock, Exchange>::end(Source& source) {
    if (!ready() || source.pending > 0 || source.postponed.size > 0 || source.unsent > 0)
        return false;
    const UdpSource known = clients_.source(source.index);
    Command command{};
    command.participant = known.participant;
    if (known.open_orders > 0) {
        if (!config_.cancel_on_silence || !source.in_session) return false;
        command.kind = CommandKind::mass_cancel;
        command.flags = CommandFlags::k_both_sides;
        submit(source, command, {}, 0);
        return false;
    }
    command.kind = CommandKind::session_closed;
    submit(source, command, {.request = UdpRequest::forget}, 0);
    source.pending = 0;
    clients_.forget(source.index);
    source.place.give_back();
    if (source.anonymous && known.has_ordered == 0)
        participants_->give_back(known.participant);
    else
        participants_->leave(known.participant, 0);
    return true;
}

}  // namespace damrak::gateway::udp
