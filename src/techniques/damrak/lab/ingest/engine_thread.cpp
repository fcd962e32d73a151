#include <damrak/lab/ingest/engine_thread.hpp>

#include <algorithm>

#include <fmt/format.h>

#include <damrak/base/affinity.hpp>
#include <damrak/base/waiting.hpp>
#include <damrak/lab/ingest/flow.hpp>
#include <damrak/lab/ingest/recorded.hpp>
#include <damrak/lab/ingest/stages.hpp>
#include <damrak/lab/ladder/rungs.hpp>
#include <damrak/lab/measured.hpp>
#include <damrak/net/socket_path.hpp>

namespace damrak::lab::ingest {

namespace {

namespace packet = wire::packet;

constexpr int k_patience_ms = 1;
constexpr unsigned k_looks = 2'000;  // polls of hybrid waiting, before it sleeps in the kernel
constexpr unsigned k_threads = 3;    // in a step with rings

/// Cores of the three threads: one each if there are enough, else all on one.
struct Places {
    bool apart = false;

    static Places find() {
        const auto cores = allowed_cores();
        unsigned found = 0;
        for (unsigned i = 0; i < k_threads; ++i)
            found += std::ranges::count(cores, k_engine_core + i) > 0 ? 1U : 0U;
        return {.apart = found == k_threads};
    }
    void take(unsigned thread) const {
        static_cast<void>(pin_this_thread(k_engine_core + (apart ? thread : 0)));
    }
    [[nodiscard]] Waiting waiting() const { return apart ? Waiting::spin : Waiting::yield; }
    [[nodiscard]] std::string text() const {
        return apart ? fmt::format("receiver, engine and publisher on cores {} to {}",
                                   k_engine_core, k_engine_core + k_threads - 1)
                     : fmt::format("receiver, engine and publisher share core {}", k_engine_core);
    }
};

}  // namespace

std::expected<std::unique_ptr<EngineThread>, std::string> EngineThread::start(
    const Step& step, const Options& options, const net::NetworkNamespace& where,
    double longest_s) {
    std::unique_ptr<EngineThread> made{new EngineThread};
    made->slices_.resize(static_cast<std::size_t>(longest_s * 1e9 / k_slice_ns));
    made->thread_ = std::jthread{[&, self = made.get()] { self->run(step, options, where); }};
    made->ready_.wait(false);
    if (!made->error_.empty()) return std::unexpected{made->error_};
    return made;
}

std::unique_ptr<EngineThread> EngineThread::start_on_recorded(const Step& step,
                                                              const Options& options) {
    std::unique_ptr<EngineThread> made{new EngineThread};
    constexpr double k_spare_s = 2;
    made->slices_.resize(
        static_cast<std::size_t>((options.seconds + k_spare_s) * 1e9 / k_slice_ns));
    made->thread_ = std::jthread{[&step, &options, self = made.get()] {
        static_cast<void>(pin_this_thread(k_engine_core));
        LoopedPath path{packets_of(make_flow(options.seed))};
        self->serve(step, options, path);
    }};
    made->ready_.wait(false);
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

template <class Path>
void EngineThread::tell_ready(const Path& path, const std::string& threads) {
    port_ = path.port();
    path_ = path.describe() + threads;
    begin_ns_ = now_ns(Clock::wall);
    ready_.store(true);
    ready_.notify_one();
}

template <class Engine, class Path>
void EngineThread::match(const Step& step, Engine& engine, Path& path) {
    Matched matched{[&path](const packet::Trade& trade, const net::Endpoint& to) {
        send_trade(path, trade, to);
    }};
    tell_ready(path, "");
    unsigned idle_turns = 0;
    while (!stopping_.load(std::memory_order_relaxed)) {
        const bool waits =
            step.idle == Idle::block || (step.idle == Idle::hybrid && idle_turns > k_looks);
        const std::size_t orders =
            receive_orders(path, waits ? k_patience_ms : 0,
                           [&](const packet::Order& order, const net::Endpoint& from) {
                               matched.apply(engine, order, from);
                           });
        idle_turns = orders > 0 ? 0 : idle_turns + 1;
        if (orders == 0) continue;
        path.flush();
        count(now_ns(Clock::wall), static_cast<std::uint32_t>(orders), matched.count());
    }
}

// The engine's thread. Input that a ring has no room for waits where it is: frames in the card's
// ring, orders in our first ring.
template <class Engine, class Path>
void EngineThread::match_apart(Engine& engine, Path& path) {
    const auto rings = std::make_unique<Rings>();
    const Places places = Places::find();
    const auto stopping = [this] { return stopping_.load(std::memory_order_relaxed); };
    const auto on_thread = [&](unsigned thread, auto turn) {
        return std::jthread{[&places, &stopping, thread, turn] {
            places.take(thread);
            for (Waiter waiter{places.waiting()}; !stopping();) waiter.after(turn());
        }};
    };
    const std::jthread receiver = on_thread(0, [&path, &orders = rings->orders]() -> std::size_t {
        if (!orders.has_room(k_quota)) return 0;
        std::size_t taken = 0;
        receive_orders(path, 0, [&](const packet::Order& order, const net::Endpoint& from) {
            *orders.claim(taken++) = {.order = order, .from = from};
        });
        orders.publish(taken);
        return taken;
    });
    const std::jthread publisher = on_thread(2, [&path, &trades = rings->trades] {
        const auto made = trades.front();
        for (const OutgoingTrade& one : made) send_trade(path, one.trade, one.to);
        if (!made.empty()) path.flush();
        trades.release(made.size());
        return made.size();
    });
    places.take(1);
    Waiter waiter{places.waiting()};
    Matched matched{[&](const packet::Trade& trade, const net::Endpoint& to) {
        OutgoingTrade* place = rings->trades.claim();
        for (; place == nullptr && !stopping(); place = rings->trades.claim()) waiter.after(0);
        if (place == nullptr) return;
        *place = {.trade = trade, .to = to};
        rings->trades.publish();
    }};
    tell_ready(path, "; " + places.text());
    while (!stopping()) {
        const auto waiting = rings->orders.front();
        const auto orders = waiting.first(std::min(waiting.size(), k_quota));
        for (const IncomingOrder& one : orders) matched.apply(engine, one.order, one.from);
        waiter.after(orders.size());
        if (orders.empty()) continue;
        rings->orders.release(orders.size());
        count(now_ns(Clock::wall), static_cast<std::uint32_t>(orders.size()), matched.count());
    }
}

template <class Path>
void EngineThread::serve(const Step& step, const Options& options, Path& path) {
    ladder::for_each_rung([&]<std::size_t k_rung>() {
        // Only the rungs that the steps use, as each instance takes a while to compile.
        if constexpr (k_rung == 0 || k_rung == 2 || k_rung == 8 || k_rung == 10) {
            if (step.rung != k_rung) return;
            ladder::Rung<k_rung> engine{setup(options.senders)};
            if constexpr (k_rung == 10)
                if (step.threads == Threads::three) return match_apart(engine, path);
            match(step, engine, path);
        }
    });
    counters_ = path.counters();
}

void EngineThread::run(const Step& step, const Options& options,
                       const net::NetworkNamespace& where) {
    if (step.pinned) static_cast<void>(pin_this_thread(k_engine_core));
    const auto with = [&](auto opened) {
        if (opened)
            serve(step, options, *opened);
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
