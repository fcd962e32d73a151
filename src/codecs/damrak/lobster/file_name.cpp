#include <damrak/lobster/file_name.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <string_view>

#include <fmt/format.h>

#include <damrak/base/is_digit.hpp>
#include <damrak/lobster/descriptor.hpp>

namespace damrak::lobster {

namespace {

template <class T>
std::optional<T> whole_number(std::string_view text) {
    T value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    const bool whole = error == std::errc{} && end == text.data() + text.size();
    return whole && is_digit(text.front()) ? std::optional{value} : std::nullopt;
}

// Removes the part after the last underscore from `text`, and returns it.
std::string_view take_last(std::string_view& text) {
    const auto at = text.rfind('_');
    if (at == std::string_view::npos) return {};
    const auto part = text.substr(at + 1);
    text = text.substr(0, at);
    return part;
}

bool is_date(std::string_view text) {
    constexpr std::string_view k_form = "dddd-dd-dd";
    return std::ranges::equal(
        text, k_form, [](char c, char form) { return form == 'd' ? is_digit(c) : c == form; });
}

}  // namespace

std::optional<FileName> parse_file_name(const std::filesystem::path& path) {
    std::string name = path.filename().string();
    for (const std::string_view packed : {".gz", ".zst"}) {
        if (name.ends_with(packed)) name.resize(name.size() - packed.size());
    }
    constexpr std::string_view k_extension = ".csv";
    if (!name.ends_with(k_extension)) return std::nullopt;
    // From the right: a ticker may contain an underscore.
    std::string_view rest{name.data(), name.size() - k_extension.size()};
    const auto levels = whole_number<std::size_t>(take_last(rest));
    const auto kind = take_last(rest);
    const auto end_ms = whole_number<std::int64_t>(take_last(rest));
    const auto start_ms = whole_number<std::int64_t>(take_last(rest));
    const auto date = take_last(rest);
    const bool known_kind = kind == "message" || kind == "orderbook";
    if (!levels || !known_kind || !end_ms || !start_ms || !is_date(date) || rest.empty()) {
        return std::nullopt;
    }
    return FileName{.ticker = std::string{rest},
                    .date = std::string{date},
                    .start_ms = *start_ms,
                    .end_ms = *end_ms,
                    .kind = kind == "message" ? FileKind::message : FileKind::orderbook,
                    .levels = *levels};
}

std::string to_string(const FileName& name) {
    return fmt::format("{}_{}_{}_{}_{}_{}.csv", name.ticker, name.date, name.start_ms, name.end_ms,
                       name.kind == FileKind::message ? "message" : "orderbook", name.levels);
}

}  // namespace damrak::lobster
