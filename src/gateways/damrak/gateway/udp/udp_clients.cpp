#include <damrak/gateway/udp/udp_clients.hpp>

#include <damrak/base/assert.hpp>

namespace damrak::gateway::udp {

UdpClients::UdpClients(const EngineConfig& engine, std::uint64_t salt)
    : salt_(salt),
      source_pool_(k_maximum_sources),
      sources_(k_maximum_sources + std::size_t{1}),
      by_session_(k_maximum_sources),
      orders_(engine.maximum_orders + k_maximum_reserved),
      by_name_(engine.maximum_orders + k_maximum_reserved),
      open_(engine.maximum_participants + std::size_t{1}) {}

std::uint32_t UdpClients::add(SessionId session, ParticipantId participant) {
    const std::uint32_t index = source_pool_.take();
    sources_[index] = {
        .session = session, .participant = participant, .window = {}, .address6 = {}};
    by_session_.insert(session_key(session), index);
    return index;
}

void UdpClients::forget(std::uint32_t index) {
    UdpSource& source = sources_[index];
    DAMRAK_ASSERT(source.open_orders == 0);
    by_session_.erase(session_key(source.session), index);
    source = {};
    source_pool_.give_back(index);
}

bool UdpClients::reserve(const UdpOrder& order) {
    if (orders_.full()) return false;
    insert(order);
    return true;
}

std::uint32_t UdpClients::insert(const UdpOrder& order) {
    const std::uint32_t index = orders_.take();
    orders_[index] = order;
    orders_[index].is_open = 1;
    by_name_.insert(name_tag(order.participant, order.name), index);
    if (order.id) orders_.file(index);
    ++open_[order.participant.value];
    ++sources_[order.source].open_orders;
    return index;
}

// The data stays readable for the answer, until the next order overwrites it.
void UdpClients::remove(std::uint32_t index) {
    UdpOrder& order = orders_[index];
    order.is_open = 0;
    if (order.id) orders_.unfile(index);
    by_name_.erase(index);
    --open_[order.participant.value];
    --sources_[order.source].open_orders;
    orders_.give_back(index);
}

UdpClients::Applied UdpClients::apply_own(const Event& event, const Origin& origin, bool by_udp) {
    if (event.kind == EventKind::accepted) return by_udp ? accept(event, origin) : Applied{};
    if (event.kind == EventKind::rejected) return by_udp ? refuse(event, origin) : Applied{};
    const std::uint32_t index = event.order_id ? orders_.find(event.order_id) : 0;
    if (index == 0) return {};
    UdpOrder& order = orders_[index];
    switch (event.kind) {
        case EventKind::executed:
        case EventKind::cancelled:
        case EventKind::expired:
            if (event.remaining.value == 0) remove(index);
            break;
        case EventKind::replaced:
            orders_.change_id(index, event.new_order_id());
            if (by_udp) {
                order.sequence = static_cast<std::uint32_t>(origin.inbound_sequence);
                order.format = UdpNote::of(origin.tag).format;
            }
            break;
        default:
            break;
    }
    return {&order};
}

// In the gateway the name is reserved already; a state that follows the journal learns of the order
// here.
UdpClients::Applied UdpClients::accept(const Event& event, const Origin& origin) {
    const std::uint32_t source = find(origin.session);
    if (source == 0) return {};
    sources_[source].has_ordered = 1;
    std::uint32_t index = index_of(event.participant, event.client_order_id());
    if (index == 0) {
        index = insert({.id = event.order_id,
                        .name = event.client_order_id(),
                        .participant = event.participant,
                        .source = source,
                        .sequence = static_cast<std::uint32_t>(origin.inbound_sequence),
                        .instrument = event.instrument,
                        .side = event.side,
                        .format = UdpNote::of(origin.tag).format});
    } else if (!orders_[index].id) {
        orders_[index].id = event.order_id;
        orders_.file(index);
    }
    return {&orders_[index]};
}

UdpClients::Applied UdpClients::refuse(const Event& event, const Origin& origin) {
    const UdpNote note = UdpNote::of(origin.tag);
    const std::uint32_t index = index_of(event.participant, note.name);
    if (index == 0) return {};
    if (note.request == UdpRequest::new_order && !orders_[index].id) remove(index);
    return {&orders_[index]};
}

void UdpClients::note_own(const Command& command, const Origin& origin) {
    const UdpNote note = UdpNote::of(origin.tag);
    std::uint32_t index = find(origin.session);
    const auto sequence = static_cast<std::uint32_t>(origin.inbound_sequence);
    if (command.kind == CommandKind::session_opened) {
        if (index == 0 && !source_pool_.empty()) index = add(origin.session, command.participant);
        if (index == 0) return;
        sources_[index].link = note.link;
        if (is_udp_ipv6(origin.session)) sources_[index].address6 = note.address6();
        if (note.request != UdpRequest::begin) return;
        begin(index, sequence);
    } else if (command.kind == CommandKind::session_closed) {
        if (index != 0 && note.request == UdpRequest::forget && sources_[index].open_orders == 0)
            forget(index);
    } else if (index != 0 && note.request != UdpRequest::none) {
        sources_[index].window.note(sequence);
    }
}

void UdpClients::begin(std::uint32_t index, std::uint32_t sequence) {
    sources_[index].begin_behind(sequence);
}

void UdpClients::make_tables() {
    for (std::uint32_t i = 1; i <= source_pool_.highest(); ++i)
        if (sources_[i].session) by_session_.insert(session_key(sources_[i].session), i);
    for (std::uint32_t i = 1; i <= orders_.highest(); ++i) {
        const UdpOrder& order = orders_[i];
        if (order.is_open == 0) continue;
        by_name_.insert(name_tag(order.participant, order.name), i);
        if (order.id) orders_.file(i);
    }
}

}  // namespace damrak::gateway::udp
