#include <damrak/lab/rings/experiment.hpp>

#include <array>
#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include <damrak/base/affinity.hpp>
#include <damrak/base/assert.hpp>
#include <damrak/base/cycle_clock.hpp>
#include <damrak/base/waiting.hpp>
#include <damrak/lab/measured.hpp>
#include <damrak/lab/rings/queues.hpp>

namespace damrak::lab {

namespace {

using namespace rings;

constexpr std::size_t k_batch = 16;

/// Runs two threads, on a core each if there are two.
template <class There, class Here>
void run_together(There&& there, Here&& here) {
    const std::vector<unsigned> cores = allowed_cores();
    const bool pinned = cores.size() > 1;
    const std::jthread other{[&] {
        if (pinned) DAMRAK_ASSERT(pin_this_thread(cores[1]));
        there();
    }};
    // Pins a new thread instead of the calling one.
    std::jthread{[&] {
        if (pinned) DAMRAK_ASSERT(pin_this_thread(cores[0]));
        here();
    }}.join();
}

/// How the threads wait. Two spinning threads on one core would only block each other.
Waiting usual_waiting() { return allowed_cores().size() > 1 ? Waiting::spin : Waiting::yield; }

// Transfers items as fast as possible, in batches of `batch` on both sides.
template <class Ring>
Sample throughput(std::uint64_t items, std::size_t batch, Waiting waiting) {
    const auto ring = std::make_unique<Ring>();
    std::uint64_t sum = 0;
    Sample sample;
    std::atomic<bool> ready{false};
    const auto produce = [&] {
        Waiter waiter{waiting};
        ready.store(true);
        for (std::uint64_t next = 1; next <= items;) {
            const std::size_t pushed =
                ring->push(next, std::min<std::size_t>(batch, items - next + 1));
            next += pushed;
            waiter.after(pushed);
        }
    };
    const auto consume = [&] {
        while (!ready.load()) std::this_thread::yield();
        sample = measured(static_cast<std::int64_t>(items), Clock::wall, [&] {
            Waiter waiter{waiting};
            for (std::uint64_t popped_all = 0; popped_all < items;) {
                const std::size_t popped = ring->pop(batch, sum);
                popped_all += popped;
                waiter.after(popped);
            }
        });
    };
    run_together(produce, consume);
    DAMRAK_ASSERT(sum == items * (items + 1) / 2);
    return sample;
}

// One item goes over and one comes back; each round trip is timed.
template <class Ring>
Sample round_trips(std::uint64_t trips, Waiting waiting) {
    static const CycleClock clock = CycleClock::calibrated();
    const auto over = std::make_unique<Ring>();
    const auto back = std::make_unique<Ring>();
    Sample sample;
    Histogram latency_ns;
    const auto pass = [](Ring& from, Waiting how) {
        std::uint64_t number = 0;
        Waiter waiter{how};
        while (from.pop(1, number) == 0) waiter.after(0);
        return number;
    };
    const auto answer = [&] {
        for (std::uint64_t i = 1; i <= trips; ++i)
            DAMRAK_ASSERT(back->push(pass(*over, waiting), 1) == 1);
    };
    const auto ask = [&] {
        sample = measured(static_cast<std::int64_t>(trips), Clock::wall, [&] {
            for (std::uint64_t i = 1; i <= trips; ++i) {
                const std::uint64_t from = clock.now_ticks();
                DAMRAK_ASSERT(over->push(i, 1) == 1);
                DAMRAK_ASSERT(pass(*back, waiting) == i);
                latency_ns.record(clock.to_ns(clock.now_ticks() - from));
            }
        });
    };
    run_together(answer, ask);
    sample.latency_ns = latency_ns;
    return sample;
}

/// Calls `f.template operator()<Ring>(name, what)` for each ring type.
template <std::size_t k_bytes, class F>
void for_each_ring(F&& f) {
    f.template operator()<OurRing<k_bytes>>("ours", "base/spsc_ring.hpp");
    f.template operator()<BoostRing<k_bytes>>("boost", "boost::lockfree::spsc_queue");
#ifdef DAMRAK_HAS_READER_WRITER_QUEUE
    f.template operator()<ReaderWriterRing<k_bytes>>("moodycamel",
                                                     "ReaderWriterQueue, which has no batches");
#endif
}

template <std::size_t k_bytes>
void add_throughput(std::vector<Trial>& all, const Effort& effort) {
    const auto items = static_cast<std::uint64_t>(effort.scaled(4'000'000, 50'000));
    for (const std::size_t batch : {std::size_t{1}, k_batch}) {
        Trial trial{.name = fmt::format("{}_bytes_by_{}", k_bytes, batch),
                    .title = fmt::format("Items of {} bytes from thread to thread, {} at a time",
                                         k_bytes, batch),
                    .operation = "item",
                    .variants = {},
                    .size = k_bytes,
                    .series = fmt::format("an item, {} at a time, against its bytes", batch),
                    .countable = false,
                    .clock = Clock::wall};
        for_each_ring<k_bytes>([&]<class Ring>(const char* name, const char* what) {
            trial.variants.push_back(
                {name, what, [=] { return throughput<Ring>(items, batch, usual_waiting()); }});
        });
        all.push_back(std::move(trial));
    }
}

template <std::size_t k_bytes>
void add_round_trips(std::vector<Trial>& all, const Effort& effort) {
    const auto trips = static_cast<std::uint64_t>(effort.scaled(100'000, 2'000));
    Trial trial{.name = fmt::format("round_trip_{}_bytes", k_bytes),
                .title = fmt::format("An item of {} bytes there and one back", k_bytes),
                .operation = "round trip",
                .variants = {},
                .size = k_bytes,
                .series = "a round trip, against the bytes of its items",
                .countable = false,
                .clock = Clock::wall};
    for_each_ring<k_bytes>([&]<class Ring>(const char* name, const char* what) {
        trial.variants.push_back(
            {name, what, [=] { return round_trips<Ring>(trips, usual_waiting()); }});
    });
    all.push_back(std::move(trial));
}

// Only for our ring: how an idle side waits.
void add_waiting(std::vector<Trial>& all, const Effort& effort) {
    constexpr std::array<std::pair<const char*, Waiting>, 4> k_ways{{{"spin", Waiting::spin},
                                                                     {"yield", Waiting::yield},
                                                                     {"backoff", Waiting::backoff},
                                                                     {"block", Waiting::block}}};
    const auto items = static_cast<std::uint64_t>(effort.scaled(2'000'000, 20'000));
    const auto trips = static_cast<std::uint64_t>(effort.scaled(2'000, 100));
    Trial stream{.name = "waiting_stream",
                 .title = "Items of 64 bytes, 16 at a time, by how an idle side waits",
                 .operation = "item",
                 .variants = {},
                 .countable = false,
                 .clock = Clock::wall};
    Trial trip{.name = "waiting_round_trip",
               .title = "An item of 64 bytes there and one back, by how an idle side waits",
               .operation = "round trip",
               .variants = {},
               .countable = false,
               .clock = Clock::wall};
    for (const auto& [name, way] : k_ways) {
        const std::string what = fmt::format("an idle side does `{}`", name);
        stream.variants.push_back(
            {name, what, [items, way] { return throughput<OurRing<64>>(items, k_batch, way); }});
        trip.variants.push_back(
            {name, what, [trips, way] { return round_trips<OurRing<64>>(trips, way); }});
    }
    all.push_back(std::move(stream));
    all.push_back(std::move(trip));
}

std::vector<Trial> trials(const Effort& effort) {
    std::vector<Trial> all;
    add_throughput<8>(all, effort);
    add_throughput<32>(all, effort);
    add_throughput<64>(all, effort);
    add_throughput<256>(all, effort);
    add_round_trips<8>(all, effort);
    add_round_trips<256>(all, effort);
    add_waiting(all, effort);
    return all;
}

}  // namespace

Experiment ring_experiment() {
    return {.name = "ring",
            .title = "The ring between two threads",
            .question =
                "What does passing an item from thread to thread cost, by its size, in batches "
                "and one by one, in our ring and in two packaged ones; and what does "
                "the idle strategy cost?",
            .trials = trials};
}

}  // namespace damrak::lab
