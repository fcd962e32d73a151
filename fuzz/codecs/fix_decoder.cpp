// Decodes any bytes as a stream of FIX messages, in pieces. A decoder that has read earlier
// messages and a new one must give the same results; all fields must lie within the message; and
// the result of validation must not depend on earlier messages, with one dictionary (of which the
// decoder learns most) or several.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include <damrak/base/assert.hpp>
#include <damrak/fix_codec/decode.hpp>
#include <damrak/fix_codec/dictionary.hpp>

#include "support/fuzz_target.hpp"

namespace damrak::fuzz_fix_decoder {

namespace {

using namespace damrak::fix_codec;

void read_entries(const GroupRange& entries) {
    for (const Group& entry : entries) {
        DAMRAK_ASSERT(!entry.fields().empty());
        for (const Field& field : entry.fields()) DAMRAK_ASSERT(entry.find(field.tag) != nullptr);
    }
}

void read_all(const Message& message, const Dictionary& dictionary) {
    std::size_t last_end = 0;
    for (const Field& field : message.fields()) {
        DAMRAK_ASSERT(field.offset >= last_end);
        last_end = field.offset + field.length;
        DAMRAK_ASSERT(last_end < message.bytes().size());
        const Field* const first = message.find(field.tag);
        DAMRAK_ASSERT(first != nullptr && first <= &field && first->tag == field.tag);
        (void)message.integer(field.tag);
        (void)message.decimal(field.tag, 4);
        (void)message.timestamp(field.tag);
        (void)message.boolean(field.tag);
        if (const GroupLayout* group = dictionary.group(message.msg_type(), field.tag))
            read_entries(message.groups(*group));
    }
    DAMRAK_ASSERT(last_end + 1 == message.bytes().size());
}

using Judges = std::span<const Dictionary* const>;

void compare(const Message& used, const Message& fresh, Judges judges) {
    DAMRAK_ASSERT(used.fields().size() == fresh.fields().size());
    for (std::size_t i = 0; i < used.fields().size(); ++i) {
        DAMRAK_ASSERT(used.fields()[i].tag == fresh.fields()[i].tag);
        DAMRAK_ASSERT(used.fields()[i].offset == fresh.fields()[i].offset);
        DAMRAK_ASSERT(used.fields()[i].length == fresh.fields()[i].length);
    }
    for (const Dictionary* const judge : judges) {
        read_all(used, *judge);
        DAMRAK_ASSERT(judge->validate(used) == judge->validate(fresh));
    }
}

// Result of scanning the front of a piece of the stream.
Scan scan_one(std::span<const char> bytes, Decoder& used, Judges judges) {
    static Decoder fresh{128, 4'096};
    fresh.add_data_field(tag::raw_data_length, tag::raw_data);  // as before; drops all shapes
    Message message;
    Message expected;
    const Scan wanted = fresh.scan(bytes, expected);
    const Scan scan = used.scan(bytes, message);
    DAMRAK_ASSERT(scan.status == wanted.status && scan.bytes == wanted.bytes &&
                  scan.reason == wanted.reason);
    DAMRAK_ASSERT(scan.bytes <= bytes.size() || scan.status == Scan::Status::too_long);
    if (scan.status == Scan::Status::message) compare(message, expected, judges);
    if (scan.status == Scan::Status::garbled) DAMRAK_ASSERT(!text(scan.reason).empty());
    return scan;
}

}  // namespace

DAMRAK_FUZZ_TARGET(fix_decoder)(const std::uint8_t* data, std::size_t size) {
    if (size == 0) return 0;
    static const std::array judges{&Dictionary::of(BeginString::fix44),
                                   &Dictionary::of(BeginString::fix42),
                                   &Dictionary::of(ApplVersion::fix50sp2)};
    const Judges judging = std::span{judges}.first(data[0] % 2 == 0 ? 1 : judges.size());
    const std::size_t piece = 1 + data[0];
    const std::span stream{reinterpret_cast<const char*>(data + 1), size - 1};
    Decoder used{128, 4'096};
    std::size_t at = 0;
    std::size_t end = 0;
    while (end < stream.size()) {
        end = std::min(end + piece, stream.size());
        while (at < end) {
            const Scan scan = scan_one(stream.subspan(at, end - at), used, judging);
            if (scan.status == Scan::Status::need_more) break;
            DAMRAK_ASSERT(scan.bytes > 0);
            at += std::min(scan.bytes, end - at);
        }
    }
    return 0;
}

}  // namespace damrak::fuzz_fix_decoder
