#include <damrak/sim/detail/reference_prices.hpp>

#include <algorithm>

namespace damrak::sim::detail {

ReferencePrices::ReferencePrices(std::vector<DemoInstrument> instruments, std::uint64_t seed)
    : random_(seed) {
    for (const DemoInstrument& each : instruments) {
        const std::uint64_t ticks =
            std::max<std::uint64_t>(each.price_e2 / 10'000 / each.tick_e2, 1);
        const std::uint64_t unit_e2 = ticks * each.tick_e2;
        const std::uint64_t price_e2 =
            std::max<std::uint64_t>(each.price_e2 / unit_e2, 100) * unit_e2;
        paths_.push_back({.instrument = each,
                          .unit_e2 = unit_e2,
                          .price_e2 = price_e2,
                          .past = std::vector<std::uint64_t>(k_memory, price_e2)});
        paths_.back().instrument.price_e2 = price_e2;
    }
}

void ReferencePrices::advance(std::int64_t now_ns) {
    if (next_ns_ == INT64_MIN) next_ns_ = now_ns + k_step_ns;
    // After a long pause of the machine, continue from the present.
    next_ns_ = std::max(next_ns_, now_ns - 10 * k_step_ns);
    for (; next_ns_ <= now_ns; next_ns_ += k_step_ns)
        for (Path& path : paths_) step(path);
}

void ReferencePrices::step(Path& path) {
    if (random_.below(40) == 0) path.drift = static_cast<std::int32_t>(random_.below(3)) - 1;
    const std::uint64_t first = path.instrument.price_e2;
    const std::uint32_t draw = random_.below(8);
    const bool up = path.drift > 0 ? draw < 4 : draw < 2;
    const bool down = path.drift < 0 ? draw >= 4 : draw >= 6;
    if (up && path.price_e2 + path.unit_e2 <= first + first / 5) path.price_e2 += path.unit_e2;
    if (down && path.price_e2 - path.unit_e2 >= first - first / 5) path.price_e2 -= path.unit_e2;
    std::ranges::rotate(path.past, path.past.begin() + 1);
    path.past.back() = path.price_e2;
}

}  // namespace damrak::sim::detail
