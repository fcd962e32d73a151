#include <damrak/archive/day_date.hpp>

#include <array>
#include <chrono>

#include <fmt/format.h>

#include <damrak/base/is_digit.hpp>

namespace damrak::archive {

namespace {

/// A form of a date: y, m and d stand for digits of year, month and day, `#` for any digit, others
/// for themselves.
struct Form {
    std::string_view text;
    bool at_begin_only;
};
constexpr std::array k_forms{
    Form{"yyyy-mm-dd", false}, Form{"mmddyyyy.NASDAQ_ITCH", true},
    Form{"Smmddyy-v", true},   Form{"yyyymmdd##", true},
    Form{"yyyymmdd", false},
};
constexpr std::int32_t k_century = 2'000;

std::int32_t date_of(std::int32_t year, std::int32_t month, std::int32_t day) {
    if (year < 100) year += k_century;
    const std::chrono::year_month_day date{std::chrono::year{year},
                                           std::chrono::month(static_cast<unsigned>(month)),
                                           std::chrono::day(static_cast<unsigned>(day))};
    constexpr std::int32_t k_first_year = 1'970;  // other digits that look like a date
    return date.ok() && year >= k_first_year && year < k_century + 100
               ? year * 10'000 + month * 100 + day
               : 0;
}

/// The date at the begin of the text in this form; zero: it has another form.
std::int32_t date_by(std::string_view form, std::string_view text) {
    if (text.size() < form.size()) return 0;
    std::int32_t year = 0;
    std::int32_t month = 0;
    std::int32_t day = 0;
    for (std::size_t i = 0; i < form.size(); ++i) {
        const bool is_number = form[i] == 'y' || form[i] == 'm' || form[i] == 'd' || form[i] == '#';
        if (is_number ? !is_digit(text[i]) : text[i] != form[i]) return 0;
        const std::int32_t digit = text[i] - '0';
        if (form[i] == 'y') year = year * 10 + digit;
        if (form[i] == 'm') month = month * 10 + digit;
        if (form[i] == 'd') day = day * 10 + digit;
    }
    // Not a part of a longer number.
    const char last = form.back();
    if ((last == 'd' || last == '#') && text.size() > form.size() && is_digit(text[form.size()]))
        return 0;
    return date_of(year, month, day);
}

}  // namespace

std::string date_text(std::int32_t date) {
    return fmt::format("{:04}-{:02}-{:02}", date / 10'000, date / 100 % 100, date % 100);
}

std::int32_t date_of_text(std::string_view text) {
    constexpr std::string_view k_form = "yyyy-mm-dd";
    return text.size() == k_form.size() ? date_by(k_form, text) : 0;
}

std::int32_t utc_date_of(std::uint64_t time_ns) {
    using namespace std::chrono;
    const year_month_day date{
        floor<days>(sys_time<nanoseconds>{nanoseconds{static_cast<std::int64_t>(time_ns)}})};
    return static_cast<int>(date.year()) * 10'000 +
           static_cast<std::int32_t>(static_cast<unsigned>(date.month()) * 100 +
                                     static_cast<unsigned>(date.day()));
}

std::int32_t date_in_name(const std::filesystem::path& path) {
    const std::string name = path.filename().string();
    const std::string_view text{name};
    for (const auto& [form, at_begin_only] : k_forms)
        for (std::size_t at = 0; at < (at_begin_only ? 1 : text.size()); ++at) {
            if (at > 0 && is_digit(text[at - 1])) continue;
            if (const std::int32_t date = date_by(form, text.substr(at)); date != 0) return date;
        }
    return 0;
}

}  // namespace damrak::archive
