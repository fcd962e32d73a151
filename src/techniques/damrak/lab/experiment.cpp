#include <damrak/lab/experiment.hpp>

#include <algorithm>
#include <array>
#include <utility>

namespace damrak::lab {

std::int64_t Effort::scaled(std::int64_t full, std::int64_t least) const {
    static constexpr std::array<std::int64_t, 3> k_divisors{1, 16, 64};
    return std::max(least, full / k_divisors.at(std::to_underlying(size)));
}

}  // namespace damrak::lab
