#include <damrak/generator/detail/flow_draws.hpp>

#include <algorithm>

namespace damrak::generator::detail {

std::int32_t draw_distance(RandomStream& random) {
    const std::uint32_t kind = random.below(1000);
    if (kind < 300) return 0;
    if (kind < 900) {
        std::int32_t distance = 1;
        while (distance < 64 && random.below(8) != 0) ++distance;
        return distance;
    }
    const std::uint32_t divisor = random.below(65'536) + 1;
    return 8 + static_cast<std::int32_t>(std::min(8U * 65'536U / divisor, 600U));
}

std::uint32_t draw_quantity(RandomStream& random) {
    const std::uint32_t kind = random.below(100);
    if (kind < 60) return 100;
    if (kind < 85) return 1 + random.below(99);
    return 100 * (1 + random.below(10));
}

std::vector<std::uint32_t> zipf_thresholds(std::uint32_t symbols) {
    double total = 0.0;
    for (std::uint32_t i = 0; i < symbols; ++i) total += 1.0 / (i + 1);
    std::vector<std::uint32_t> thresholds;
    thresholds.reserve(symbols);
    double share = 0.0;
    for (std::uint32_t i = 0; i < symbols; ++i) {
        share += 1.0 / (i + 1) / total;
        thresholds.push_back(static_cast<std::uint32_t>(share * 4294967295.0));
    }
    return thresholds;
}

}  // namespace damrak::generator::detail
