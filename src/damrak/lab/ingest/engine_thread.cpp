#include <damrak/lab/ingest/engine_thread.hpp>

#include <utility>

#include <damrak/base/affinity.hpp>
#include <damrak/lab/ingest/flow.hpp>
#include <damrak/lab/ladder/rungs.hpp>
#include <damrak/lab/measured.hpp>
#include <damrak/net/socket_path.hpp>
#include <damrak/wire/packet/decode.hpp>
#include <damrak/wire/packet/encode.hpp>

namespace damrak::lab::ingest {

namespace {

namespace packet = wire::packet;

constexpr std::size_t k_quota = 64;
constexpr int k_patience_ms = 1;
constexpr unsigned k_looks = 2'000;  // of hybrid waiting, before the kernel is asked

ladder::Request request_of(const packet::Order& order) {
    ladder::Request request;
    request.op = order.action == packet::Action::cancel ? ladder::Op::cancel : ladder::Op::limit;
    request.side = order.side;
    request.quantity = order.quantity;
    request.price_ticks = static_cast<std::int32_t>(order.price_e2);
    request.id = order.name.value;
    return request;
}

/// Where the trades of a rung go: to the sender, as the public format has them.
template <class Path>
struct TradeSender {
    template <class Trade>
    void trade(const Trade& made) {
        ++trades;
        const bool bought = taker_side == Side::buy;
        const auto taker = static_cast<std::uint32_t>(made.taker);
        const auto maker = static_cast<std::uint32_t>(made.maker);
        const std::span<std::byte> memory = path->claim(to, packet::TradeLayout::k_length);
        if (memory.empty()) return;  // counted by the path
        path->commit(packet::encode(
            packet::Trade{.bid = bought ? taker : maker,
                          .ask = bought ? maker : taker,
                          .price_e2 = static_cast<std::uint32_t>(ladder::ticks_of(made.price)),
                          .quantity = made.quantity},
            memory));
    }
    template <class Reason>
    void refused(const Reason&) {}

    Path* path;
    net::Endpoint to{};
    Side taker_side{};
    std::uint32_t trades = 0;
};

}  // namespace

std::expected<std::unique_ptr<EngineThread>, std::string> EngineThread::start(
    const Step& step, const net::NetworkNamespace& where, double longest_s) {
    std::unique_ptr<EngineThread> made{new EngineThread};
    made->slices_.resize(static_cast<std::size_t>(longest_s * 1e9 / k_slice_ns));
    made->thread_ = std::jthread{[&, self = made.get()] { self->run(step, where); }};
    made->ready_.wait(false);
    if (!made->error_.empty()) return std::unexpected{made->error_};
    return made;
}

void EngineThread::stop() {
    stopping_.store(true);
    if (thread_.joinable()) thread_.join();
}

void EngineThread::count(std::int64_t now_ns, std::uint32_t orders, std::uint32_t trades) {
    taken_.store(taken_.load(std::memory_order_relaxed) + orders, std::memory_order_relaxed);
    const auto index = static_cast<std::size_t>((now_ns - begin_ns_) / k_slice_ns);
    if (index >= slices_.size()) return;
    slices_[index].orders += orders;
    slices_[index].trades += trades;
}

template <std::size_t k_rung, class Path>
void EngineThread::match(const Step& step, Path& path) {
    ladder::Rung<k_rung> engine{setup()};
    TradeSender<Path> sender{.path = &path};
    packet::Order order;
    port_ = path.port();
    path_ = path.describe();
    begin_ns_ = now_ns(Clock::wall);
    ready_.store(true);
    ready_.notify_one();
    unsigned idle_turns = 0;
    while (!stopping_.load(std::memory_order_relaxed)) {
        const bool waits =
            step.idle == Idle::block || (step.idle == Idle::hybrid && idle_turns > k_looks);
        const std::size_t orders =
            path.receive(k_quota, waits ? k_patience_ms : 0, [&](const net::Datagram& one) {
                const packet::Scan found = packet::scan(one.bytes);
                if (found.fault != packet::Fault::none ||
                    packet::decode_order(found, one.bytes, 0, order) != packet::Fault::none)
                    return;
                sender.to = one.source;
                sender.taker_side = order.side;
                engine.apply(request_of(order), sender);
            });
        idle_turns = orders > 0 ? 0 : idle_turns + 1;
        if (orders == 0) continue;
        path.flush();
        count(now_ns(Clock::wall), static_cast<std::uint32_t>(orders),
              std::exchange(sender.trades, 0));
    }
    counters_ = path.counters();
}

template <class Path>
void EngineThread::serve(const Step& step, Path& path) {
    ladder::for_each_rung([&]<std::size_t k_rung>() {
        // The rungs that the steps use; each instance costs a while to compile.
        if constexpr (k_rung == 0 || k_rung == 2 || k_rung == 8 || k_rung == 10)
            if (step.rung == k_rung) match<k_rung>(step, path);
    });
}

void EngineThread::run(const Step& step, const net::NetworkNamespace& where) {
    if (step.pinned) static_cast<void>(pin_this_thread(k_engine_core));
    const auto with = [&](auto opened) {
        if (opened)
            serve(step, *opened);
        else
            error_ = opened.error();
    };
    where.run([&] {
        if (step.way == Way::xdp)
            with(net::XdpPath::open({.interface = net::VethPair::k_interface,
                                     .mode = step.mode,
                                     .receive_frames = step.receive_frames,
                                     .send_frames = step.send_frames}));
        else
            with(net::SocketPath::open({.address = net::VethPair::k_left_address,
                                        .batch = 1,
                                        .send_room = step.send_frames}));
    });
    ready_.store(true);
    ready_.notify_one();
}

}  // namespace damrak::lab::ingest
