#include <damrak/lab/ingest/study.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <span>
#include <thread>
#include <utility>
#include <vector>

#include <damrak/base/affinity.hpp>
#include <damrak/lab/ingest/engine_thread.hpp>
#include <damrak/lab/ingest/flow.hpp>
#include <damrak/lab/ingest/more_senders.hpp>
#include <damrak/lab/ingest/recorded.hpp>
#include <damrak/lab/measured.hpp>
#include <damrak/net/network_namespace.hpp>
#include <damrak/wire/packet/decode.hpp>

namespace damrak::lab::ingest {

namespace {

namespace packet = wire::packet;

constexpr std::size_t k_few = 256;
constexpr std::size_t k_many = 4'096;
constexpr std::size_t k_sent_a_turn = 64;
constexpr std::size_t k_heard_a_turn = 256;
constexpr double k_warm_up_s = 0.1;
constexpr double k_round_trips_s = 3;  // limit, for busy machines
constexpr double k_other_s = 10;       // set-up and other work of a step
constexpr std::int64_t k_patience_ns = 20'000'000;
constexpr std::int64_t k_pause_ns = 10'000'000;    // between bursts
constexpr std::int64_t k_settle_ns = 100'000'000;  // until no buffer has anything left

// Rung 8 has a bitmap of occupied prices and a flat table of ids; rung 2 has arrays of levels and a
// hash table of ids.
constexpr std::array<Step, 9> k_steps{{
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
    {"3 rings, waiting", "larger rings; polls some thousand times before it sleeps", Way::xdp, 0,
     k_many, k_many, Idle::hybrid, false, net::XdpMode::native},
    {"4 vectors", "levels in vectors instead of maps", Way::xdp, 2, k_many, k_many, Idle::hybrid,
     false, net::XdpMode::native},
    {"5 bitmap, flat ids", "occupied levels as bits, a flat table of ids", Way::xdp, 8, k_many,
     k_many, Idle::hybrid, false, net::XdpMode::native},
    {"6 pinned", "a dedicated core, never sleeps", Way::xdp, 8, k_many, k_many, Idle::spin, true,
     net::XdpMode::native},
    {"7 product", "the product's engine with all its checks", Way::xdp, 10, k_many, k_many,
     Idle::spin, true, net::XdpMode::native},
    {"7 product, three threads",
     "receiver, engine and publisher on separate threads with rings between them", Way::xdp, 10,
     k_many, k_many, Idle::spin, true, net::XdpMode::native, Threads::three},
    {"7 product, generic", "the same in the generic mode of AF_XDP", Way::xdp, 10, k_many, k_many,
     Idle::spin, true, net::XdpMode::generic},
}};

std::int64_t after(double seconds) {
    return now_ns(Clock::wall) + static_cast<std::int64_t>(seconds * 1e9);
}

/// The time of a load, by the clock of both threads.
struct Window {
    std::int64_t from_ns = 0;
    std::int64_t to_ns = 0;
};

/// The sender: repeats recorded packets and reads the answers.
class Sender {
  public:
    Sender(net::XdpPath& path, const net::Endpoint& to, const EngineThread& engine,
           std::uint64_t seed)
        : path_(path),
          to_(to),
          engine_(engine),
          flow_(record(make_flow(seed))),
          asked_ns_(k_pairs_from + 2 * k_pairs) {
        std::vector<ladder::Request> published = make_published_flow(seed);
        published_ = record(published);
        for (ladder::Request& request : published) request = cancel_of(request);
        cancels_ = record(published);
    }

    /// One pair after another.
    void round_trips(std::uint32_t count, Histogram& into) {
        const std::int64_t end_ns = after(k_round_trips_s);
        for (std::uint32_t i = 0; i < count && now_ns(Clock::wall) < end_ns; ++i) {
            static_cast<void>(put(record(pair_order(i, Side::sell), 2 * i + 1)));
            static_cast<void>(put(record(pair_order(i, Side::buy), 2 * i + 2)));
            const std::int64_t begin_ns = now_ns(Clock::wall);
            path_.flush();
            last_trade_ns_ = 0;
            while (last_trade_ns_ == 0 && now_ns(Clock::wall) - begin_ns < k_patience_ns)
                hear(nullptr);
            if (last_trade_ns_ != 0)
                into.record(static_cast<std::uint64_t>(last_trade_ns_ - begin_ns));
        }
        waiting_.clear();
        settle(nullptr);
    }

    /// Bursts of the published flow at full speed, each followed by a pause.
    Window bursts(double seconds, Load& load) {
        Window window{.from_ns = now_ns(Clock::wall)};
        const std::int64_t end_ns = after(seconds);
        while (now_ns(Clock::wall) < end_ns) {
            for (std::uint32_t sent = 0; sent < k_burst_orders;)
                sent += send(published_, k_burst_orders - sent, &load);
            listen(k_pause_ns, &load);
            begin_again(load);
        }
        window.to_ns = now_ns(Clock::wall);
        settle(&load);
        return window;
    }

    /// The published flow at a steady rate.
    Window paced(double seconds, std::uint32_t per_s, Load& load) {
        Window window{.from_ns = now_ns(Clock::wall)};
        const std::int64_t end_ns = after(seconds);
        const std::int64_t every_ns = 1'000'000'000 / per_s;
        std::int64_t due_ns = window.from_ns;
        for (std::int64_t now = window.from_ns; now < end_ns; now = now_ns(Clock::wall)) {
            for (; due_ns <= now; due_ns += every_ns) send(published_, 1, &load);
            listen(0, &load);
            begin_again(load);
        }
        window.to_ns = now_ns(Clock::wall);
        settle(&load);
        return window;
    }

    /// Sends as fast as possible until that time.
    template <class AtEnd>
    Window flood(double seconds, Load* load, AtEnd&& at_end) {
        Window window{.from_ns = now_ns(Clock::wall)};
        const std::int64_t end_ns = after(seconds);
        while (now_ns(Clock::wall) < end_ns) {
            send(flow_, k_sent_a_turn, load);
            hear(load);
        }
        window.to_ns = now_ns(Clock::wall);
        at_end();
        settle(load);
        return window;
    }

    /// Cancels the orders that a load of the published flow left in the book; filled orders are
    /// refused. Returns the number of cancels.
    std::uint64_t clear() {
        Load cancelled;
        const std::size_t orders = std::exchange(next_, 0);
        while (next_ < orders)
            send(cancels_, static_cast<std::uint32_t>(orders - next_), &cancelled);
        settle(nullptr);
        next_ = 0;
        return cancelled.sent;
    }

  private:
    bool put(const Recorded& one) {
        const auto memory = path_.claim(to_, one.bytes.size());
        if (memory.empty()) return false;
        std::ranges::copy(one.bytes, memory.begin());
        path_.commit(one.bytes.size());
        if (one.timed_id != 0) waiting_.push_back(one.timed_id);
        return true;
    }

    // Sends at most `most` packets, as far as there is room; wraps around at the end of the flow.
    std::uint32_t send(const std::vector<Recorded>& flow, std::uint32_t most, Load* load) {
        std::uint32_t sent = 0;
        const std::uint32_t turn = std::min<std::uint32_t>(most, k_sent_a_turn);
        if (&flow == &flow_ && next_ >= flow_.size()) next_ = 0;
        while (sent < turn && next_ < flow.size() && put(flow[next_])) {
            ++next_;
            ++sent;
        }
        const std::int64_t now = now_ns(Clock::wall);
        for (const std::uint32_t id : waiting_) asked_ns_[id] = now;
        waiting_.clear();
        path_.flush();
        if (sent < turn) hear(load);
        if (load != nullptr) load->sent += sent;
        return sent;
    }

    void begin_again(Load& load) {
        if (next_ >= published_.size()) load.sent += clear();
    }

    void listen(std::int64_t for_ns, Load* load) {
        const std::int64_t end_ns = now_ns(Clock::wall) + for_ns;
        do hear(load);
        while (now_ns(Clock::wall) < end_ns);
    }

    // Waits until the engine has received nothing for a while: buffered orders belong to the load
    // that sent them.
    void settle(Load* load) {
        std::uint64_t before = 0;
        do {
            before = engine_.taken();
            listen(k_settle_ns, load);
        } while (engine_.taken() != before);
    }

    void hear(Load* load) {
        path_.receive(k_heard_a_turn, 0, [&](const net::Datagram& one) {
            packet::Trade trade;
            if (packet::decode_trade(one.bytes, trade) != packet::Fault::none) return;
            last_trade_ns_ = now_ns(Clock::wall);
            if (load == nullptr || std::max(trade.bid, trade.ask) >= asked_ns_.size()) return;
            const auto [earlier, later] = std::minmax(asked_ns_[trade.bid], asked_ns_[trade.ask]);
            if (earlier == 0) return;  // a late pair of the round trips
            load->from_earlier_ns.record(static_cast<std::uint64_t>(last_trade_ns_ - earlier));
            load->from_later_ns.record(static_cast<std::uint64_t>(last_trade_ns_ - later));
        });
    }

    net::XdpPath& path_;
    net::Endpoint to_;
    const EngineThread& engine_;
    std::vector<Recorded> flow_;
    std::vector<Recorded> published_;
    std::vector<Recorded> cancels_;       ///< of the published flow
    std::vector<std::int64_t> asked_ns_;  ///< by id
    std::vector<std::uint32_t> waiting_;  ///< written, not yet flushed
    std::size_t next_ = 0;                ///< position in the current flow
    std::int64_t last_trade_ns_ = 0;
};

/// Calls `take(slice)` for slices that are entirely within the window.
template <class Take>
void for_slices(const EngineThread& engine, const Window& window, Take&& take) {
    const auto first = static_cast<std::size_t>(
        (window.from_ns - engine.begin_ns() + k_slice_ns - 1) / k_slice_ns);
    const auto end =
        std::min(static_cast<std::size_t>((window.to_ns - engine.begin_ns()) / k_slice_ns),
                 engine.slices().size());
    for (std::size_t i = first; i < end; ++i) take(engine.slices()[i]);
}

void take_slices(const EngineThread& engine, const Window& window, Run& run) {
    for_slices(engine, window, [&run](const Slice& slice) {
        run.orders_per_s.push_back(slice.orders * 1e9 / k_slice_ns);
        run.trades_per_s.push_back(slice.trades * 1e9 / k_slice_ns);
        run.in_slices += slice.orders;
        run.elapsed_ns += k_slice_ns;
    });
}

// With a warm-up first, like the flood.
void run_on_recorded(const Step& step, const Options& options, Run& run) {
    const auto engine = EngineThread::start_on_recorded(step, options);
    const auto sleep = [](double seconds) {
        std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
    };
    sleep(k_warm_up_s);
    Window window{.from_ns = now_ns(Clock::wall)};
    sleep(options.seconds);
    window.to_ns = now_ns(Clock::wall);
    engine->stop();
    for_slices(*engine, window, [&run](const Slice& slice) {
        run.recorded_per_s.push_back(slice.orders * 1e9 / k_slice_ns);
    });
}

std::expected<Run, std::string> send_to(EngineThread& engine, const Options& options,
                                        std::span<const unsigned> cores) {
    auto path =
        net::XdpPath::open({.interface = net::VethPair::k_interface, .mode = net::XdpMode::native});
    if (!path) return std::unexpected{path.error()};
    const auto to = path->resolve(net::VethPair::k_left_address, engine.port());
    if (!to) return std::unexpected{to.error()};
    Run run;
    Sender sender{*path, *to, engine, options.seed};
    sender.round_trips(options.round_trips, run.round_trip_ns);
    const auto received = [&](Load& load, auto&& send) {
        const std::uint64_t before = engine.taken();
        const Window window = send(load);
        load.received = engine.taken() - before;
        return window;
    };
    received(run.bursts, [&](Load& load) { return sender.bursts(options.seconds, load); });
    static_cast<void>(sender.clear());
    received(run.paced,
             [&](Load& load) { return sender.paced(options.seconds, options.paced_per_s, load); });
    static_cast<void>(sender.clear());
    static_cast<void>(sender.flood(k_warm_up_s, nullptr, [] {}));
    const Window flood = received(run.flood, [&](Load& load) {
        MoreSenders others{options, engine.port(), cores};
        return sender.flood(options.seconds, &load, [&] { load.sent += others.stop(); });
    });
    engine.stop();
    take_slices(engine, flood, run);
    if (run.orders_per_s.empty())
        return std::unexpected{
            std::string{"no whole slice of 2.5 ms was measured: this machine is too busy"}};
    run.fill_empty = engine.counters().fill_empty;
    run.kernel_drops = engine.counters().kernel_drops;
    run.path = engine.path();
    return run;
}

}  // namespace

std::span<const Step> steps() { return k_steps; }

std::size_t product_step() {
    constexpr std::size_t k_product_rung = 10;
    const auto* const found = std::ranges::find(k_steps, k_product_rung, &Step::rung);
    return static_cast<std::size_t>(found - k_steps.begin());
}

std::expected<Run, std::string> run_step(const Step& step, const Options& options) {
    const auto pair = net::VethPair::make();
    if (!pair) return std::unexpected{pair.error()};
    auto engine = EngineThread::start(step, options, pair->left, 3 * options.seconds + k_other_s);
    if (!engine) return std::unexpected{engine.error()};
    const auto cores = allowed_cores();
    std::expected<Run, std::string> run;
    // In a separate thread, so that this thread and its later children are not pinned.
    std::jthread{[&] {
        static_cast<void>(pin_this_thread(k_sender_core));
        run = pair->right.run([&] { return send_to(**engine, options, cores); });
    }}.join();
    if (run) run_on_recorded(step, options, *run);
    return run;
}

}  // namespace damrak::lab::ingest
