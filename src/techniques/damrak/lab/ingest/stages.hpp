// The engine's side of the ingest study in three stages: datagrams to orders, orders to trades,
// trades to datagrams. One thread runs all, or each has its own thread, connected by two rings.
// Part of engine_thread.cpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

#include <damrak/base/spsc_ring.hpp>
#include <damrak/lab/ladder/request.hpp>
#include <damrak/net/datagram_path.hpp>
#include <damrak/wire/packet/decode.hpp>
#include <damrak/wire/packet/encode.hpp>

namespace damrak::lab::ingest {

inline constexpr std::size_t k_quota = 64;

/// An order with the client that it came from.
struct IncomingOrder {
    wire::packet::Order order;
    net::Endpoint from;
};
/// A trade with the client that it goes to.
struct OutgoingTrade {
    wire::packet::Trade trade;
    net::Endpoint to;
};

/// Two rings between threads, for orders in and trades out; a full ring blocks its producer.
struct Rings {
    static constexpr std::size_t k_places = 16'384;
    SpscRing<IncomingOrder> orders{k_places};
    SpscRing<OutgoingTrade> trades{k_places};
};

inline ladder::Request request_of(const wire::packet::Order& order) {
    ladder::Request request;
    request.op =
        order.action == wire::packet::Action::cancel ? ladder::Op::cancel : ladder::Op::limit;
    request.side = order.side;
    request.quantity = order.quantity;
    request.price_ticks = static_cast<std::int32_t>(order.price_e2);
    request.id = order.name.value;
    return request;
}

/// Calls `take(order, from)` for at most `quota` waiting orders. Returns the number of datagrams.
template <class Path, class Take>
std::size_t receive_orders(Path& path, int wait_ms, Take&& take) {
    namespace packet = wire::packet;
    packet::Order order;
    return path.receive(k_quota, wait_ms, [&](const net::Datagram& one) {
        const packet::Scan found = packet::scan(one.bytes);
        if (found.fault != packet::Fault::none ||
            packet::decode_order(found, one.bytes, 0, order) != packet::Fault::none)
            return;
        take(order, one.source);
    });
}

template <class Path>
void send_trade(Path& path, const wire::packet::Trade& trade, const net::Endpoint& to) {
    const auto memory = path.claim(to, wire::packet::TradeLayout::k_length);
    if (memory.empty()) return;  // counted by the path
    path.commit(wire::packet::encode(trade, memory));
}

/// The sink of a rung: calls `tell(trade, to)` for each trade, in the public format.
template <class Tell>
class Matched {
  public:
    explicit Matched(Tell tell) : tell_(std::move(tell)) {}

    template <class Engine>
    void apply(Engine& engine, const wire::packet::Order& order, const net::Endpoint& from) {
        to_ = from;
        taker_side_ = order.side;
        engine.apply(request_of(order), *this);
    }
    /// Trades since the last call.
    [[nodiscard]] std::uint32_t count() { return std::exchange(trades_, 0); }

    template <class Trade>
    void trade(const Trade& made) {
        ++trades_;
        const bool bought = taker_side_ == Side::buy;
        const auto taker = static_cast<std::uint32_t>(made.taker);
        const auto maker = static_cast<std::uint32_t>(made.maker);
        tell_(wire::packet::Trade{.bid = bought ? taker : maker,
                                  .ask = bought ? maker : taker,
                                  .price_e2 =
                                      static_cast<std::uint32_t>(ladder::ticks_of(made.price)),
                                  .quantity = made.quantity},
              to_);
    }
    template <class Reason>
    void refused(const Reason&) {}

  private:
    Tell tell_;
    net::Endpoint to_{};
    Side taker_side_{};
    std::uint32_t trades_ = 0;
};

}  // namespace damrak::lab::ingest
