// The rule of a time zone after the last transition in its file: the file's footer, a POSIX TZ
// string with the extensions of RFC 8536, "CET-1CEST,M3.5.0,M10.5.0/3".
#pragma once

#include <array>
#include <charconv>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace damrak::detail {

class TimeZoneRule {
  public:
    /// Empty if the zone's offset no longer changes, or the rule is invalid.
    [[nodiscard]] static std::optional<TimeZoneRule> parse(std::string_view text) {
        TimeZoneRule rule;
        Parser parser{text};
        parser.name();
        rule.standard_s_ = -parser.time();
        parser.name();
        rule.summer_s_ = parser.at(',') ? rule.standard_s_ + k_hour_s : -parser.time();
        rule.begin_ = parser.day();
        rule.end_ = parser.day();
        if (!parser.complete()) return std::nullopt;
        return rule;
    }

    /// Calls f(seconds since the epoch, offset from then on) in order, as far as 64-bit nanoseconds
    /// reach.
    template <class F>
    void for_each_change(F&& f) const {
        constexpr int k_first_year = 1970;
        constexpr int k_last_year = 2261;
        for (int year = k_first_year; year <= k_last_year; ++year) {
            const std::int64_t begin = begin_.seconds(year) - standard_s_;
            const std::int64_t end = end_.seconds(year) - summer_s_;
            if (begin < end) f(begin, summer_s_);
            f(end, standard_s_);
            if (begin > end) f(begin, summer_s_);
        }
    }

  private:
    static constexpr std::int64_t k_hour_s = 3'600;

    struct Day {
        char form = '\0';  ///< M: month, week, weekday; J: from 1, without 29 February; 0: from 0
        std::array<int, 3> parts{};
        std::int64_t time_s = 2 * k_hour_s;

        [[nodiscard]] std::int64_t seconds(int in_year) const {
            namespace chrono = std::chrono;
            const chrono::year year{in_year};
            chrono::sys_days day = year / chrono::January / 1;
            if (form == 'M') {
                const chrono::month month{static_cast<unsigned>(parts[0])};
                const chrono::weekday weekday{static_cast<unsigned>(parts[2])};
                constexpr int k_last = 5;
                if (parts[1] == k_last)
                    day = year / month / weekday[chrono::last];
                else
                    day = year / month / weekday[static_cast<unsigned>(parts[1])];
            } else {
                constexpr int k_end_of_february = 59;
                const bool is_later = year.is_leap() && parts[0] > k_end_of_february;
                day += chrono::days{parts[0] - (form == 'J' && !is_later ? 1 : 0)};
            }
            return chrono::seconds{day.time_since_epoch()}.count() + time_s;
        }
    };

    // Parses the rule from the front. A missing part makes the whole rule invalid.
    class Parser {
      public:
        explicit Parser(std::string_view text) : rest_(text) {}

        [[nodiscard]] bool at(char c) const { return !rest_.empty() && rest_.front() == c; }
        void name() {
            std::size_t length = 0;
            if (at('<')) {
                length = rest_.find('>') + 1;  // zero: not found
            } else {
                while (length < rest_.size() && is_letter(rest_[length])) ++length;
            }
            constexpr std::size_t k_shortest = 3;
            if (length < k_shortest) return fail();
            rest_.remove_prefix(length);
        }
        /// [+-]hh[:mm[:ss]]
        [[nodiscard]] std::int64_t time() {
            const bool negative = take('-');
            if (!negative) static_cast<void>(take('+'));
            std::int64_t seconds = number(0, 167) * k_hour_s;
            if (take(':')) seconds += std::int64_t{60} * number(0, 59);
            if (take(':')) seconds += number(0, 59);
            return negative ? -seconds : seconds;
        }
        [[nodiscard]] Day day() {
            Day day;
            need(',');
            if (take('M')) {
                day.form = 'M';
                day.parts[0] = number(1, 12);
                need('.');
                day.parts[1] = number(1, 5);
                need('.');
                day.parts[2] = number(0, 6);
            } else {
                if (take('J')) day.form = 'J';
                day.parts[0] = number(day.form == 'J' ? 1 : 0, 365);
            }
            if (take('/')) day.time_s = time();
            return day;
        }
        [[nodiscard]] bool complete() const { return sound_ && rest_.empty(); }

      private:
        [[nodiscard]] static bool is_letter(char c) {
            return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
        }
        [[nodiscard]] bool take(char c) {
            if (!at(c)) return false;
            rest_.remove_prefix(1);
            return true;
        }
        void need(char c) {
            if (!take(c)) fail();
        }
        [[nodiscard]] int number(int least, int most) {
            int value = least;
            const auto read = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
            if (read.ptr == rest_.data() || value < least || value > most) {
                fail();
                return least;
            }
            rest_.remove_prefix(static_cast<std::size_t>(read.ptr - rest_.data()));
            return value;
        }
        void fail() {
            sound_ = false;
            rest_ = {};
        }
        std::string_view rest_;
        bool sound_ = true;
    };

    std::int64_t standard_s_ = 0;  ///< east of UTC
    std::int64_t summer_s_ = 0;
    Day begin_;  ///< of summer time
    Day end_;
};

}  // namespace damrak::detail
