// What a place at the front of the queue is worth: the chance that an order which joins the best
// price is filled within ten seconds, by the quantity ahead of it.
//
//   build/release/damrak archive import DAY.itch
//   build/release/examples/queue_value DAY.dar SYMBOL
#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include <fmt/format.h>

#include <damrak/archive/day.hpp>
#include <damrak/replay/queue_study.hpp>

using namespace damrak;

int main(int argc, char** argv) {
    if (argc != 3) {
        fmt::print(stderr, "usage: queue_value DAY.dar SYMBOL\n");
        return 2;
    }
    const auto day = archive::Day::open(argv[1]);
    if (!day) {
        fmt::print(stderr, "{}\n", day.error());
        return 1;
    }
    const auto instruments = day->instruments();
    const auto stock = std::ranges::find(instruments, argv[2], &archive::Instrument::symbol);
    if (stock == instruments.end()) {
        fmt::print(stderr, "the day has no instrument {}\n", argv[2]);
        return 1;
    }
    const auto orders = replay::study_queue(*day, {.locate = stock->locate});
    for (const std::string& missing : orders.completeness.missing)
        fmt::print(stderr, "{}\n", missing);
    constexpr std::array<std::int64_t, 1> k_ten_seconds{10'000'000'000};
    std::uint64_t least = 0;
    for (const std::uint64_t most : {100U, 300U, 1'000U, 1'000'000U}) {
        std::vector<replay::Lifetime> lifetimes;
        for (const replay::QueuedOrder& one : orders.value)
            if (one.placement == replay::Placement::joins && one.quantity_ahead > least &&
                one.quantity_ahead <= most)
                lifetimes.push_back(one.lifetime);
        const replay::Survival survival{lifetimes};
        const auto point = survival.at(k_ten_seconds).front();
        fmt::print("{:>6} to {:>8} ahead: {:>5} orders, {:5.1f} % filled, {:5.1f} % cancelled\n",
                   least + 1, most, survival.orders(), 100 * point.filled, 100 * point.cancelled);
        least = most;
    }
    return 0;
}
