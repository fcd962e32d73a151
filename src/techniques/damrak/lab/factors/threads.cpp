// How an idle thread waits, and whether pinning threads to cores helps: two threads pass a number
// back and forth over two of the product's rings.
#include <array>
#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <damrak/base/affinity.hpp>
#include <damrak/base/assert.hpp>
#include <damrak/base/spsc_ring.hpp>
#include <damrak/base/waiting.hpp>
#include <damrak/lab/factors/factors.hpp>

namespace damrak::lab {

namespace {

constexpr std::uint32_t k_ring = 64;

// The core of each of the two threads, if pinned.
using Cores = std::optional<std::array<unsigned, 2>>;

void pin(const Cores& cores, std::size_t which) {
    if (cores) static_cast<void>(pin_this_thread(cores->at(which)));
}

using Ring = SpscRing<std::int64_t>;

void send(Ring& ring, std::int64_t number, Waiter& waiter) {
    std::int64_t* slot = ring.claim();
    for (; slot == nullptr; slot = ring.claim()) waiter.after(0);
    *slot = number;
    ring.publish();
}

std::int64_t receive(Ring& ring, Waiter& waiter) {
    while (ring.front().empty()) waiter.after(0);
    const std::int64_t number = ring.front().front();
    ring.release(1);
    waiter.after(1);
    return number;
}

// A round trip of one number is an operation; each is also timed by itself.
Sample hand_over(std::int64_t times, Waiting waiting, const Cores& cores) {
    Ring there(k_ring);
    Ring back(k_ring);
    std::atomic<bool> ready = false;
    Histogram latency_ns;
    Sample sample;
    // Both run on new threads, so that the calling thread is not pinned.
    std::thread answering([&] {
        pin(cores, 1);
        Waiter waiter(waiting);
        ready.store(true, std::memory_order_release);
        for (std::int64_t i = 0; i < times; ++i) send(back, receive(there, waiter), waiter);
    });
    std::thread asking([&] {
        pin(cores, 0);
        Waiter waiter(waiting);
        while (!ready.load(std::memory_order_acquire)) std::this_thread::yield();
        sample = measured(times, Clock::wall, [&] {
            for (std::int64_t i = 0; i < times; ++i) {
                const std::int64_t begin_ns = now_ns(Clock::wall);
                send(there, i, waiter);
                DAMRAK_ASSERT(receive(back, waiter) == i);
                latency_ns.record(static_cast<std::uint64_t>(now_ns(Clock::wall) - begin_ns));
            }
        });
    });
    asking.join();
    answering.join();
    sample.latency_ns = latency_ns;
    return sample;
}

Cores two_cores() {
    const std::vector<unsigned> allowed = allowed_cores();
    return allowed.size() < 2 ? Cores{} : Cores{{allowed[0], allowed[1]}};
}

Cores one_core() {
    const unsigned core = allowed_cores().front();
    return Cores{{core, core}};
}

Variant variant(std::string name, std::string what, std::int64_t times, Waiting waiting,
                const Cores& cores) {
    return {std::move(name), std::move(what), [=] { return hand_over(times, waiting, cores); }};
}

Trial trial_of(std::string name, std::string title, std::vector<Variant> variants) {
    return {.name = std::move(name),
            .title = std::move(title),
            .operation = "round trip",
            .variants = std::move(variants),
            .countable = false,
            .clock = Clock::wall};
}

constexpr std::int64_t k_round_trips = 16'000;
constexpr std::int64_t k_slow_round_trips = 400;  // for threads that sleep or share a core

std::vector<Trial> waiting_trials(const Effort& effort) {
    const std::int64_t times = effort.scaled(k_round_trips);
    const std::int64_t few = effort.scaled(k_slow_round_trips);
    const auto trial = [&](std::string name, std::string title, const Cores& cores, bool shared) {
        return trial_of(
            std::move(name), std::move(title),
            {variant("spin", "polls again at once", shared ? few / 10 + 1 : times, Waiting::spin,
                     cores),
             variant("yield", "yields", times, Waiting::yield, cores),
             variant("backoff", "spins, yields, then sleeps with growing intervals",
                     shared ? few : times, Waiting::backoff, cores),
             variant("block", "sleeps 200 microseconds each time", few, Waiting::block, cores)});
    };
    std::vector<Trial> trials;
    if (const Cores cores = two_cores())
        trials.push_back(trial("two_cores", "two threads, one core each", cores, false));
    trials.push_back(trial("one_core", "two threads on one core", one_core(), true));
    return trials;
}

std::vector<Trial> pinning_trials(const Effort& effort) {
    const std::int64_t times = effort.scaled(k_round_trips);
    std::vector<Trial> trials;
    for (const auto& [name, waiting] :
         {std::pair{"spin", Waiting::spin}, {"yield", Waiting::yield}}) {
        std::vector<Variant> variants{
            variant("free", "the scheduler chooses the cores", times, waiting, {})};
        if (const Cores cores = two_cores())
            variants.push_back(variant("pinned", "each on its own core", times, waiting, cores));
        if (waiting == Waiting::yield)
            variants.push_back(
                variant("same_core", "both on one core", times, waiting, one_core()));
        trials.push_back(
            trial_of(name, std::string{"two threads that wait by "} + name, std::move(variants)));
    }
    return trials;
}

}  // namespace

Experiment waiting_experiment() {
    return {.name = "waiting",
            .title = "Waiting strategies",
            .question =
                "What latency does each way of waiting cost, with a core for each thread and with "
                "one core for both?",
            .is_factor = true,
            .trials = waiting_trials};
}

Experiment pinning_experiment() {
    return {.name = "pinning",
            .title = "Pinning of threads",
            .question = "Does pinning each of two threads to a core help?",
            .is_factor = true,
            .trials = pinning_trials};
}

}  // namespace damrak::lab
