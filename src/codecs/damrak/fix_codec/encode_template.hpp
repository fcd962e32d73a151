// Writes messages that are sent by the thousand and differ in a few values: everything else is made
// once, with its part of the checksum. Called by sessions and applications on their hot paths.
//
//   MessageTemplate order{BeginString::fix44, "D"};           at start
//   order.slot(tag::msg_seq_num).put(tag::sender_comp_id, "CLIENT1").slot(tag::sending_time)…;
//
//   TemplateWriter writer{order, store.claim(order.bytes()), times};    for each message
//   writer.put(sequence).put_timestamp(now, TimePrecision::nanoseconds)…;
//   send(writer.finish());
//
// The values come in the order of the slots. As with MessageWriter a message that does not fit
// comes out empty, and a value must not contain the end of a field. No allocation once a template
// is made; docs/performance.md tells what a message of 300 bytes takes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <damrak/base/assert.hpp>
#include <damrak/base/inline.hpp>
#include <damrak/fix_codec/encode.hpp>
#include <damrak/fix_codec/encode_values.hpp>

namespace damrak::fix_codec {

/// A message with fixed parts and slots, made once at start.
class MessageTemplate {
  public:
    MessageTemplate(BeginString version, std::string_view msg_type);

    /// A field with the same value in each message.
    MessageTemplate& put(Tag tag, std::string_view value);
    template <WholeNumber T>
    MessageTemplate& put(Tag tag, T value) {
        return put(tag, std::string_view{std::to_string(value)});
    }
    /// A field whose value differs in each message.
    MessageTemplate& slot(Tag tag);

    /// The minimum room for a message whose texts have at most 32 bytes. Longer texts need their
    /// excess in addition.
    [[nodiscard]] std::size_t bytes() const { return bytes_; }

  private:
    friend class TemplateWriter;

    /// The fixed text before a slot, its tag included; the last part follows all slots.
    struct Part {
        std::uint32_t begin = 0;
        std::uint32_t bytes = 0;
        std::uint32_t sum = 0;
    };

    void append(std::string_view text);

    const detail::Front* front_;
    std::vector<char> text_;  ///< of the parts, padded for copying in whole steps
    std::vector<Part> parts_;
    std::size_t bytes_ = k_envelope_bytes;
};

/// Writes one message of a template: the values of its slots, in order.
class TemplateWriter {
  public:
    DAMRAK_HOT TemplateWriter(const MessageTemplate& message, std::span<char> into,
                              TimestampCache& times)
        : part_(message.parts_.data()),
          end_of_parts_(part_ + message.parts_.size()),
          text_(message.text_.data()),
          front_(message.front_),
          times_(&times),
          body_(into.data() + detail::Front::k_bytes),
          end_(into.data() + into.size()),
          spare_bytes_(into.size() - message.bytes_),
          fits_(into.size() >= message.bytes_) {
        if (!fits_) [[unlikely]]
            return;
        cursor_ = detail::Cursor{body_};
        put_part();
    }

    DAMRAK_HOT TemplateWriter& put(std::string_view text) {
        // There is room for all slots of usual size; a longer text uses the spare room.
        if (text.size() > detail::k_number_bytes) [[unlikely]] {
            const std::size_t more = text.size() - detail::k_number_bytes;
            fits_ = fits_ && more <= spare_bytes_;
            spare_bytes_ -= more;
        }
        if (has_slot()) [[likely]] {
            cursor_.text(text);
            put_part();
        }
        return *this;
    }
    template <WholeNumber T>
    DAMRAK_HOT TemplateWriter& put(T value) {
        if (has_slot()) [[likely]] {
            if constexpr (std::is_signed_v<T>) {
                cursor_.integer(value);
            } else {
                cursor_.whole(value);
            }
            put_part();
        }
        return *this;
    }
    DAMRAK_HOT TemplateWriter& put_char(char value) {
        if (has_slot()) [[likely]] {
            cursor_.character(value);
            put_part();
        }
        return *this;
    }
    DAMRAK_HOT TemplateWriter& put_bool(bool value) { return put_char(value ? 'Y' : 'N'); }
    DAMRAK_HOT TemplateWriter& put_decimal(std::int64_t count, unsigned digits) {
        if (has_slot()) [[likely]] {
            cursor_.decimal(count, digits);
            put_part();
        }
        return *this;
    }
    DAMRAK_HOT TemplateWriter& put_timestamp(Timestamp time, TimePrecision precision) {
        if (has_slot()) [[likely]] {
            times_->write(cursor_, time, precision);
            put_part();
        }
        return *this;
    }

    /// The message with BodyLength and CheckSum; empty if it did not fit. All slots have a value.
    [[nodiscard]] DAMRAK_HOT std::span<const char> finish() {
        if (!fits_) [[unlikely]]
            return {};
        DAMRAK_ASSERT(part_ == end_of_parts_);
        return detail::finish_message(*front_, body_, end_, cursor_);
    }

  private:
    /// A message that does not fit has none.
    [[nodiscard]] DAMRAK_HOT bool has_slot() const {
        if (!fits_) [[unlikely]]
            return false;
        DAMRAK_ASSERT(part_ != end_of_parts_);
        return true;
    }
    /// Writes the fixed text after the last value and before the next one.
    DAMRAK_HOT void put_part() {
        cursor_.prepared(text_ + part_->begin, part_->bytes, part_->sum);
        ++part_;
    }

    const MessageTemplate::Part* part_;
    const MessageTemplate::Part* end_of_parts_;
    const char* text_;
    const detail::Front* front_;
    TimestampCache* times_;
    char* body_;
    char* end_;
    std::size_t spare_bytes_;  ///< room beyond the minimum; meaningless if the room is smaller
    detail::Cursor cursor_;
    bool fits_;
};

}  // namespace damrak::fix_codec
