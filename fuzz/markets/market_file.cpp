// Reads any bytes as a market file: it is sound or reported in one line, and a sound one describes
// itself as a market file of the same market.
#include <damrak/market_runs/market_file.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include <damrak/base/assert.hpp>

#include "support/fuzz_target.hpp"

namespace damrak::fuzz_market_file {

DAMRAK_FUZZ_TARGET(market_file)(const std::uint8_t* data, std::size_t size) {
    using namespace damrak::market_runs;
    const std::string_view text{reinterpret_cast<const char*>(data), size};
    const auto file = parse_market_file(text, "fuzz");
    if (!file) {
        DAMRAK_ASSERT(file.error().starts_with("fuzz:"));
        DAMRAK_ASSERT(file.error().find('\n') == std::string::npos);
        return 0;
    }
    bool has_place = false;  // of which a description keeps the numbers in a comment only
    for (const GroupDescription& group : file->groups)
        has_place = has_place || group.connection.place.median_ns != 0;
    const auto again = parse_market_file(describe(*file), "described");
    DAMRAK_ASSERT(again || has_place);
    if (again && !has_place) DAMRAK_ASSERT(identity_of(*again) == identity_of(*file));
    return 0;
}

}  // namespace damrak::fuzz_market_file
