#include <damrak/archive/detail/event_format.hpp>

#include <bit>
#include <cstring>

namespace damrak::archive {

namespace {

constexpr std::size_t k_event_words = sizeof(Event) / sizeof(std::uint64_t);
constexpr std::size_t k_words = 2 + k_event_words;
constexpr std::size_t k_event_word_bytes = sizeof(std::uint64_t);
using Words = std::array<std::uint64_t, k_words>;

Words words_of(const LoggedEvent& logged) {
    Words words{logged.record, static_cast<std::uint64_t>(logged.time_ns)};
    std::memcpy(&words[2], &logged.event, sizeof logged.event);
    return words;
}

LoggedEvent event_of(const Words& words) {
    LoggedEvent logged{.record = words[0], .time_ns = static_cast<std::int64_t>(words[1])};
    std::memcpy(static_cast<void*>(&logged.event), &words[2], sizeof logged.event);
    return logged;
}

}  // namespace

std::vector<std::byte> to_event_columns(std::span<const LoggedEvent> events) {
    const std::size_t count = events.size();
    std::vector<std::byte> columns(count * k_words * k_event_word_bytes);
    Words before{};
    for (std::size_t i = 0; i < count; ++i) {
        const Words words = words_of(events[i]);
        for (std::size_t w = 0; w < k_words; ++w) {
            std::uint64_t difference = words[w] - before[w];
            for (std::size_t b = 0; b < k_event_word_bytes; ++b, difference >>= 8U)
                columns[(w * k_event_word_bytes + b) * count + i] =
                    static_cast<std::byte>(difference);
        }
        before = words;
    }
    return columns;
}

std::optional<std::vector<LoggedEvent>> from_event_columns(std::span<const std::byte> columns,
                                                           std::size_t count) {
    if (columns.size() != count * k_words * k_event_word_bytes) return std::nullopt;
    std::vector<LoggedEvent> events(count);
    Words words{};
    for (std::size_t i = 0; i < count; ++i) {
        for (std::size_t w = 0; w < k_words; ++w) {
            std::uint64_t difference = 0;
            for (std::size_t b = k_event_word_bytes; b-- > 0;)
                difference =
                    difference << 8U | std::to_integer<std::uint64_t>(
                                           columns[(w * k_event_word_bytes + b) * count + i]);
            words[w] += difference;
        }
        events[i] = event_of(words);
    }
    return events;
}

}  // namespace damrak::archive
