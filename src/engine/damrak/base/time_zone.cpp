#include <damrak/base/time_zone.hpp>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <optional>
#include <utility>

#include <damrak/base/detail/time_zone_rule.hpp>
#include <damrak/base/time_units.hpp>

namespace damrak {

namespace {

constexpr std::int64_t k_day_s = 86'400;
constexpr std::int64_t k_far_s = INT64_MAX / k_second_ns;

std::int64_t whole_seconds(std::int64_t ns) {
    return ns / k_second_ns - (ns % k_second_ns < 0 ? 1 : 0);
}

// Takes numbers off the front. Once the data is too short, this and all later numbers are zero.
class Reader {
  public:
    explicit Reader(std::span<const std::byte> bytes) : rest_(bytes) {}
    [[nodiscard]] std::int64_t number(std::size_t size) {
        if (rest_.size() < size) return fail();
        std::uint64_t value = 0;
        for (std::size_t i = 0; i < size; ++i)
            value = value << 8U | std::to_integer<std::uint64_t>(rest_[i]);
        rest_ = rest_.subspan(size);
        if (size == 4) return static_cast<std::int32_t>(static_cast<std::uint32_t>(value));
        return static_cast<std::int64_t>(value);
    }
    void skip(std::uint64_t size) {
        if (size > rest_.size())
            static_cast<void>(fail());
        else
            rest_ = rest_.subspan(static_cast<std::size_t>(size));
    }
    [[nodiscard]] std::string_view line() {
        std::string_view text{reinterpret_cast<const char*>(rest_.data()), rest_.size()};
        if (text.empty() || text.front() != '\n') return {};
        text.remove_prefix(1);
        return text.substr(0, text.find('\n'));
    }
    [[nodiscard]] bool sound() const { return sound_; }

  private:
    std::int64_t fail() {
        sound_ = false;
        rest_ = {};
        return 0;
    }
    std::span<const std::byte> rest_;
    bool sound_ = true;
};

// Item counts in the header of one of the file's two data blocks.
struct Counts {
    std::int64_t version = 0;
    std::uint64_t utc = 0;
    std::uint64_t standard = 0;
    std::uint64_t leaps = 0;
    std::uint64_t changes = 0;
    std::uint64_t types = 0;
    std::uint64_t letters = 0;
};

std::optional<Counts> read_counts(Reader& reader) {
    constexpr std::int64_t k_magic = 0x545A6966;  // TZif
    constexpr std::size_t k_reserved = 15;
    if (reader.number(4) != k_magic) return std::nullopt;
    Counts counts{.version = reader.number(1)};
    reader.skip(k_reserved);
    for (std::uint64_t* const count : {&counts.utc, &counts.standard, &counts.leaps,
                                       &counts.changes, &counts.types, &counts.letters})
        *count = static_cast<std::uint32_t>(reader.number(4));
    return counts;
}

}  // namespace

std::expected<TimeZone, std::string> TimeZone::parse(std::span<const std::byte> bytes) {
    const auto complaint = [](std::string_view what) {
        return std::unexpected{"not a time zone file: " + std::string{what}};
    };
    Reader reader{bytes};
    const auto old = read_counts(reader);
    if (!old) return complaint("it does not begin with TZif");
    if (old->version < '2') return complaint("version 2 or later is needed");
    reader.skip(old->changes * 5 + old->types * 6 + old->letters + old->leaps * 8 + old->standard +
                old->utc);
    const auto counts = read_counts(reader);
    if (!counts || counts->types == 0) return complaint("the section with 64-bit times is missing");
    if (counts->leaps != 0) return complaint("zones with leap seconds are not supported");
    constexpr std::uint64_t k_most = 100'000;
    if (counts->changes > k_most) return complaint("too many transitions");
    TimeZone zone;
    for (std::uint64_t i = 0; i < counts->changes; ++i)
        zone.changes_.push_back({.at_s = reader.number(8)});
    std::vector<std::size_t> types;
    types.reserve(counts->changes);
    for (std::uint64_t i = 0; i < counts->changes; ++i)
        types.push_back(static_cast<std::size_t>(reader.number(1)));
    std::vector<std::int64_t> offsets;
    for (std::uint64_t i = 0; i < counts->types && reader.sound(); ++i) {
        offsets.push_back(reader.number(4));
        reader.skip(2);
    }
    reader.skip(counts->letters + counts->standard + counts->utc);
    if (!reader.sound()) return complaint("the file is truncated");
    zone.first_offset_s_ = offsets.front();
    for (std::size_t i = 0; i < types.size(); ++i) {
        const bool in_order = i == 0 || zone.changes_[i - 1].at_s < zone.changes_[i].at_s;
        if (types[i] >= offsets.size() || !in_order)
            return complaint("its tables are inconsistent");
        zone.changes_[i].offset_s = offsets[types[i]];
    }
    for (const std::int64_t offset : offsets)
        if (std::abs(offset) > 2 * k_day_s) return complaint("an offset exceeds two days");
    // Times far from now would overflow in nanoseconds.
    std::erase_if(zone.changes_, [](const Change& one) { return std::abs(one.at_s) >= k_far_s; });
    std::int64_t last = zone.changes_.empty() ? INT64_MIN : zone.changes_.back().at_s;
    const auto rule = detail::TimeZoneRule::parse(reader.line());
    if (!rule) return zone;
    rule->for_each_change([&](std::int64_t at_s, std::int64_t offset_s) {
        if (at_s <= last) return;
        last = at_s;
        zone.changes_.push_back({.at_s = at_s, .offset_s = offset_s});
    });
    return zone;
}

std::expected<TimeZone::Shared, std::string> TimeZone::find(std::string_view name,
                                                            const std::filesystem::path& database) {
    constexpr std::string_view k_others = "+-_/";
    const auto fits = [&](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
               k_others.contains(c);
    };
    const auto path = database / name;
    const bool is_name = !name.empty() && name.front() != '/' && std::ranges::all_of(name, fits);
    if (!is_name || !std::filesystem::is_regular_file(path))
        return std::unexpected{"there is no time zone \"" + std::string{name} + "\" in " +
                               database.string() +
                               ": expected a name of the IANA database, as \"Europe/Amsterdam\" "
                               "(package tzdata)"};
    std::ifstream file{path, std::ios::binary};
    const std::string text{std::istreambuf_iterator<char>{file}, {}};
    auto zone = parse(std::as_bytes(std::span{text}));
    if (!zone) return std::unexpected{path.string() + ": " + zone.error()};
    return std::make_shared<const TimeZone>(*std::move(zone));
}

std::int64_t TimeZone::offset_at(std::int64_t utc_s) const {
    const auto after = std::ranges::upper_bound(changes_, utc_s, {}, &Change::at_s);
    return after == changes_.begin() ? first_offset_s_ : std::prev(after)->offset_s;
}

std::int64_t TimeZone::local_of(std::int64_t utc_ns) const {
    return utc_ns + offset_at(whole_seconds(utc_ns)) * k_second_ns;
}

std::int64_t TimeZone::utc_of(std::int64_t local_ns) const {
    const std::int64_t local_s = whole_seconds(local_ns);
    // Offsets from UTC are always less than a day.
    const std::int64_t before = offset_at(local_s - k_day_s);
    const std::int64_t after = offset_at(local_s + k_day_s);
    for (const std::int64_t offset : {before, after})
        if (offset_at(local_s - offset) == offset) return local_ns - offset * k_second_ns;
    const auto skipped_by = std::ranges::upper_bound(changes_, local_s - before, {}, &Change::at_s);
    return std::prev(skipped_by)->at_s * k_second_ns;
}

}  // namespace damrak
