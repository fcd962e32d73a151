// One function puts the fields of a message and serves two writers: one makes the slots of a
// template, the other fills them. Which fields there are may depend only on what the template is
// made for. Costs what the writer below costs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include <damrak/base/inline.hpp>
#include <damrak/domain/measures.hpp>
#include <damrak/fix_codec/encode_template.hpp>

namespace damrak::gateway::fix::detail {

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
    SlotMaker& put_counter(fix_codec::Tag tag, fix_codec::CounterText& /*text*/,
                           std::uint64_t /*number*/) {
        return put(tag);
    }
    SlotMaker& put_event(fix_codec::Tag tag, fix_codec::CounterText& /*text*/,
                         std::uint64_t /*sequence*/, std::uint32_t /*index*/) {
        return put(tag);
    }
    template <std::size_t k_bytes>
    SlotMaker& put_ready(fix_codec::Tag tag, const fix_codec::ReadyFields<k_bytes>& /*fields*/) {
        made_->slot(tag, k_bytes);
        return *this;
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
    SlotFiller(fix_codec::TemplateWriter& writer, fix_codec::DecimalTexts& prices,
               unsigned price_decimals)
        : writer_(&writer), prices_(&prices), price_decimals_(price_decimals) {}
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
        if (digits == price_decimals_) [[likely]]
            writer_->put_recent(*prices_, count, digits);
        else
            writer_->put_decimal(count, digits);
        return *this;
    }
    DAMRAK_HOT SlotFiller& put_timestamp(fix_codec::Tag /*tag*/, Timestamp time,
                                         fix_codec::TimePrecision precision) {
        writer_->put_timestamp(time, precision);
        return *this;
    }
    DAMRAK_HOT SlotFiller& put_counter(fix_codec::Tag /*tag*/, fix_codec::CounterText& text,
                                       std::uint64_t number) {
        writer_->put_counter(text, number);
        return *this;
    }
    /// "1042-3".
    DAMRAK_HOT SlotFiller& put_event(fix_codec::Tag /*tag*/, fix_codec::CounterText& text,
                                     std::uint64_t sequence, std::uint32_t index) {
        writer_->put_pair(text, sequence, index);
        return *this;
    }
    template <std::size_t k_bytes>
    DAMRAK_HOT SlotFiller& put_ready(fix_codec::Tag /*tag*/,
                                     const fix_codec::ReadyFields<k_bytes>& fields) {
        writer_->put_ready(fields);
        return *this;
    }
    DAMRAK_HOT SlotFiller& put_same(fix_codec::Tag /*tag*/, char /*value*/) { return *this; }

  private:
    fix_codec::TemplateWriter* writer_;
    fix_codec::DecimalTexts* prices_;
    unsigned price_decimals_;
};

}  // namespace damrak::gateway::fix::detail
