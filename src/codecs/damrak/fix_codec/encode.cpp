#include <damrak/fix_codec/encode.hpp>

#include <algorithm>
#include <numeric>
#include <string>

namespace damrak::fix_codec::detail {

Front::Front(BeginString version) {
    const std::string made = "8=" + std::string{text(version)} + k_field_end + "9=";
    DAMRAK_ASSERT(made.size() >= 8 && made.size() <= text_.size());
    std::ranges::copy(made, text_.begin());
    length_ = static_cast<std::uint32_t>(made.size());
    sum_ = std::accumulate(made.begin(), made.end(), std::uint32_t{0});
}

const Front& front_of(BeginString version) {
    static const std::array<Front, 6> fronts{Front{BeginString::fix40}, Front{BeginString::fix41},
                                             Front{BeginString::fix42}, Front{BeginString::fix43},
                                             Front{BeginString::fix44}, Front{BeginString::fixt11}};
    DAMRAK_ASSERT(version < BeginString::unknown);
    return fronts[static_cast<std::size_t>(version)];
}

}  // namespace damrak::fix_codec::detail
