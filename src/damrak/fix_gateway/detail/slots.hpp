// One function that puts the fields of a message, for three writers: MessageWriter, and these two,
// of which one makes the slots of a template and the other fills them. Whether a field is there may
// depend only on what the template is made for. No cost but that of the writer below.
#pragma once

#include <concepts>
#include <cstdint>
#include <string_view>

#include <damrak/base/inline.hpp>
#include <damrak/domain/measures.hpp>
#include <damrak/fix_codec/encode.hpp>
#include <damrak/fix_codec/encode_template.hpp>

namespace damrak::gateway::detail {

/// Of a template: what is put is a slot, or the same in all of its messages.
class SlotMaker {
  public:
    explicit SlotMaker(fix_codec::MessageTemplate& made) : made_(&made) {}
    template <class... Value>
    SlotMaker& put(fix_codec::Tag tag, const Value&... /*value*/) {
        made_->slot(tag);
        return *this;
    }
    SlotMaker& put_char(fix_codec::Tag tag, char /*value*/) { return put(tag); }
    SlotMaker& put_decimal(fix_codec::Tag tag, std::int64_t /*count*/, unsigned /*digits*/) {
        return put(tag);
    }
    SlotMaker& put_timestamp(fix_codec::Tag tag, Timestamp /*time*/,
                             fix_codec::TimePrecision /*precision*/) {
        return put(tag);
    }
    SlotMaker& put_pair(fix_codec::Tag tag, std::uint64_t /*first*/, std::uint32_t /*second*/) {
        return put(tag);
    }
    SlotMaker& put_same(fix_codec::Tag tag, char value) {
        made_->put(tag, std::string_view{&value, 1});
        return *this;
    }

  private:
    fix_codec::MessageTemplate* made_;
};

/// The values of a message from a template.
class SlotFiller {
  public:
    explicit SlotFiller(fix_codec::TemplateWriter& writer) : writer_(&writer) {}
    template <class Value>
    DAMRAK_HOT SlotFiller& put(fix_codec::Tag /*tag*/, const Value& value) {
        writer_->put(value);
        return *this;
    }
    DAMRAK_HOT SlotFiller& put_char(fix_codec::Tag /*tag*/, char value) {
        writer_->put_char(value);
        return *this;
    }
    DAMRAK_HOT SlotFiller& put_decimal(fix_codec::Tag /*tag*/, std::int64_t count,
                                       unsigned digits) {
        writer_->put_decimal(count, digits);
        return *this;
    }
    DAMRAK_HOT SlotFiller& put_timestamp(fix_codec::Tag /*tag*/, Timestamp time,
                                         fix_codec::TimePrecision precision) {
        writer_->put_timestamp(time, precision);
        return *this;
    }
    DAMRAK_HOT SlotFiller& put_pair(fix_codec::Tag /*tag*/, std::uint64_t first,
                                    std::uint32_t second) {
        writer_->put_pair(first, second);
        return *this;
    }
    DAMRAK_HOT SlotFiller& put_same(fix_codec::Tag /*tag*/, char /*value*/) { return *this; }

  private:
    fix_codec::TemplateWriter* writer_;
};

/// What is the same in all messages of a template, where there is no template.
template <class Writer>
DAMRAK_HOT void put_same(Writer& writer, fix_codec::Tag tag, char value) {
    if constexpr (std::same_as<Writer, fix_codec::MessageWriter>)
        writer.put_char(tag, value);
    else
        writer.put_same(tag, value);
}

}  // namespace damrak::gateway::detail
