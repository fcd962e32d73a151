// A time zone by its IANA name, from the system's compiled database (TZif, RFC 8536): its offsets
// from UTC over the range of 64-bit nanoseconds since the Unix epoch. Read at start; a conversion
// costs a binary search. Immutable, for any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace damrak {

class TimeZone {
  public:
    using Shared = std::shared_ptr<const TimeZone>;

    /// Loads a zone such as "Europe/Amsterdam". The error says what is wrong and where zones are
    /// searched.
    [[nodiscard]] static std::expected<Shared, std::string> find(
        std::string_view name, const std::filesystem::path& database = "/usr/share/zoneinfo");
    /// Parses the contents of a file of the database.
    [[nodiscard]] static std::expected<TimeZone, std::string> parse(
        std::span<const std::byte> bytes);

    /// Local time for a UTC time, both in nanoseconds since the epoch.
    [[nodiscard]] std::int64_t local_of(std::int64_t utc_ns) const;
    /// UTC time for a local time: the first one if clocks show it twice, the moment of the change
    /// if they skip it.
    [[nodiscard]] std::int64_t utc_of(std::int64_t local_ns) const;

  private:
    struct Change {
        std::int64_t at_s = 0;      ///< since the epoch
        std::int64_t offset_s = 0;  ///< from then on, east of UTC
    };

    [[nodiscard]] std::int64_t offset_at(std::int64_t utc_s) const;

    std::int64_t first_offset_s_ = 0;
    std::vector<Change> changes_;
};

}  // namespace damrak
