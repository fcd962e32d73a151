#include <damrak/lab/ingest/recorded.hpp>

#include <span>

#include <damrak/wire/packet/encode.hpp>

namespace damrak::lab::ingest {

namespace packet = wire::packet;

Recorded record(const ladder::Request& request, std::uint32_t sequence) {
    const bool cancels = request.op == ladder::Op::cancel;
    const packet::Order order{
        .sequence = sequence,
        .name = {request.id},
        .price_e2 = static_cast<std::uint32_t>(request.price_ticks),
        .quantity = request.quantity,
        .action = cancels ? packet::Action::cancel : packet::Action::new_order,
        .side = request.side};
    Recorded recorded{.timed_id = cancels ? 0 : static_cast<std::uint32_t>(request.id)};
    static_cast<void>(
        packet::encode_public(packet::Format::packed, order, std::span{recorded.bytes}));
    return recorded;
}

std::vector<Recorded> record(const std::vector<ladder::Request>& flow) {
    std::vector<Recorded> all;
    all.reserve(flow.size());
    for (const ladder::Request& request : flow)
        all.push_back(record(request, static_cast<std::uint32_t>(all.size() + 1)));
    return all;
}

std::vector<Packet> packets_of(const std::vector<ladder::Request>& flow) {
    std::vector<Packet> all;
    all.reserve(flow.size());
    for (const Recorded& one : record(flow)) all.push_back(one.bytes);
    return all;
}

}  // namespace damrak::lab::ingest
