// Who sends to the UDP door, and the turns they take. Part of udp_gateway.hpp.
#pragma once

#include <algorithm>
#include <utility>

#include <damrak/gateway/udp_gateway.hpp>

namespace damrak::gateway {

template <class Path, class Clock, class Exchange>
UdpGateway<Path, Clock, Exchange>::UdpGateway(UdpGatewayConfig config, const EngineConfig& engine,
                                              Participants& participants, telemetry::Probe& probe,
                                              Clock& clock)
    : config_(std::move(config)),
      participants_(&participants),
      probe_(&probe),
      clock_(&clock),
      clients_(engine, config_.salt) {
    static_assert(net::DatagramPath<Path>);
    config_.maximum_sources =
        std::min(config_.maximum_sources, views::UdpClients::k_maximum_sources);
}

// Senders of an earlier run are known again, without a session.
template <class Path, class Clock, class Exchange>
void UdpGateway<Path, Clock, Exchange>::attach(Exchange& exchange) {
    exchange_ = &exchange;
    time_ = {clock_->now_ns()};
    const std::size_t most = std::max(config_.maximum_sources, clients_.highest_source());
    live_ = std::make_unique<Source[]>(most + 1);
    waiting_.reserve(most);
    serving_.reserve(most);
    for (std::uint32_t i = 1; i <= clients_.highest_source(); ++i) {
        const views::UdpSource& known = clients_.source(i);
        if (!known.session) continue;
        participants_->note_taken(known.participant);
        enliven(i, {.link = known.link,
                    .address = views::udp_address(known.session),
                    .port = views::udp_port(known.session)});
    }
    participants_->note_given_out(exchange.last_participant());
}

template <class Path, class Clock, class Exchange>
void UdpGateway<Path, Clock, Exchange>::enliven(std::uint32_t index,
                                                const net::Endpoint& endpoint) {
    Source& source = live_[index];
    source.endpoint = endpoint;
    source.index = index;
    source.replies = 0;
    source.in_session = false;
    source.own_participant = false;
    source.bucket = TokenBucket{config_.messages_per_second, config_.burst_messages};
    activity_.add(source, time_);
}

template <class Path, class Clock, class Exchange>
std::size_t UdpGateway<Path, Clock, Exchange>::poll(int wait_ms) {
    ++turn_;
    orders_ = 0;
    looked_ = false;
    serve_waiting(k_share);
    std::size_t datagrams = 0;
    // Where nothing can be taken, datagrams stay with the kernel.
    if (ready()) {
        const bool at_once = !waiting_.empty() || exchange_->awaits_answers();
        datagrams = path_->receive(k_datagrams_a_turn, at_once ? 0 : wait_ms,
                                   [this](const net::Datagram& datagram) { take(datagram); });
    }
    more_ = datagrams == k_datagrams_a_turn;
    for (std::uint32_t round = 1; round <= k_rounds && !waiting_.empty(); ++round)
        serve_waiting(k_share + round * k_round);
    if (!looked_) time_ = {clock_->now_ns()};
    if (time_ >= timers_due_) keep_time();
    // Others see the counters once all is answered.
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
        time_ = {clock_->now_ns()};
    }
    ++counters_.datagrams;
    const wire::packet::Scan scan = wire::packet::scan(datagram.bytes);
    if (scan.fault != wire::packet::Fault::none) [[unlikely]] {
        ++counters_.faults[static_cast<std::size_t>(scan.fault)];
        return note_trouble(UdpTrouble::malformed,
                            views::udp_session(datagram.source.address, datagram.source.port),
                            static_cast<std::uint8_t>(scan.fault));
    }
    Source* const source = admit(datagram, scan);
    if (source == nullptr) return;
    if (std::exchange(source->turn, turn_) != turn_) {
        source->taken = 0;
        activity_.touch(*source, time_);
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
    const SessionId session = views::udp_session(datagram.source.address, datagram.source.port);
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
    if (index != 0) [[likely]] {
        live_[index].endpoint = datagram.source;
        return &live_[index];
    }
    ParticipantId participant = *asked;
    if (clients_.sources() < config_.maximum_sources) {
        if (!participant) participant = participants_->take();
    } else {
        participant = {};
    }
    if (!participant) {
        ++counters_.no_room;
        note_trouble(UdpTrouble::no_room, session);
        return nullptr;
    }
    index = clients_.add(session, participant);
    enliven(index, datagram.source);
    live_[index].own_participant = !*asked;
    return &live_[index];
}

template <class Path, class Clock, class Exchange>
Identities::Answer UdpGateway<Path, Clock, Exchange>::authenticate(
    const net::Endpoint& sender, const wire::packet::Scan& scan) const {
    const Identities& identities = participants_->identities();
    if (identities.has_keys() && scan.format == Format::extended)
        if (const auto known = identities.of_key(scan.header.key); known && *known) return known;
    if (identities.has_sources()) return identities.of_source({sender.address, sender.port});
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
    if (arrival == Arrival::duplicate || arrival == Arrival::too_old) [[unlikely]] {
        const bool twice = arrival == Arrival::duplicate;
        ++(twice ? counters_.duplicates : counters_.too_old);
        tell_refusal(
            source, order, format,
            std::to_underlying(twice ? Refusal::duplicate_sequence : Refusal::old_sequence));
        return note_trouble(twice ? UdpTrouble::duplicate : UdpTrouble::too_old,
                            clients_.source(source.index).session);
    }
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
void UdpGateway<Path, Clock, Exchange>::postpone(Source& source, const Order& order,
                                                 Format format) {
    if (!postponed_.has_room(source.postponed))
        return refuse(source, order, format,
                      std::to_underlying(wire::packet::Refusal::too_many_messages));
    ++counters_.postponed;
    postponed_.push(source.postponed, order, format);
    if (!std::exchange(source.waits, true)) waiting_.push_back(&source);
}

/// Each in turn, until it has had so many in this turn.
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

// A begin that comes twice, or late, must not open the way for orders that came already.
template <class Path, class Clock, class Exchange>
void UdpGateway<Path, Clock, Exchange>::begin(Source& source, const wire::packet::Scan& scan) {
    const views::UdpSource& known = clients_.source(source.index);
    const Order asked{.sequence = scan.header.sequence};
    if (known.knows_begin(scan.header.sequence)) {
        ++counters_.duplicates;
        return tell_refusal(source, asked, scan.format,
                            std::to_underlying(wire::packet::Refusal::duplicate_sequence));
    }
    if (!ready() || source.postponed.size > 0)
        return refuse(source, asked, scan.format,
                      std::to_underlying(wire::packet::Refusal::too_many_messages));
    clients_.begin(source.index, scan.header.sequence);
    Command command{};
    command.kind = CommandKind::session_opened;
    command.participant = known.participant;
    if (config_.cancel_on_silence) command.flags = CommandFlags::k_cancel_on_disconnect;
    source.in_session = true;
    submit(source, command,
           {.request = views::UdpRequest::begin,
            .format = std::to_underlying(scan.format),
            .link = source.endpoint.link},
           scan.header.sequence);
}

template <class Path, class Clock, class Exchange>
void UdpGateway<Path, Clock, Exchange>::keep_time() {
    timers_due_ = {time_.value + k_timers_ns};
    activity_.expire({time_.value - config_.source_timeout_ns}, [this](auto& node) {
        auto& source = static_cast<Source&>(node);
        if (!end(source)) activity_.add(source, time_);
    });
    counters_.sources = clients_.sources();
    published_.store(counters_);
    published_path_.store(path_->counters());
}

/// Of one that was silent for too long. False: it stays.
template <class Path, class Clock, class Exchange>
bool UdpGateway<Path, Clock, Exchange>::end(Source& source) {
    if (!ready() || source.pending > 0 || source.postponed.size > 0 || !replies_.empty())
        return false;
    const views::UdpSource known = clients_.source(source.index);
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
    submit(source, command, {.request = views::UdpRequest::forget}, 0);
    source.pending = 0;
    clients_.forget(source.index);
    if (source.own_participant && known.has_ordered == 0)
        participants_->give_back(known.participant);
    ++counters_.forgotten;
    return true;
}

template <class Path, class Clock, class Exchange>
void UdpGateway<Path, Clock, Exchange>::note_trouble(UdpTrouble trouble, SessionId session,
                                                     std::uint8_t reason) {
    counters_.trouble = trouble;
    counters_.troubled = session;
    counters_.reason = reason;
}

template <class Path, class Clock, class Exchange>
void UdpGateway<Path, Clock, Exchange>::close() {
    flush();
    counters_.sources = clients_.sources();
    published_.store(counters_);
    published_path_.store(path_->counters());
}

}  // namespace damrak::gateway
