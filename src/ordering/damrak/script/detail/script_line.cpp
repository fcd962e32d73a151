#include <damrak/script/detail/script_line.hpp>

#include <algorithm>
#include <chrono>
#include <limits>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <damrak/base/decimal_text.hpp>
#include <damrak/base/did_you_mean.hpp>

namespace damrak::script::detail {

namespace {

constexpr std::int64_t k_largest = std::numeric_limits<std::int64_t>::max();

}  // namespace

std::optional<std::int64_t> parse_date(std::string_view text) {
    const auto number = [&](std::size_t at, std::size_t digits) {
        return parse_decimal(text.substr(at, digits), 0).value_or(0);
    };
    if (text.size() != 10 || text[4] != '-' || text[7] != '-') return {};
    const std::chrono::year_month_day date{std::chrono::year{static_cast<int>(number(0, 4))},
                                           std::chrono::month{static_cast<unsigned>(number(5, 2))},
                                           std::chrono::day{static_cast<unsigned>(number(8, 2))}};
    if (!date.ok() || date.year() < std::chrono::year{1970}) return {};
    return std::chrono::sys_days{date}.time_since_epoch().count();
}

std::string fault_of(std::string_view line) {
    constexpr std::size_t k_longest = 4'096;
    if (line.size() > k_longest)
        return fmt::format("{} bytes: a line has at most {}", line.size(), k_longest);
    const auto control = std::ranges::find_if(line, [](char each) {
        return (each >= 0 && each < ' ' && each != '\t' && each != '\r') || each == 0x7f;
    });
    if (control == line.end()) return {};
    return fmt::format("the byte 0x{:02x} at position {}: a script is plain text", *control,
                       control - line.begin() + 1);
}

std::vector<std::string_view> words_of(std::string_view line) {
    line = line.substr(0, line.find('#'));
    constexpr std::string_view k_blank = " \t\r";
    std::vector<std::string_view> words;
    for (std::size_t begin = line.find_first_not_of(k_blank); begin < line.size();) {
        const std::size_t end = std::min(line.find_first_of(k_blank, begin), line.size());
        words.push_back(line.substr(begin, end - begin));
        begin = std::min(line.find_first_not_of(k_blank, end), line.size());
    }
    return words;
}

ScriptLine::ScriptLine(std::string_view command, std::span<const std::string_view> words)
    : command_(command) {
    for (const std::string_view word : words) {
        const auto equals = word.find('=');
        Word made{.key = word.substr(0, equals), .value = {}};
        if (equals != std::string_view::npos) made.value = word.substr(equals + 1);
        if (find(made.key) != nullptr) refuse(fmt::format("{} is there twice", made.key));
        words_.push_back(made);
    }
}

const ScriptLine::Word* ScriptLine::find(std::string_view key) const {
    const auto found = std::ranges::find(words_, key, &Word::key);
    return found == words_.end() ? nullptr : &*found;
}

bool ScriptLine::has(std::string_view key) const { return find(key) != nullptr; }

bool ScriptLine::flag(std::string_view word) {
    known_.emplace_back(word);
    const Word* const found = find(word);
    if (found != nullptr && found->value) refuse(fmt::format("{} has no value", word));
    return found != nullptr;
}

std::optional<std::string_view> ScriptLine::text(std::string_view key) {
    known_.push_back(std::string{key} + "=");
    const Word* const found = find(key);
    if (found == nullptr) return {};
    if (!found->value) refuse(fmt::format("{} needs a value: {}=...", key, key));
    return found->value;
}

std::int64_t ScriptLine::whole(std::string_view key, std::int64_t preset, std::int64_t least,
                               std::int64_t most) {
    const auto found = text(key);
    if (!found) return preset;
    const auto value = parse_decimal(*found, 0);
    if (!value || *value < least || *value > most) {
        expect(key, *found, fmt::format("a whole number from {} to {}", least, most));
        return preset;
    }
    return *value;
}

std::size_t ScriptLine::word(std::string_view key, std::size_t preset,
                             std::span<const std::string_view> words) {
    const auto found = text(key);
    if (!found) return preset;
    const auto place = std::ranges::find(words, *found);
    if (place != words.end()) return static_cast<std::size_t>(place - words.begin());
    expect(key, *found, fmt::format("one of {}", fmt::join(words, ", ")));
    return preset;
}

std::int64_t ScriptLine::decimal(std::string_view key, std::int64_t preset, unsigned decimals) {
    const auto found = text(key);
    if (!found) return preset;
    const auto value = parse_decimal(*found, decimals);
    if (!value && value.error() == std::errc::result_out_of_range)
        expect(key, *found, fmt::format("from -{0} to {0}", decimal_text(k_largest, decimals)));
    else if (!value)
        expect(key, *found, fmt::format("a number of at most {} decimals", decimals));
    return value.value_or(preset);
}

void ScriptLine::require(std::string_view key) {
    if (!has(key)) refuse(fmt::format("{} needs {}=...", command_, key));
}

void ScriptLine::expect(std::string_view key, std::string_view found, std::string_view wanted) {
    refuse(fmt::format("{} must be {}, not '{}'", key, wanted, found));
}

void ScriptLine::refuse(std::string what) {
    if (mistake_.empty()) mistake_ = std::move(what);
}

void ScriptLine::finish() {
    for (const Word& word : words_) {
        const std::string key = std::string{word.key} + (word.value ? "=" : "");
        if (std::ranges::find(known_, key) != known_.end()) continue;
        refuse(known_.empty() ? fmt::format("{} has no words, not '{}'", command_, key)
                              : fmt::format("{} has no word '{}'; {}", command_, key,
                                            did_you_mean(key, known_)));
    }
}

}  // namespace damrak::script::detail
