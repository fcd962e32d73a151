// How much of a long test is run: a third, or all of it with DAMRAK_TEST_SIZE=whole, as in `make
// nightly`. For random streams, Monte Carlo and extreme sizes, whose cost is in more of the same.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <string_view>

namespace damrak::test_size {

[[nodiscard]] inline bool is_whole() {
    const char* const size = std::getenv("DAMRAK_TEST_SIZE");
    return size != nullptr && std::string_view{size} == "whole";
}

/// `whole`, or a third of it, rounded, but at least one.
template <class Count>
[[nodiscard]] Count scaled(Count whole) {
    return is_whole() ? whole : std::max(Count{1}, static_cast<Count>((whole + 1) / 3));
}

}  // namespace damrak::test_size
