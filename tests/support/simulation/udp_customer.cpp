#include "support/simulation/udp_customer.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include <damrak/gateway/udp/detail/udp_client.hpp>
#include <damrak/wire/packet/encode.hpp>

namespace damrak::simulation {

namespace {

using wire::packet::Action;
using wire::packet::Fault;
using wire::packet::HeaderLayout;
using wire::packet::OrderLayout;
using wire::packet::ReplyKind;

/// Repeated numbers must be inside the window.
constexpr std::uint32_t k_reach = 900;
constexpr std::size_t k_datagram_orders = 4;

}  // namespace

std::string reported_as(const wire::packet::Reply& reply) {
    return fmt::format("{}: {} of {} ({}), {} {}@{} in {}, left {}, trade {}, reason {}",
                       reply.sequence, static_cast<int>(reply.kind), reply.name.value,
                       reply.order_id.value, reply.side == Side::buy ? "buy" : "sell",
                       reply.quantity, reply.price_e2, reply.instrument.value, reply.remaining,
                       reply.trade_id.value, reply.reason);
}

std::string reported_as(const wire::packet::Trade& trade) {
    return fmt::format("trade {} {} {}@{}", trade.bid, trade.ask, trade.quantity, trade.price_e2);
}

UdpCustomer::UdpCustomer(std::uint32_t number, std::uint64_t seed, std::uint32_t rest_ns)
    : end_{.link = {},
           .address = {10, 0, 0, static_cast<std::uint8_t>(number)},
           .port = static_cast<std::uint16_t>(4'000 + number)},
      random_(seed),
      format_(std::array{Format::extended, Format::extended, Format::packed, Format::words}.at(
          random_.below(4))),
      // Some wrap around to zero after the largest number.
      first_(random_.below(3) == 0 ? UINT32_MAX - random_.below(200) : random_.below(1'000)),
      patience_ns_(20'000'000 + random_.below(100'000'000)),
      rest_ns_(rest_ns) {}

SessionId UdpCustomer::session() const {
    return gateway::udp::udp_session(end_.address, end_.port);
}

std::string UdpCustomer::name() const {
    return fmt::format("sender {} ({})", end_.port, is_extended() ? "extended" : "public");
}

auto UdpCustomer::find(std::uint32_t sequence) const -> const Order* {
    const std::uint32_t index = sequence - first_;
    return index < orders_.size() ? &orders_[index] : nullptr;
}

auto UdpCustomer::draw(std::uint32_t sequence) -> Order {
    Order order{.sequence = sequence,
                .name = ClientOrderId{orders_.size() + 1},
                .price_e2 = 9'995 + random_.below(10),
                .quantity = 1 + random_.below(50),
                .side = random_.coin() ? Side::buy : Side::sell};
    if (is_extended()) order.instrument = InstrumentId{1 + random_.below(2)};
    if (is_extended() && random_.below(4) == 0) order.time_in_force = TimeInForce::ioc;
    if (random_.below(4) != 0 || orders_.empty()) return order;
    // Changes a recent order, which may be gone, or not have arrived.
    const auto recent = static_cast<std::uint32_t>(std::min<std::size_t>(orders_.size(), 12));
    const Order& target = orders_[orders_.size() - 1 - random_.below(recent)];
    order.name = target.name;
    order.side = target.side;
    order.instrument = target.instrument;
    order.time_in_force = TimeInForce::day;
    order.action = random_.coin() ? Action::cancel : Action::modify;
    return order;
}

std::optional<std::string> UdpCustomer::step(simulation::DatagramNetwork& network,
                                             std::int64_t elapsed_ns, bool asking) {
    while (const auto bytes = network.receive(end_))
        if (auto finding = hear(*bytes)) return name() + ": " + *finding;
    if (elapsed_ns < rests_until_ns_) return std::nullopt;
    if (asking && rest_ns_ != 0 && random_.below(100) == 0)
        rests_until_ns_ = elapsed_ns + random_.below(rest_ns_);
    const std::size_t oldest = waiting_.empty() ? orders_.size() : waiting_.begin()->first;
    const bool in_reach = orders_.size() - (is_extended() ? oldest : 0) < k_reach;
    if (asking && in_reach && random_.below(8) == 0) {
        std::vector<Order> some;
        const std::size_t count = is_extended() ? 1 + random_.below(k_datagram_orders) : 1;
        for (std::size_t i = 0; i < count; ++i) {
            some.push_back(draw(first_ + static_cast<std::uint32_t>(orders_.size())));
            orders_.push_back(some.back());
            if (is_extended()) waiting_[orders_.size() - 1] = elapsed_ns;
        }
        send(network, some);
    }
    // Orders that have waited long enough.
    for (auto& [index, sent_ns] : waiting_) {
        if (elapsed_ns - sent_ns < patience_ns_) continue;
        sent_ns = elapsed_ns;
        ++repeated_;
        send(network, {&orders_[index], 1});
    }
    if (asking && !orders_.empty() && random_.below(20) == 0) {
        const auto reach =
            static_cast<std::uint32_t>(std::min<std::size_t>(orders_.size(), k_reach));
        ++repeated_;
        send(network, {&orders_[orders_.size() - 1 - random_.below(reach)], 1});
    }
    if (asking && random_.below(60) == 0) send_garbage(network);
    return std::nullopt;
}

void UdpCustomer::repeat_all(simulation::DatagramNetwork& network) {
    const std::size_t from = orders_.size() - std::min<std::size_t>(orders_.size(), k_reach);
    for (std::size_t i = from; i < orders_.size(); ++i) send(network, {&orders_[i], 1});
}

void UdpCustomer::send(simulation::DatagramNetwork& network, std::span<const Order> orders) {
    if (!is_extended()) {
        std::array<std::byte, wire::packet::Words::k_length> bytes{};
        const std::size_t length = encode_public(format_, orders.front(), bytes);
        return network.send(end_, std::span{bytes}.first(length));
    }
    std::vector<std::byte> bytes(HeaderLayout::k_request_length +
                                 orders.size() * OrderLayout::k_length);
    std::size_t used =
        encode(wire::packet::Header{.count = static_cast<std::uint16_t>(orders.size()),
                                    .sequence = orders.front().sequence},
               bytes);
    for (const Order& order : orders)
        used += encode_extended(order, std::span{bytes}.subspan(used));
    network.send(end_, bytes);
}

void UdpCustomer::send_garbage(simulation::DatagramNetwork& network) {
    constexpr std::array<std::size_t, 6> k_lengths{0, 1, 17, 25, 63, 1'472};
    std::vector<std::byte> bytes(
        k_lengths.at(random_.below(static_cast<std::uint32_t>(k_lengths.size()))));
    for (std::byte& each : bytes) each = static_cast<std::byte>(random_.next());
    network.send(end_, bytes);
}

std::optional<std::string> UdpCustomer::hear(std::span<const std::byte> bytes) {
    if (!is_extended()) {
        wire::packet::Trade trade;
        if (wire::packet::decode_trade(bytes, trade) != Fault::none)
            return "received a datagram that is not a trade";
        reported_.insert(reported_as(trade));
        return std::nullopt;
    }
    const wire::packet::Scan found = wire::packet::scan_replies(bytes);
    if (found.fault != Fault::none) return fmt::format("replies: {}", text(found.fault));
    for (std::size_t i = 0; i < found.header.count; ++i) {
        Reply reply;
        if (const Fault fault = wire::packet::decode_reply(bytes, i, reply); fault != Fault::none)
            return fmt::format("a reply: {}", text(fault));
        reply_numbers_.insert(found.header.sequence + static_cast<std::uint32_t>(i));
        if (find(reply.sequence) == nullptr)
            return fmt::format("an answer to number {}, which it never sent", reply.sequence);
        hear(reply);
    }
    return std::nullopt;
}

void UdpCustomer::hear(const Reply& reply) {
    if (reply.kind == ReplyKind::rejected)
        refusals_.push_back(reply);
    else
        reported_.insert(reported_as(reply));
    // An execution may arrive before its order's reply; it implies it.
    waiting_.erase(reply.sequence - first_);
}

}  // namespace damrak::simulation
