// Texts of numbers that come again, or nearly: written once and copied from then on. Used by
// ReadyWriter for what is sent by the thousand. One thread; a copy costs a fifth of what making the
// digits does.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <damrak/base/inline.hpp>
#include <damrak/fix_codec/encode_values.hpp>

namespace damrak::fix_codec {

/// Numbers of a counter: all digits but the last two stay the same for a while.
class CounterText {
  public:
    DAMRAK_HOT void write(detail::Cursor& cursor, std::uint64_t number) {
        if (number < detail::k_small_numbers) [[unlikely]]
            return cursor.whole(number);
        std::uint64_t within = number - hundreds_;
        if (within >= k_step) [[unlikely]]
            within = enter(number);
        cursor.prepared_short(text_.data(), bytes_, sum_);
        cursor.two_digits(static_cast<std::uint32_t>(within));
    }

  private:
    static constexpr std::uint64_t k_step = 100;

    /// Returns the last two digits.
    DAMRAK_COLD std::uint64_t enter(std::uint64_t number) {
        const std::uint64_t within = number % k_step;
        hundreds_ = number - within;
        detail::Cursor cursor{text_.data()};
        cursor.whole(number / k_step);
        bytes_ = static_cast<std::uint32_t>(cursor.at() - text_.data());
        sum_ = cursor.sum();
        return within;
    }

    std::uint64_t hundreds_ = 0;  ///< number less its last two digits
    std::uint32_t bytes_ = 0;
    std::uint32_t sum_ = 0;
    std::array<char, 20 + detail::k_spare_bytes> text_{};
};

/// Decimals of a market: prices of late.
class DecimalTexts {
  public:
    DecimalTexts() : texts_(std::size_t{1} << k_place_bits) {}

    DAMRAK_HOT void write(detail::Cursor& cursor, std::int64_t count, unsigned digits) {
        const std::uint64_t mixed = static_cast<std::uint64_t>(count) * 0x9E37'79B9'7F4A'7C15;
        Text& text = texts_[mixed >> (64 - k_place_bits)];
        if (text.count != count || text.digits != digits) [[unlikely]]
            text.make(count, digits);
        cursor.prepared_short(text.characters.data(), text.bytes, text.sum);
    }

  private:
    static constexpr unsigned k_place_bits = 8;

    struct Text {
        std::int64_t count = 0;
        std::uint16_t digits = 0xFFFF;  ///< none yet
        std::uint16_t bytes = 0;
        std::uint32_t sum = 0;
        std::array<char, 24 + detail::k_spare_bytes> characters{};

        DAMRAK_COLD void make(std::int64_t new_count, unsigned new_digits) {
            detail::Cursor cursor{characters.data()};
            cursor.decimal(new_count, new_digits);
            count = new_count;
            digits = static_cast<std::uint16_t>(new_digits);
            bytes = static_cast<std::uint16_t>(cursor.at() - characters.data());
            sum = cursor.sum();
        }
    };

    std::vector<Text> texts_;
};

}  // namespace damrak::fix_codec
