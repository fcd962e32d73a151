#include <damrak/lab/ingest/study.hpp>

#include <algorithm>
#include <array>
#include <thread>

#include <damrak/base/affinity.hpp>
#include <damrak/lab/ingest/engine_thread.hpp>
#include <damrak/lab/ingest/flow.hpp>
#include <damrak/lab/measured.hpp>
#include <damrak/net/network_namespace.hpp>
#include <damrak/wire/packet/decode.hpp>
#include <damrak/wire/packet/descriptor.hpp>
#include <damrak/wire/packet/encode.hpp>

namespace damrak::lab::ingest {

namespace {

namespace packet = wire::packet;

constexpr std::size_t k_few = 256;
constexpr std::size_t k_many = 4'096;
constexpr std::size_t k_sent_a_turn = 64;
constexpr std::size_t k_heard_a_turn = 256;
constexpr double k_warm_up_s = 0.1;
constexpr double k_round_trips_s = 3;  // at most, on a busy machine
constexpr double k_other_s = 10;       // round trips and all else
constexpr std::int64_t k_patience_ns = 20'000'000;

// Rung 8 has the bitmap of occupied prices and a flat table of ids; rung 2 has arrays of levels and
// ids in a hash table.
constexpr std::array<Step, 8> k_steps{{
    {"1 basic",
     "a socket, a system call an order and a trade, levels in maps",
     Way::one_socket_call_each,
     0,
     k_few,
     k_few,
     Idle::block,
     false,
     {}},
    {"2 AF_XDP", "frames from the card, small rings", Way::xdp, 0, k_few, k_few, Idle::block, false,
     net::XdpMode::native},
    {"3 rings, waiting", "larger rings; looks some thousand times before it sleeps", Way::xdp, 0,
     k_many, k_many, Idle::hybrid, false, net::XdpMode::native},
    {"4 vectors", "levels in vectors instead of maps", Way::xdp, 2, k_many, k_many, Idle::hybrid,
     false, net::XdpMode::native},
    {"5 bitmap, flat ids", "occupied levels as bits, a flat table of ids", Way::xdp, 8, k_many,
     k_many, Idle::hybrid, false, net::XdpMode::native},
    {"6 pinned", "a core of its own, never sleeps", Way::xdp, 8, k_many, k_many, Idle::spin, true,
     net::XdpMode::native},
    {"7 product", "the product's engine with all its checks", Way::xdp, 10, k_many, k_many,
     Idle::spin, true, net::XdpMode::native},
    {"7 product, generic", "the same in the generic mode of AF_XDP", Way::xdp, 10, k_many, k_many,
     Idle::spin, true, net::XdpMode::generic},
}};

std::int64_t after(double seconds) {
    return now_ns(Clock::wall) + static_cast<std::int64_t>(seconds * 1e9);
}

/// The sender: the flow, round and round, and what comes back.
class Sender {
  public:
    Sender(net::XdpPath& path, const net::Endpoint& to, std::uint64_t seed)
        : path_(path), to_(to), flow_(make_flow(seed)), asked_ns_(k_pairs_from + 2 * k_pairs) {}

    /// One pair at a time.
    void round_trips(std::uint32_t count, Histogram& into) {
        const std::int64_t end_ns = after(k_round_trips_s);
        for (std::uint32_t i = 0; i < count && now_ns(Clock::wall) < end_ns; ++i) {
            static_cast<void>(put(pair_order(i, Side::sell)));
            static_cast<void>(put(pair_order(i, Side::buy)));
            const std::int64_t begin_ns = now_ns(Clock::wall);
            path_.flush();
            last_trade_ns_ = 0;
            while (last_trade_ns_ == 0 && now_ns(Clock::wall) - begin_ns < k_patience_ns)
                hear(nullptr);
            if (last_trade_ns_ != 0)
                into.record(static_cast<std::uint64_t>(last_trade_ns_ - begin_ns));
        }
    }

    /// As fast as it goes, until then; the orders that were sent.
    std::uint64_t flood(std::int64_t end_ns, Histogram* latency) {
        std::uint64_t sent = 0;
        while (now_ns(Clock::wall) < end_ns) {
            for (std::size_t i = 0; i < k_sent_a_turn && put(flow_[next_]); ++i) {
                next_ = (next_ + 1) % flow_.size();
                ++sent;
            }
            const std::int64_t now = now_ns(Clock::wall);
            for (const std::uint32_t id : waiting_) asked_ns_[id] = now;
            waiting_.clear();
            path_.flush();
            hear(latency);
        }
        return sent;
    }

  private:
    bool put(const ladder::Request& request) {
        const auto memory = path_.claim(to_, packet::Packed::k_length);
        if (memory.empty()) return false;
        const bool cancels = request.op == ladder::Op::cancel;
        const packet::Order order{
            .sequence = ++sequence_,
            .name = {request.id},
            .price_e2 = static_cast<std::uint32_t>(request.price_ticks),
            .quantity = request.quantity,
            .action = cancels ? packet::Action::cancel : packet::Action::new_order,
            .side = request.side};
        path_.commit(packet::encode_public(packet::Format::packed, order, memory));
        if (!cancels) waiting_.push_back(static_cast<std::uint32_t>(request.id));
        return true;
    }

    void hear(Histogram* latency) {
        path_.receive(k_heard_a_turn, 0, [&](const net::Datagram& one) {
            packet::Trade trade;
            if (packet::decode_trade(one.bytes, trade) != packet::Fault::none) return;
            last_trade_ns_ = now_ns(Clock::wall);
            if (latency == nullptr || std::max(trade.bid, trade.ask) >= asked_ns_.size()) return;
            const std::int64_t asked_ns = std::max(asked_ns_[trade.bid], asked_ns_[trade.ask]);
            latency->record(static_cast<std::uint64_t>(last_trade_ns_ - asked_ns));
        });
    }

    net::XdpPath& path_;
    net::Endpoint to_;
    std::vector<ladder::Request> flow_;
    std::vector<std::int64_t> asked_ns_;  ///< by id
    std::vector<std::uint32_t> waiting_;  ///< written, not yet flushed
    std::size_t next_ = 0;
    std::uint32_t sequence_ = 0;
    std::int64_t last_trade_ns_ = 0;
};

/// The slices that are wholly between the two instants.
void take_slices(const EngineThread& engine, std::int64_t from_ns, std::int64_t to_ns, Run& run) {
    const auto first =
        static_cast<std::size_t>((from_ns - engine.begin_ns() + k_slice_ns - 1) / k_slice_ns);
    const auto end = std::min(static_cast<std::size_t>((to_ns - engine.begin_ns()) / k_slice_ns),
                              engine.slices().size());
    for (std::size_t i = first; i < end; ++i) {
        const Slice& slice = engine.slices()[i];
        run.orders_per_s.push_back(slice.orders * 1e9 / k_slice_ns);
        run.trades_per_s.push_back(slice.trades * 1e9 / k_slice_ns);
        run.received += slice.orders;
        run.elapsed_ns += k_slice_ns;
    }
}

std::expected<Run, std::string> send_to(EngineThread& engine, const Options& options) {
    auto path =
        net::XdpPath::open({.interface = net::VethPair::k_interface, .mode = net::XdpMode::native});
    if (!path) return std::unexpected{path.error()};
    const auto to = path->resolve(net::VethPair::k_left_address, engine.port());
    if (!to) return std::unexpected{to.error()};
    Run run;
    Sender sender{*path, *to, options.seed};
    sender.round_trips(options.round_trips, run.round_trip_ns);
    static_cast<void>(sender.flood(after(k_warm_up_s), nullptr));
    const std::int64_t from_ns = now_ns(Clock::wall);
    run.sent = sender.flood(after(options.seconds), &run.trade_latency_ns);
    const std::int64_t to_ns = now_ns(Clock::wall);
    engine.stop();
    take_slices(engine, from_ns, to_ns, run);
    if (run.orders_per_s.empty())
        return std::unexpected{
            std::string{"no whole slice of 2.5 ms was measured: this machine is too busy"}};
    run.fill_empty = engine.counters().fill_empty;
    run.path = engine.path();
    return run;
}

}  // namespace

std::span<const Step> steps() { return k_steps; }

std::expected<Run, std::string> run_step(const Step& step, const Options& options) {
    const auto pair = net::VethPair::make();
    if (!pair) return std::unexpected{pair.error()};
    auto engine = EngineThread::start(step, pair->left, options.seconds + k_other_s);
    if (!engine) return std::unexpected{engine.error()};
    std::expected<Run, std::string> run;
    // Of its own, so that this thread and those that it starts later may run where they like.
    std::jthread{[&] {
        static_cast<void>(pin_this_thread(k_sender_core));
        run = pair->right.run([&] { return send_to(**engine, options); });
    }}.join();
    return run;
}

}  // namespace damrak::lab::ingest
