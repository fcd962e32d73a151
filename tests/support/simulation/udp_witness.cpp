#include "support/simulation/udp_witness.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <damrak/base/random.hpp>
#include <damrak/journal/recovery.hpp>
#include <damrak/standard_exchange/gateway_states.hpp>
#include <damrak/wire/packet/decode.hpp>

#include "support/simulation/udp_customer.hpp"

namespace damrak::simulation {

namespace {

using wire::packet::Fault;
using wire::packet::Reply;
using wire::packet::ReplyKind;

constexpr std::int32_t k_window = 1'024;

/// Passes on events of the state that replays the journal.
struct Relay {
    UdpOwed* owed = nullptr;
    void on_fix_event(const Event& event, const Origin& origin, const CommandStamp& /*stamp*/,
                      const auto& /*of_fix*/) const {
        owed->on_event(event, origin);
    }
    void on_event(const Event& /*event*/, const CommandStamp& /*stamp*/) const {}
    void on_batch_end(bool /*caught_up*/) const {}
};

bool is_extended(const Tag& tag) {
    return gateway::udp::UdpNote::of(tag).format ==
           std::to_underlying(wire::packet::Format::extended);
}

}  // namespace

std::unique_ptr<UdpOwed> UdpOwed::by(const simulation::Disk& used, const std::string& folder,
                                     const EngineConfig& engine) {
    // Reading a journal may cut its end.
    RandomStream unused{0};
    simulation::Disk disk{unused};
    disk.copy_from(used);
    auto owed = std::make_unique<UdpOwed>();
    const auto state =
        std::make_unique<standard_exchange::ExchangeState<Relay>>(engine, Relay{owed.get()});
    const auto read =
        journal::recover(disk, folder, {}, [&](std::span<const journal::Record> records) {
            for (const journal::Record& record : records) owed->on_record(record);
            state->apply(records);
        });
    return read ? std::move(owed) : nullptr;
}

void UdpOwed::on_record(const journal::Record& record) {
    const auto kind = record.command.kind;
    const std::uint64_t session = record.head.session;
    if (kind == CommandKind::session_closed &&
        gateway::udp::UdpNote::of({record.head.tag}).request == gateway::udp::UdpRequest::forget) {
        numbers_.erase(session);
        std::erase_if(entered_lately_,
                      [session](const auto& each) { return each.first.first == session; });
    }
    const bool is_request = kind == CommandKind::new_order || kind == CommandKind::cancel_order ||
                            kind == CommandKind::replace_order;
    if (!is_request || gateway_of({session}) != gateway::udp::k_udp_gateway) return;
    const auto sequence = static_cast<std::uint32_t>(record.head.inbound_sequence);
    int& most = entered_[{session, sequence}];
    most = std::max(most, ++entered_lately_[{session, sequence}]);
    numbers_[session].push_back(sequence);
}

// Implements docs/protocols/packet.md independently.
void UdpOwed::on_event(const Event& event, const Origin& origin) {
    const bool by_udp = gateway_of(origin.session) == gateway::udp::k_udp_gateway;
    const Open asked{.session = origin.session,
                     .name = gateway::udp::UdpNote::of(origin.tag).name,
                     .sequence = static_cast<std::uint32_t>(origin.inbound_sequence),
                     .side = event.side,
                     .extended = is_extended(origin.tag)};
    if (event.kind == EventKind::rejected) {
        if (by_udp)
            owe(asked, {.kind = ReplyKind::rejected, .reason = std::to_underlying(event.reason)},
                event);
        return;
    }
    if (event.kind == EventKind::accepted && by_udp) orders_[event.order_id.value] = asked;
    if (event.kind == EventKind::executed) {
        if (has_flag(event, EventFlags::k_aggressor))
            owe_trade(event);
        else
            resting_ = event.order_id;
    }
    if (const auto found = orders_.find(event.order_id.value); found != orders_.end())
        on_change(event, origin, found->second);
}

void UdpOwed::on_change(const Event& event, const Origin& origin, Open order) {
    const auto sequence = static_cast<std::uint32_t>(origin.inbound_sequence);
    Reply reply{.remaining = static_cast<std::uint32_t>(event.remaining.value)};
    switch (event.kind) {
        case EventKind::accepted:
            break;
        case EventKind::executed:
            reply.kind = ReplyKind::executed;
            reply.trade_id = event.trade_id();
            break;
        case EventKind::cancelled:
        case EventKind::expired:
            reply.kind = ReplyKind::cancelled;
            reply.reason = std::to_underlying(event.reason);
            if (event.command == CommandKind::cancel_order && origin.session == order.session)
                order.sequence = sequence;
            break;
        case EventKind::replaced:
            reply.kind = ReplyKind::modified;
            reply.order_id = event.new_order_id();
            order.sequence = sequence;
            order.extended = is_extended(origin.tag);
            orders_[event.new_order_id().value] = order;
            break;
        default:
            return;
    }
    owe(order, reply, event);
}

void UdpOwed::owe(const Open& order, Reply reply, const Event& event) {
    if (!order.extended) return;
    reply.sequence = order.sequence;
    reply.name = order.name;
    reply.side = order.side;
    if (!reply.order_id) reply.order_id = event.order_id;
    reply.price_e2 = wire::packet::price_e2_of(event.price);
    reply.quantity = static_cast<std::uint32_t>(event.quantity.value);
    reply.instrument = event.instrument;
    reported_[order.session.value].insert(reported_as(reply));
}

void UdpOwed::owe_trade(const Event& aggressor) {
    const auto find = [this](OrderId id) {
        const auto found = orders_.find(id.value);
        return found == orders_.end() ? nullptr : &found->second;
    };
    const bool bought = aggressor.side == Side::buy;
    const Open* const bid = find(bought ? aggressor.order_id : resting_);
    const Open* const ask = find(bought ? resting_ : aggressor.order_id);
    for (const Open* const owner : {bid, ask}) {
        if (owner == nullptr || owner->extended) continue;
        const auto name_of = [owner](const Open* order) {
            return order != nullptr && order->session == owner->session
                       ? static_cast<std::uint32_t>(order->name.value)
                       : 0U;
        };
        reported_[owner->session.value].insert(reported_as(
            wire::packet::Trade{.bid = name_of(bid),
                                .ask = name_of(ask),
                                .price_e2 = wire::packet::price_e2_of(aggressor.price),
                                .quantity = static_cast<std::uint32_t>(aggressor.quantity.value)}));
    }
}

UdpCounts UdpCounts::of(const gateway::udp::UdpCounters& gateway) {
    return {.datagrams = gateway.datagrams,
            .orders = gateway.orders,
            .malformed = gateway.malformed(),
            .duplicates = gateway.duplicates,
            .too_old = gateway.too_old,
            .gaps = gateway.gaps,
            .missing = gateway.missing,
            .late = gateway.late};
}

std::string UdpCounts::text() const {
    return fmt::format(
        "{} datagrams, {} orders, {} malformed, {} duplicates, {} too old, {} gaps of {}, {} late",
        datagrams, orders, malformed, duplicates, too_old, gaps, missing, late);
}

void UdpCounts::add(const UdpCounts& other) {
    datagrams += other.datagrams;
    orders += other.orders;
    malformed += other.malformed;
    duplicates += other.duplicates;
    too_old += other.too_old;
    gaps += other.gaps;
    missing += other.missing;
    late += other.late;
}

void UdpNumbers::begin_behind(const UdpOwed& owed) {
    windows_.clear();
    for (const auto& [session, numbers] : owed.numbers())
        for (const std::uint32_t number : numbers) note(windows_[session], number);
    counts_ = {};
}

void UdpNumbers::note(const net::Datagram& datagram) {
    ++counts_.datagrams;
    const wire::packet::Scan found = wire::packet::scan(datagram.bytes);
    if (found.fault != Fault::none) {
        ++counts_.malformed;
        return;
    }
    const SessionId session =
        gateway::udp::udp_session(datagram.source.address, datagram.source.port);
    for (std::size_t i = 0; i < found.header.count; ++i) {
        ++counts_.orders;
        note(windows_[session.value], found.header.sequence + static_cast<std::uint32_t>(i));
    }
}

void UdpNumbers::note(Window& window, std::uint32_t number) {
    const auto ahead = static_cast<std::int32_t>(number - window.highest);
    if (!std::exchange(window.started, true) || ahead > 0) {
        if (!window.came.empty() && ahead > 1) {
            ++counts_.gaps;
            counts_.missing += static_cast<std::uint32_t>(ahead) - 1;
        }
        window.highest = number;
    } else if (ahead <= -k_window) {
        ++counts_.too_old;
        return;
    } else if (window.came.contains(number)) {
        ++counts_.duplicates;
        return;
    } else {
        ++counts_.late;
    }
    window.came.insert(number);
}

}  // namespace damrak::simulation
