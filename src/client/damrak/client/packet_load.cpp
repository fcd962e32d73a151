#include <damrak/client/packet_load.hpp>

#include <utility>

#include <damrak/base/assert.hpp>
#include <damrak/wire/packet/decode.hpp>
#include <damrak/wire/packet/descriptor.hpp>

namespace damrak::client {

using namespace wire::packet;

namespace {

bool is_extended(const PacketLoadSettings& settings) { return settings.format == Format::extended; }

bool is_busy(const Reply& reply) { return reply.reason == std::to_underlying(Refusal::busy); }

std::size_t bytes_of(const PacketLoadSettings& settings) {
    if (settings.format == Format::packed) return Packed::k_length;
    if (settings.format == Format::words) return Words::k_length;
    return HeaderLayout::k_request_length + settings.orders_a_datagram * OrderLayout::k_length;
}

}  // namespace

PacketLoad::PacketLoad(const PacketLoadSettings& settings)
    : settings_(settings),
      datagrams_a_request_(is_extended(settings) ? 1 : 2),
      orders_a_request_(is_extended(settings) ? settings.orders_a_datagram : 2),
      datagram_bytes_(bytes_of(settings)),
      sequence_(settings.before),
      has_begun_(!is_extended(settings) || settings.echo),
      slots_(k_slots) {
    DAMRAK_ASSERT(settings.format != Format::none && settings.orders_a_datagram > 0 &&
                  settings.orders_a_datagram <= k_maximum_orders);
}

void PacketLoad::encode_begin(std::span<std::byte> memory) const {
    encode(Header{.kind = Kind::begin, .sequence = settings_.before}, memory);
}

void PacketLoad::encode_next(std::span<std::byte> memory) {
    const bool extended = is_extended(settings_);
    const std::uint32_t count = extended ? settings_.orders_a_datagram : 1;
    if (extended) {
        const Header header{.kind = Kind::orders,
                            .count = static_cast<std::uint16_t>(count),
                            .sequence = sequence_ + 1};
        memory = memory.subspan(encode(header, memory));
    }
    for (std::uint32_t i = 0; i < count; ++i) {
        ++sequence_;
        const Order order{.sequence = sequence_,
                          .name = {sequence_},
                          .price_e2 = settings_.price_e2,
                          .quantity = 1,
                          .instrument = settings_.instrument,
                          .side = sequence_ % 2 == 0 ? Side::buy : Side::sell};
        if (extended)
            memory = memory.subspan(encode_extended(order, memory));
        else
            encode_public(settings_.format, order, memory);
    }
    tally_.asked += count;
}

void PacketLoad::stamp(std::int64_t now_ns) {
    for (; stamped_ < requests_; ++stamped_)
        slots_[stamped_ % k_slots] = {.asked_ns = now_ns, .answered = 0};
}

void PacketLoad::answered(std::uint64_t sequence, std::int64_t now_ns) {
    if (sequence <= settings_.before || sequence > sequence_) {
        ++tally_.strange;
        return;
    }
    ++tally_.answered;
    const std::uint64_t request = (sequence - settings_.before - 1) / orders_a_request_;
    if (request + k_slots <= requests_) return;  // too old to be tracked
    Slot& slot = slots_[request % k_slots];
    if (++slot.answered != orders_a_request_) return;
    if (recording_) tally_.latency_ns.record(static_cast<std::uint64_t>(now_ns - slot.asked_ns));
    if (request >= forgotten_before_) ++complete_;
}

void PacketLoad::accepted(std::uint64_t sequence, std::int64_t now_ns) {
    if (sequence > settings_.before && sequence <= sequence_) ++tally_.accepted;
    answered(sequence, now_ns);
}

void PacketLoad::forget_outstanding() {
    forgotten_ += outstanding();
    forgotten_before_ = requests_;
}

void PacketLoad::hear(std::span<const std::byte> datagram, std::int64_t now_ns) {
    if (settings_.echo)
        hear_echo(datagram, now_ns);
    else if (is_extended(settings_))
        hear_replies(datagram, now_ns);
    else
        hear_trade(datagram, now_ns);
}

void PacketLoad::hear_echo(std::span<const std::byte> datagram, std::int64_t now_ns) {
    const Scan found = scan(datagram);
    Order order;
    for (std::size_t i = 0; found.fault == Fault::none && i < found.header.count; ++i) {
        if (decode_order(found, datagram, i, order) == Fault::none)
            accepted(order.sequence, now_ns);
        else
            ++tally_.strange;
    }
    if (found.fault != Fault::none) ++tally_.strange;
}

void PacketLoad::hear_trade(std::span<const std::byte> datagram, std::int64_t now_ns) {
    Trade trade;
    if (decode_trade(datagram, trade) != Fault::none) {
        ++tally_.strange;
        return;
    }
    ++tally_.trades;
    // The other side's order id is zero.
    if (trade.ask != 0) accepted(trade.ask, now_ns);
    if (trade.bid != 0) accepted(trade.bid, now_ns);
}

void PacketLoad::hear_replies(std::span<const std::byte> datagram, std::int64_t now_ns) {
    const Scan found = scan_replies(datagram);
    if (found.fault != Fault::none) {
        ++tally_.strange;
        return;
    }
    Reply reply;
    for (std::size_t i = 0; i < found.header.count; ++i) {
        if (decode_reply(datagram, i, reply) != Fault::none) {
            ++tally_.strange;
        } else if (reply.kind == ReplyKind::executed) {
            // Both sides of a trade are ours: count it once.
            if (reply.side == Side::buy) ++tally_.trades;
        } else if (reply.kind == ReplyKind::accepted) {
            accepted(reply.sequence, now_ns);
        } else if (reply.kind == ReplyKind::rejected) {
            ++(is_busy(reply) ? tally_.busy : tally_.refused);
            answered(reply.sequence, now_ns);
        }
    }
}

}  // namespace damrak::client
