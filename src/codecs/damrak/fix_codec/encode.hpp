// Writes one FIX message into the caller's memory, front to back, in one pass. Called by sessions
// and by applications, for any message; those that are sent by the thousand have a quicker way
// (encode_template.hpp).
//
//   MessageWriter writer{store.claim(512), times};
//   writer.begin(BeginString::fix44, "0");
//   writer.put(tag::sender_comp_id, "DAMRAK").put(tag::msg_seq_num, 7)…;
//   send(writer.finish());
//
// The fields go out in the order in which they are put: header first. BodyLength and CheckSum are
// the writer's; the body begins at a fixed place and the two fields before it end there, so that
// nothing is moved. A value must not contain the end of a field (put_data is for those that do). A
// message that does not fit is never written past the end of the memory and comes out empty. One
// thread; no allocation; 3 to 6 ns a field.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include <damrak/base/assert.hpp>
#include <damrak/fix_codec/encode_values.hpp>
#include <damrak/fix_codec/tags.hpp>
#include <damrak/fix_codec/versions.hpp>

namespace damrak::fix_codec {

/// Room that a message needs beyond its fields, CheckSum included.
inline constexpr std::size_t k_envelope_bytes = 96;

/// An integer type, but not bool or a character type.
template <class T>
concept WholeNumber = std::integral<T> && !std::same_as<T, bool> && !std::same_as<T, char>;

namespace detail {

/// BeginString and BodyLength, which are written last and end where the body begins.
class Front {
  public:
    static constexpr std::size_t k_bytes = 32;

    Front() = default;
    explicit Front(BeginString version);

    /// Writes both before `body`. Returns the position of the first byte; adds to the sum.
    DAMRAK_HOT char* write(char* body, std::size_t body_bytes, Cursor& cursor) const {
        std::size_t count = 0;
        std::uint32_t digits_sum = 0;
        if (body_bytes < k_small_numbers) [[likely]] {
            const std::uint64_t text = k_small_texts[body_bytes];
            count = text >> 56U;
            digits_sum = static_cast<std::uint32_t>(text >> 32U & 0xFFFF);
            const std::uint32_t last_four = static_cast<std::uint32_t>(text) << 8 * (3 - count) |
                                            std::uint32_t{k_field_end} << 24U;
            std::memcpy(body - 4, &last_four, sizeof last_four);
        } else {
            // "0000306" and the delimiter; the leading zeros are overwritten.
            const std::uint64_t digits = eight_digits(static_cast<std::uint32_t>(body_bytes));
            store(body - 8, (digits | k_zeros_text) >> 8U | std::uint64_t{k_field_end} << 56U);
            count = digit_count(static_cast<std::uint32_t>(body_bytes));
            digits_sum = sum_of_bytes(digits) + static_cast<std::uint32_t>(count) * '0';
        }
        char* begin = body - 1 - count - length_;
        // Two overlapping stores: the text has at most 16 bytes.
        std::memcpy(begin, text_.data(), 8);
        std::memcpy(begin + length_ - 8, text_.data() + length_ - 8, 8);
        cursor.add_to_sum(sum_ + digits_sum + k_field_end);
        return begin;
    }

  private:
    std::array<char, 16> text_{};  ///< "8=FIX.4.4|9="
    std::uint32_t length_ = 0;
    std::uint32_t sum_ = 0;
};

/// The prepared front of a version.
[[nodiscard]] const Front& front_of(BeginString version);

/// Writes "10=168" and the delimiter, for all that the cursor wrote.
DAMRAK_HOT void write_check_sum(Cursor& cursor) {
    const std::uint32_t sum = cursor.sum() & 0xFF;
    const std::uint32_t hundreds = sum * 41 >> 12U;
    const std::uint64_t pair = k_pair_texts[sum - 100 * hundreds] & 0xFFFFU;
    constexpr std::uint64_t k_around = '1' | '0' << 8U | '=' << 16U | std::uint64_t{'0'} << 24U |
                                       std::uint64_t{k_field_end} << 48U;
    store(cursor.at(), k_around + (std::uint64_t{hundreds} << 24U) + (pair << 32U));
}
inline constexpr std::size_t k_check_sum_bytes = 7;
inline constexpr std::size_t k_largest_body_bytes = 9'999'999;
/// An upper bound for a number, a decimal or a time.
inline constexpr std::size_t k_number_bytes = 32;

/// Completes a message whose body begins at `body` and ends at the cursor. Empty if it does not
/// fit.
[[nodiscard]] DAMRAK_HOT std::span<const char> finish_message(const Front& front, char* body,
                                                              const char* end, Cursor& cursor) {
    const auto body_bytes = static_cast<std::size_t>(cursor.at() - body);
    if (body_bytes > k_largest_body_bytes ||
        static_cast<std::size_t>(end - cursor.at()) < k_spare_bytes) [[unlikely]]
        return {};
    const char* first = front.write(body, body_bytes, cursor);
    write_check_sum(cursor);
    return {first, cursor.at() + k_check_sum_bytes};
}

}  // namespace detail

class MessageWriter {
  public:
    MessageWriter(std::span<char> into, TimestampCache& times)
        : times_(&times), begin_(into.data()), end_(into.data() + into.size()) {}

    /// Must be called first; a further call begins another message in its place.
    void begin(BeginString version, std::string_view msg_type) {
        front_ = &detail::front_of(version);
        fits_ = true;
        cursor_ = {};
        if (has_room(detail::Front::k_bytes))
            cursor_ = detail::Cursor{begin_ + detail::Front::k_bytes};
        put(tag::msg_type, msg_type);
    }

    DAMRAK_HOT MessageWriter& put(Tag tag, std::string_view text) {
        return field(tag, text.size(), [&] { cursor_.text(text); });
    }
    DAMRAK_HOT MessageWriter& put(Tag tag, const char* text) {
        return put(tag, std::string_view{text});
    }
    template <WholeNumber T>
    DAMRAK_HOT MessageWriter& put(Tag tag, T value) {
        return field(tag, detail::k_number_bytes, [&] {
            if constexpr (std::is_signed_v<T>) {
                cursor_.integer(value);
            } else {
                cursor_.whole(value);
            }
        });
    }
    DAMRAK_HOT MessageWriter& put_char(Tag tag, char value) {
        return field(tag, 1, [&] { cursor_.character(value); });
    }
    DAMRAK_HOT MessageWriter& put_bool(Tag tag, bool value) {
        return put_char(tag, value ? 'Y' : 'N');
    }
    /// `count` times ten to the power of -`digits`, exactly, without trailing zeros. Up to 18
    /// digits.
    DAMRAK_HOT MessageWriter& put_decimal(Tag tag, std::int64_t count, unsigned digits) {
        return field(tag, detail::k_number_bytes, [&] { cursor_.decimal(count, digits); });
    }
    DAMRAK_HOT MessageWriter& put_timestamp(Tag tag, Timestamp time, TimePrecision precision) {
        return field(tag, detail::k_number_bytes, [&] { times_->write(cursor_, time, precision); });
    }
    /// Two whole numbers with a dash between them.
    DAMRAK_HOT MessageWriter& put_pair(Tag tag, std::uint64_t first, std::uint32_t second) {
        return field(tag, detail::k_number_bytes, [&] { cursor_.pair(first, second); });
    }
    /// Raw bytes of any kind, preceded by the field with their length.
    DAMRAK_HOT MessageWriter& put_data(Tag length_tag, Tag data_tag, std::string_view bytes) {
        return put(length_tag, bytes.size()).put(data_tag, bytes);
    }

    /// The message with BodyLength and CheckSum; empty if it did not fit.
    [[nodiscard]] std::span<const char> finish() {
        if (!fits_) return {};
        return detail::finish_message(*front_, begin_ + detail::Front::k_bytes, end_, cursor_);
    }

  private:
    static constexpr std::size_t k_tag_bytes = 12;  ///< ten digits, "=", the delimiter

    [[nodiscard]] bool has_room(std::size_t bytes) {
        const char* at = cursor_.at() == nullptr ? begin_ : cursor_.at();
        if (static_cast<std::size_t>(end_ - at) < bytes + detail::k_spare_bytes) [[unlikely]]
            fits_ = false;
        return fits_;
    }

    template <class F>
    DAMRAK_HOT MessageWriter& field(Tag tag, std::size_t bytes, F&& value) {
        if (!has_room(bytes + k_tag_bytes)) [[unlikely]]
            return *this;
        cursor_.tag(tag);
        value();
        cursor_.end_of_field();
        return *this;
    }

    TimestampCache* times_;
    char* begin_;
    char* end_;
    const detail::Front* front_ = nullptr;
    detail::Cursor cursor_;
    bool fits_ = false;
};

}  // namespace damrak::fix_codec
