#include <damrak/fix_codec/encode_values.hpp>

#include <chrono>
#include <numeric>

namespace damrak::fix_codec {

std::uint64_t TimestampCache::enter_second_of(Timestamp time) {
    using namespace std::chrono;
    // Rounds down manually: the second of the smallest time begins below the range of 64 bits.
    constexpr auto k_second = static_cast<std::int64_t>(k_second_ns);
    const std::int64_t rest = time.value % k_second;
    const std::int64_t within = rest < 0 ? rest + k_second : rest;
    const sys_seconds second{seconds{time.value / k_second - (rest < 0 ? 1 : 0)}};
    const auto day = floor<days>(second);
    const year_month_day date{day};
    const hh_mm_ss clock{second - day};

    const auto year = static_cast<std::uint32_t>(static_cast<int>(date.year()));
    const auto month = static_cast<unsigned>(date.month());
    const auto day_of_month = static_cast<unsigned>(date.day());
    const auto two_digits = [this](std::size_t at, std::int64_t value) {
        text_[at] = static_cast<char>('0' + value / 10);
        text_[at + 1] = static_cast<char>('0' + value % 10);
    };
    detail::store(text_.data(),
                  eight_digits(year * 10'000 + month * 100 + day_of_month) | k_zeros_text);
    text_[8] = '-';
    two_digits(9, clock.hours().count());
    text_[11] = ':';
    two_digits(12, clock.minutes().count());
    text_[14] = ':';
    two_digits(15, clock.seconds().count());
    text_[k_second_bytes] = '.';
    second_sum_ = std::accumulate(text_.begin(), text_.begin() + k_second_bytes, std::uint32_t{0});

    second_ = static_cast<std::uint64_t>(time.value) - static_cast<std::uint64_t>(within);
    return static_cast<std::uint64_t>(within);
}

}  // namespace damrak::fix_codec
