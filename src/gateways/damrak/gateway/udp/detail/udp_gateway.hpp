// Senders of the UDP gateway and their turns. Part of udp_gateway.hpp.
#pragma once

#include <algorithm>
#include <utility>

#include <damrak/gateway/udp/udp_gateway.hpp>

namespace damrak::gateway::udp {

namespace detail {

[[nodiscard]] inline SessionId session_of(const net::Endpoint& sender) {
    return sender.is_ipv6() ? udp_session6(sender.address6, sender.port)
                            : udp_session(sender.address, sender.port);
}

[[nodiscard]] inline net::Endpoint endpoint_of(const UdpSource& known) {
    if (!is_udp_ipv6(known.session))
        return {.link = known.link,
                .address = udp_address(known.session),
                .port = udp_port(known.session)};
    net::Endpoint end{.link = known.link, .port = known.port6(), .address6 = known.address6};
    end.link[4] = end.link[5] = 0;
    return end;
}

}  // namespace detail

template <class Path, class Clock, class Exchange>
UdpGateway<Path, Clock, Exchange>::UdpGateway(Setup setup, const House& house)
    : config_(std::move(setup.config)),
      participants_(&house.participants),
      probe_(&house.probe),
      clock_(std::move(setup.clock)),
      open_path_(std::move(setup.open_path)),
      clients_(house.engine, config_.salt),
      senders_({}),
      interface_(std::move(setup.interface)),
      troubles_(std::move(setup.on_notice)) {
    static_assert(net::DatagramPath<Path>);
    config_.maximum_sources = std::min(config_.maximum_sources, UdpClients::k_maximum_sources);
}

template <class Path, class Clock, class Exchange>
std::expected<void, std::string> UdpGateway<Path, Clock, Exchange>::listen() {
    auto path = open_path_();
    if (!path) return std::unexpected{std::move(path.error())};
    open(*std::move(path));
    return {};
}

// Restores the senders of an earlier run, without sessions.
template <class Path, class Clock, class Exchange>
void UdpGateway<Path, Clock, Exchange>::attach(Exchange& exchange) {
    exchange_ = &exchange;
    time_ = {clock_.now_ns()};
    senders_.set(budget::Row::Parts::of(config_.maximum_sources, maximum_anonymous()));
    const std::size_t most = std::max(config_.maximum_sources, clients_.highest_source());
    live_ = std::make_unique<Source[]>(most + 1);
    waiting_.reserve(most);
    serving_.reserve(most);
    for (std::uint32_t i = 1; i <= clients_.highest_source(); ++i) {
        const UdpSource& known = clients_.source(i);
        if (!known.session) continue;
        participants_->note_taken(known.participant);
        const net::Endpoint end = detail::endpoint_of(known);
        const bool is_named = participants_->is_named(known.participant);
        activate(i, end,
                 senders_.take_again(who(end, is_named ? known.participant : ParticipantId{})));
    }
}

template <class Path, class Clock, class Exchange>
void UdpGateway<Path, Clock, Exchange>::activate(std::uint32_t index, const net::Endpoint& endpoint,
                                                 budget::Row::Place place) {
    Source& source = live_[index];
    source.endpoint = endpoint;
    source.index = index;
    source.replies = 0;
    source.unsent = 0;
    source.strays = 0;
    source.in_session = false;
    source.anonymous = place.is_stranger();
    source.place = std::move(place);
    source.bucket = TokenBucket{config_.messages_per_second, config_.burst_messages};
    list_of(source).add(source, time_);
}

template <class Path, class Clock, class Exchange>
std::size_t UdpGateway<Path, Clock, Exchange>::poll(int wait_ms) {
    ++turn_;
    orders_ = 0;
    looked_ = false;
    serve_waiting(k_share);
    const std::size_t quota = waiting_.empty() ? k_datagrams_a_turn : k_datagrams_behind;
    std::size_t datagrams = 0;
    // While nothing can be accepted, datagrams stay in the kernel.
    if (ready()) {
        const bool at_once = !waiting_.empty() || exchange_->awaits_answers();
        datagrams = path_->receive(quota, at_once ? 0 : wait_ms,
                                   [this](const net::Datagram& datagram) { take(datagram); });
    }
    more_ = datagrams == quota;
    std::size_t before = SIZE_MAX;
    for (std::uint32_t share = k_share + k_round;
         !waiting_.empty() && orders_ != before && orders_ < k_orders_a_turn; share += k_round) {
        before = orders_;
        serve_waiting(share);
    }
    if (!looked_) time_ = {clock_.now_ns()};
    if (time_ >= timers_due_) keep_time();
    // Publishes the counters once all datagrams are handled.
    if (datagrams == 0 && unpublished_) published_.store(counters_);
    unpublished_ = datagrams > 0;
    return orders_;
}

template <class Path, class Clock, class Exchange>
void UdpGateway<Path, Clock, Exchange>::take(const net::Datagram& datagram) {
    if (std::exchange(looked_, true)) {
        probe_->on_read_more(datagram.bytes.size());
    } else {
        probe_->on_read(datagram.bytes.size());
        time_ = {clock_.now_ns()};
    }
    ++counters_.datagrams;
    sender_ = datagram.source;
    const wire::packet::Scan scan = wire::packet::scan(datagram.bytes);
    if (scan.fault != wire::packet::Fault::none) [[unlikely]] {
        ++counters_.faults[static_cast<std::size_t>(scan.fault)];
        return note_trouble(UdpTrouble::malformed, detail::session_of(datagram.source),
                            static_cast<std::uint8_t>(scan.fault));
    }
    Source* const source = admit(datagram, scan);
    if (source == nullptr) return;
    if (std::exchange(source->turn, turn_) != turn_) {
        source->taken = 0;
        list_of(*source).touch(*source, time_);
    }
    if (scan.header.kind == wire::packet::Kind::begin) return begin(*source, scan);
    Order order;
    for (std::size_t i = 0; i < scan.header.count; ++i) {
        const wire::packet::Fault fault =
            wire::packet::decode_order(scan, datagram.bytes, i, order);
        arrive(*source, order, scan.format, fault);
    }
}

template <class Path, class Clock, class Exchange>
auto UdpGateway<Path, Clock, Exchange>::admit(const net::Datagram& datagram,
                                              const wire::packet::Scan& scan) -> Source* {
    const SessionId session = detail::session_of(datagram.source);
    std::uint32_t index = clients_.find(session);
    const Identities::Answer asked = authenticate(datagram.source, scan);
    const auto is_other = [&](ParticipantId known) {
        return *asked ? *asked != known : participants_->is_named(known);
    };
    const bool wrong = !asked || (index != 0 && is_other(clients_.source(index).participant));
    if (wrong) [[unlikely]] {
        counters_.refused += scan.header.count;
        note_trouble(UdpTrouble::refused, session,
                     std::to_underlying(wire::packet::Refusal::wrong_key));
        return nullptr;
    }
    if (index != 0 && live_[index].endpoint != datagram.source) [[unlikely]] {
        ++counters_.no_room;  // another IPv6 address has the same hash
        note_trouble(UdpTrouble::no_room, session);
        return nullptr;
    }
    if (index != 0) [[likely]] {
        live_[index].endpoint = datagram.source;
        return &live_[index];
    }
    const budget::Who comer = who(datagram.source, *asked);
    budget::Row::Place place = take_place(comer);
    ParticipantId participant;
    if (place) participant = *asked ? *asked : participants_->take(comer.host);
    if (!participant) {
        ++counters_.no_room;
        note_trouble(UdpTrouble::no_room, session);
        return nullptr;
    }
    index = clients_.add(session, participant);
    activate(index, datagram.source, std::move(place));
    return &live_[index];
}

template <class Path, class Clock, class Exchange>
Identities::Answer UdpGateway<Path, Clock, Exchange>::authenticate(
    const net::Endpoint& sender, const wire::packet::Scan& scan) const {
    const Identities& identities = participants_->identities();
    if (identities.has_keys() && scan.format == Format::extended)
        if (const auto known = identities.of_key(scan.header.key); known && *known) return known;
    if (identities.has_sources())
        return identities.of_source(sender.is_ipv6()
                                        ? Identities::Source{sender.address6, sender.port}
                                        : Identities::source_of(sender.address, sender.port));
    return identities.of_nobody();
}

template <class Path, class Clock, class Exchange>
void UdpGateway<Path, Clock, Exchange>::arrive(Source& source, const Order& order, Format format,
                                               wire::packet::Fault fault) {
    using wire::packet::Refusal;
    using Arrival = SequenceWindow::Arrival;
    ++counters_.orders;
    SequenceWindow& window = clients_.source(source.index).window;
    const Arrival arrival = window.look(order.sequence);
    if (arrival == Arrival::duplicate) [[unlikely]] {
        ++counters_.duplicates;
        tell_refusal(source, order, format, std::to_underlying(Refusal::duplicate_sequence));
        return note_trouble(UdpTrouble::duplicate, clients_.source(source.index).session);
    }
    const bool far_ahead = arrival == Arrival::next && window.gap(order.sequence) > k_farthest;
    if ((arrival == Arrival::too_old || far_ahead) && !begins_anew(source, order, format))
        [[unlikely]]
        return arrive_far_off(source, order, format,
                              far_ahead ? Refusal::far_sequence : Refusal::old_sequence);
    source.strays = 0;
    if (!postponed_.has_room(source.postponed)) [[unlikely]]
        return refuse_for_now(source, order, format);
    if (arrival == Arrival::late) {
        ++counters_.late;
    } else if (const std::uint32_t gap = window.gap(order.sequence); gap != 0) {
        ++counters_.gaps;
        counters_.missing += gap;
        note_trouble(UdpTrouble::gap, clients_.source(source.index).session);
    }
    window.note(order.sequence);
    if (fault != wire::packet::Fault::none) [[unlikely]] {
        ++counters_.faults[static_cast<std::size_t>(fault)];
        tell_refusal(source, order, format, std::to_underlying(Refusal::malformed));
        return note_trouble(UdpTrouble::malformed, clients_.source(source.index).session,
                            static_cast<std::uint8_t>(fault));
    }
    if (!source.bucket.allows(time_.value)) [[unlikely]]
        return refuse(source, order, format, std::to_underlying(Refusal::too_many_messages));
    source.bucket.take();
    if (source.postponed.size > 0 || source.taken >= k_share || !serve(source, order, format))
        [[unlikely]]
        postpone(source, order, format);
}

template <class Path, class Clock, class Exchange>
void UdpGateway<Path, Clock, Exchange>::arrive_far_off(Source& source, const Order& order,
                                                       Format format,
                                                       wire::packet::Refusal refusal) {
    const bool ahead = refusal == wire::packet::Refusal::far_sequence;
    ++(ahead ? counters_.far_ahead : counters_.too_old);
    tell_refusal(source, order, format, std::to_underlying(refusal));
    note_trouble(ahead ? UdpTrouble::far_ahead : UdpTrouble::too_old,
                 clients_.source(source.index).session);
}

// A single number far off proves nothing. Many in sequence, with none of the old sequence in
// between, mean that the sender was restarted. The public formats have no message for that, so the
// sender would be locked out. (RFC 3550, A.1, does the same with fewer.)
template <class Path, class Clock, class Exchange>
bool UdpGateway<Path, Clock, Exchange>::begins_anew(Source& source, const Order& order,
                                                    Format format) {
    if (format == Format::extended) return false;
    source.strays = order.sequence == source.stray + 1 ? source.strays + 1 : 1;
    source.stray = order.sequence;
    // Postponed orders have numbers of the old sequence.
    if (source.strays < k_strays || source.postponed.size > 0 || !ready()) return false;
    begin_behind(source, order.sequence - 1, format);
    ++counters_.begun_anew;
    note_trouble(UdpTrouble::begun_anew, clients_.source(source.index).session);
    return true;
}

// Replies for an order that was not processed; its number may be sent again.
template <class Path, class Clock, class Exchange>
void UdpGateway<Path, Clock, Exchange>::refuse_for_now(Source& source, const Order& order,
                                                       Format format) {
    ++counters_.busy;
    tell_refusal(source, order, format, std::to_underlying(wire::packet::Refusal::busy));
    note_trouble(UdpTrouble::busy, clients_.source(source.index).session);
}

/// The caller has checked that there is room.
template <class Path, class Clock, class Exchange>
void UdpGateway<Path, Clock, Exchange>::postpone(Source& source, const Order& order,
                                                 Format format) {
    ++counters_.postponed;
    postponed_.push(source.postponed, order, format);
    if (!std::exchange(source.waits, true)) waiting_.push_back(&source);
}

/// Serves each sender in turn, up to its share.
template <class Path, class Clock, class Exchange>
void UdpGateway<Path, Clock, Exchange>::serve_waiting(std::uint32_t share) {
    std::swap(waiting_, serving_);
    for (Source* const source : serving_) {
        if (std::exchange(source->turn, turn_) != turn_) source->taken = 0;
        while (source->postponed.size > 0 && source->taken < share) {
            const detail::Postponed::Item& item = postponed_.front(source->postponed);
            if (!serve(*source, item.order, item.format)) break;
            postponed_.pop(source->postponed);
        }
        source->waits = source->postponed.size > 0;
        if (source->waits) waiting_.push_back(source);
    }
    serving_.clear();
}

// A duplicate or late begin must not let old orders in again.
template <class Path, class Clock, class Exchange>
void UdpGateway<Path, Clock, Exchange>::begin(Source& source, const wire::packet::Scan& scan) {
    const UdpSource& known = clients_.source(source.index);
    const Order asked{.sequence = scan.header.sequence};
    if (known.knows_begin(scan.header.sequence)) {
        ++counters_.duplicates;
        return tell_refusal(source, asked, scan.format,
                            std::to_underlying(wire::packet::Refusal::duplicate_sequence));
    }
    if (!ready() || source.postponed.size > 0) return refuse_for_now(source, asked, scan.format);
    begin_behind(source, scan.header.sequence, scan.format);
}

// Journaled, because later records depend on it.
template <class Path, class Clock, class Exchange>
void UdpGateway<Path, Clock, Exchange>::begin_behind(Source& source, std::uint32_t sequence,
                                                     Format format) {
    clients_.begin(source.index, sequence);
    Command command{};
    command.kind = CommandKind::session_opened;
    command.participant = clients_.source(source.index).participant;
    if (config_.cancel_on_silence) command.flags = CommandFlags::k_cancel_on_disconnect;
    source.in_session = true;
    source.strays = 0;
    UdpNote note = opening_note(source, UdpRequest::begin);
    note.format = std::to_underlying(format);
    submit(source, command, note, sequence);
}

template <class Path, class Clock, class Exchange>
void UdpGateway<Path, Clock, Exchange>::note_trouble(UdpTrouble trouble, SessionId session,
                                                     std::uint8_t reason) {
    counters_.trouble = trouble;
    counters_.troubled = session;
    counters_.reason = reason;
    const std::uint32_t known = is_udp_ipv6(session) ? clients_.find(session) : 0;
    const net::Endpoint& who = known == 0 ? sender_ : live_[known].endpoint;
    counters_.troubled_address6 = who.address6;
    counters_.troubled_port6 = who.port;
}

template <class Path, class Clock, class Exchange>
void UdpGateway<Path, Clock, Exchange>::close() {
    flush();
    publish();
}

}  // namespace damrak::gateway::udp
