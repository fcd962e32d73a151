#include <damrak/generator/detail/price_path.hpp>

#include <algorithm>
#include <array>
#include <span>

namespace damrak::generator::detail {
namespace {

// A corner of a curve: both coordinates in hundredths of a percent, of the day and of the price.
struct Corner {
    std::int32_t time;
    std::int32_t move;
};

constexpr std::array k_flat{Corner{0, 0}, Corner{10'000, 0}};
constexpr std::array k_swings{
    Corner{0, 0},
    Corner{2'500, 2'500},
    Corner{7'500, -2'500},
    Corner{10'000, 0},
};
constexpr std::array k_crash{
    Corner{0, 0}, Corner{4'500, 0}, Corner{4'800, -2'400}, Corner{5'800, -300}, Corner{10'000, 0},
};

std::span<const Corner> corners_of(FlowShape shape) {
    switch (shape) {
        case FlowShape::swinging:
            return k_swings;
        case FlowShape::crash:
            return k_crash;
        case FlowShape::neutral:
        case FlowShape::calm:
            break;
    }
    return k_flat;
}

// How far the walk may stray: 500 ticks in NW-1; for curves only a little, so that the price
// follows the curve.
std::int32_t walk_bound_ticks(FlowShape shape) {
    return shape == FlowShape::neutral || shape == FlowShape::calm ? 500 : 20;
}

std::uint64_t messages_per_walk_step(FlowShape shape) {
    return shape == FlowShape::calm ? 4'000 : 400;
}

}  // namespace

std::int32_t curve_basis_points(FlowShape shape, std::int32_t time_basis_points) {
    const std::span<const Corner> corners = corners_of(shape);
    std::size_t next = 1;
    while (next + 1 < corners.size() && corners[next].time < time_basis_points) ++next;
    const Corner from = corners[next - 1];
    const Corner to = corners[next];
    return from.move +
           (to.move - from.move) * (time_basis_points - from.time) / (to.time - from.time);
}

void PricePath::advance(std::uint64_t n, RandomStream& random) {
    if (n % messages_per_walk_step(shape_) == 0) {
        const std::int32_t bound = walk_bound_ticks(shape_);
        walk_ticks_ += random.coin() ? 1 : -1;
        // A step over the bound turns back.
        if (walk_ticks_ > bound) walk_ticks_ = bound - 1;
        if (walk_ticks_ < -bound) walk_ticks_ = 1 - bound;
    }
    const auto time =
        static_cast<std::int32_t>(std::min<std::uint64_t>(10'000, n * 10'000 / expected_messages_));
    fair_price_ticks_ = k_opening_price_ticks + walk_ticks_ +
                        k_opening_price_ticks * curve_basis_points(shape_, time) / 10'000;
}

}  // namespace damrak::generator::detail
