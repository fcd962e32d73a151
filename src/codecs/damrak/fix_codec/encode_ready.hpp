// Writes messages that are sent by the thousand and differ in many values, and fields that several
// of them share. The tags are constants of the program: each is one store, with its part of the
// checksum known. Called by applications for their most frequent reports.
//
//   ReadyWriter writer{room, '8'};              the room is large enough
//   writer.next(tag::msg_seq_num).put(sequence).next(tag::sending_time)…;
//   send(writer.finish(room, BeginString::fix44));
//
// A value must not contain the end of a field. No allocation, and no check of the room for a field.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <type_traits>

#include <damrak/base/inline.hpp>
#include <damrak/fix_codec/detail/recent_texts.hpp>
#include <damrak/fix_codec/encode.hpp>
#include <damrak/fix_codec/encode_values.hpp>

namespace damrak::fix_codec {

/// Fields that several messages share, written once with the sum of their bytes: the value of the
/// first field, then the other fields.
template <std::size_t k_most_bytes>
class ReadyFields {
  public:
    [[nodiscard]] std::size_t bytes() const { return bytes_; }

  private:
    friend class ReadyWriter;

    std::uint32_t bytes_ = 0;
    std::uint32_t sum_ = 0;
    std::array<char, k_most_bytes + detail::k_spare_bytes> text_{};
};

/// The caller knows that all fields have room: k_envelope_bytes more than they take.
class ReadyWriter {
  public:
    /// Of a message.
    DAMRAK_HOT ReadyWriter(std::span<char> into, char msg_type)
        : cursor_(into.data() + detail::Front::k_bytes) {
        cursor_.tag(tag::msg_type);
        cursor_.character(msg_type);
    }
    template <std::size_t k_bytes>
    DAMRAK_HOT explicit ReadyWriter(ReadyFields<k_bytes>& into) : cursor_(into.text_.data()) {}

    DAMRAK_HOT ReadyWriter& next(Tag tag) {
        cursor_.end_of_field();
        cursor_.tag(tag);
        return *this;
    }
    DAMRAK_HOT ReadyWriter& put(std::string_view text) {
        cursor_.text(text);
        return *this;
    }
    template <WholeNumber T>
    DAMRAK_HOT ReadyWriter& put(T value) {
        if constexpr (std::is_signed_v<T>)
            cursor_.integer(value);
        else
            cursor_.whole(value);
        return *this;
    }
    DAMRAK_HOT ReadyWriter& put_char(char value) {
        cursor_.character(value);
        return *this;
    }
    DAMRAK_HOT ReadyWriter& put_decimal(std::int64_t count, unsigned digits) {
        cursor_.decimal(count, digits);
        return *this;
    }
    DAMRAK_HOT ReadyWriter& put_recent(DecimalTexts& texts, std::int64_t count, unsigned digits) {
        texts.write(cursor_, count, digits);
        return *this;
    }
    DAMRAK_HOT ReadyWriter& put_counter(CounterText& text, std::uint64_t number) {
        text.write(cursor_, number);
        return *this;
    }
    DAMRAK_HOT ReadyWriter& put_timestamp(TimestampCache& times, Timestamp time,
                                          TimePrecision precision) {
        times.write(cursor_, time, precision);
        return *this;
    }
    template <std::size_t k_bytes>
    DAMRAK_HOT ReadyWriter& put_ready(const ReadyFields<k_bytes>& fields) {
        cursor_.prepared(fields.text_.data(), fields.bytes_, fields.sum_);
        return *this;
    }

    template <std::size_t k_bytes>
    DAMRAK_HOT void finish(ReadyFields<k_bytes>& into) const {
        into.bytes_ = static_cast<std::uint32_t>(cursor_.at() - into.text_.data());
        into.sum_ = cursor_.sum();
    }
    /// The message with BodyLength and CheckSum.
    [[nodiscard]] DAMRAK_HOT std::span<const char> finish(std::span<char> into,
                                                          BeginString version) {
        cursor_.end_of_field();
        return detail::finish_message(detail::front_of(version),
                                      into.data() + detail::Front::k_bytes,
                                      into.data() + into.size(), cursor_);
    }

  private:
    detail::Cursor cursor_;
};

}  // namespace damrak::fix_codec
