// Reads any bytes as a venue file: it is sound or reported in one line, and the timetable of a
// sound one has a session at any time.
#include <damrak/venue/venue_file.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>

#include <damrak/base/assert.hpp>
#include <damrak/venue/timetable.hpp>

#include "support/fuzz_target.hpp"

namespace damrak::fuzz_venue_file {

DAMRAK_FUZZ_TARGET(venue_file)(const std::uint8_t* data, std::size_t size) {
    using namespace damrak;
    const std::string_view text{reinterpret_cast<const char*>(data), size};
    const auto venue = venue::parse_venue(text, "fuzz");
    if (!venue) {
        DAMRAK_ASSERT(venue.error().starts_with("fuzz:"));
        DAMRAK_ASSERT(venue.error().find('\n') == std::string::npos);
        return 0;
    }
    const auto timetable = venue::Timetable::make(*venue, size);
    DAMRAK_ASSERT(timetable);
    constexpr std::int64_t k_first = 20'000 * k_day_ns;
    for (std::int64_t time = k_first; time < k_first + 14 * k_day_ns; time += k_day_ns / 7) {
        const auto slot = timetable->at({time}, InstrumentId{1});
        DAMRAK_ASSERT(slot.session < venue->sessions.size());
        DAMRAK_ASSERT(slot.begin.value <= time && time < slot.end.value);
    }
    return 0;
}

}  // namespace damrak::fuzz_venue_file
