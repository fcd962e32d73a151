#include <damrak/fix_codec/decode.hpp>

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>
#include <utility>

#include <damrak/base/assert.hpp>
#include <damrak/fix_codec/checksum.hpp>
#include <damrak/fix_codec/detail/shape.hpp>

namespace damrak::fix_codec {
namespace {

constexpr std::string_view k_start = "8=FIX";
constexpr std::size_t k_maximum_begin_string = 16;
constexpr std::size_t k_maximum_length_digits = 9;
constexpr std::size_t k_maximum_tag_digits = 9;

struct DataField {
    Tag length;
    Tag data;
};
// The data fields of FIX.4.0 to FIX.5.0SP2.
constexpr std::array k_data_fields{
    DataField{90, 91},     DataField{93, 89},     DataField{95, 96},     DataField{212, 213},
    DataField{348, 349},   DataField{350, 351},   DataField{352, 353},   DataField{354, 355},
    DataField{356, 357},   DataField{358, 359},   DataField{360, 361},   DataField{362, 363},
    DataField{364, 365},   DataField{445, 446},   DataField{618, 619},   DataField{621, 622},
    DataField{1184, 1185}, DataField{1277, 1278}, DataField{1280, 1281}, DataField{1282, 1283},
    DataField{1397, 1398}, DataField{1401, 1402}, DataField{1403, 1404}, DataField{1468, 1469},
    DataField{1525, 1527}};

[[nodiscard]] std::string_view view(std::span<const char> bytes) {
    return {bytes.data(), bytes.size()};
}

[[nodiscard]] Scan need_more() { return {}; }
[[nodiscard]] Scan garbled(Garbled reason, std::size_t bytes) {
    return {Scan::Status::garbled, bytes, reason};
}

// Position at or after `from` where the next message may begin. Keeps bytes that may be the
// beginning of one.
[[nodiscard]] std::size_t next_start(std::string_view text, std::size_t from) {
    const std::size_t found = text.find(k_start, from);
    if (found != std::string_view::npos) return found;
    for (std::size_t tail = std::min(k_start.size() - 1, text.size() - from); tail > 0; --tail)
        if (k_start.starts_with(text.substr(text.size() - tail))) return text.size() - tail;
    return text.size();
}

[[nodiscard]] std::optional<Tag> parse_tag(std::string_view text) {
    const bool negative = text.starts_with('-');
    if (negative) text.remove_prefix(1);
    if (text.empty() || text.size() > k_maximum_tag_digits) return std::nullopt;
    if (text.size() > 1 && text.front() == '0') return std::nullopt;
    Tag number = 0;
    for (const char c : text) {
        if (c < '0' || c > '9') return std::nullopt;
        number = number * 10 + static_cast<Tag>(c - '0');
    }
    return negative ? Tag{0} - number : number;
}

}  // namespace

std::string_view text(Garbled reason) {
    switch (reason) {
        case Garbled::none:
            return "nothing wrong";
        case Garbled::no_begin_string:
            return "bytes before BeginString (8)";
        case Garbled::begin_string:
            return "BeginString (8) is not followed by BodyLength (9)";
        case Garbled::body_length:
            return "BodyLength (9) does not lead to CheckSum (10)";
        case Garbled::too_long:
            return "longer than a message may be";
        case Garbled::check_sum:
            return "CheckSum (10) is wrong";
        case Garbled::msg_type:
            return "MsgType (35) is not the third field";
        case Garbled::malformed_field:
            return "a field without a tag or without =";
        case Garbled::data_length:
            return "a data field does not end where its length says";
        case Garbled::too_many_fields:
            return "more fields than a message may have";
    }
    return "";
}

// The fields around the body.
struct Decoder::Envelope {
    std::size_t begin_string_end = 0;
    std::size_t body_begin = 0;
    std::size_t body_end = 0;  // position of CheckSum
};

Decoder::Decoder(std::size_t maximum_fields, std::size_t maximum_bytes)
    : fields_(maximum_fields),
      near_lengths_(k_near_tags),
      maximum_bytes_{maximum_bytes},
      shapes_(k_shapes) {
    DAMRAK_ASSERT(maximum_fields >= 4 && maximum_fields <= k_maximum_fields);
    for (const DataField& field : k_data_fields) add_data_field(field.length, field.data);
}
Decoder::~Decoder() = default;
Decoder::Decoder(Decoder&&) noexcept = default;
Decoder& Decoder::operator=(Decoder&&) noexcept = default;

void Decoder::add_data_field(Tag length, Tag data) {
    if (data < k_near_tags)
        near_lengths_[data] = length;
    else
        far_lengths_.emplace_back(data, length);
    for (detail::Shape& shape : shapes_) shape.count = 0;
}

Tag Decoder::length_of(Tag data) const {
    if (data < k_near_tags) return near_lengths_[data];
    for (const auto& [tag, length] : far_lengths_)
        if (tag == data) return length;
    return 0;
}

Scan Decoder::scan(std::span<const char> bytes, Message& out) {
    if (const std::size_t known = scan_known(bytes, out); known != 0)
        return {Scan::Status::message, known, Garbled::none};
    const std::string_view text = view(bytes);
    if (!text.starts_with(k_start.substr(0, std::min(k_start.size(), text.size()))))
        return garbled(Garbled::no_begin_string, next_start(text, 0));
    Envelope envelope;
    const Scan found = open(text, envelope);
    if (found.status == Scan::Status::too_long) return scan_long(bytes, found.bytes, out);
    if (found.status != Scan::Status::message) return found;
    const auto message = bytes.first(envelope.body_end + k_trailer_bytes);
    const Garbled fault = split(message, envelope);
    if (fault == Garbled::too_many_fields) return scan_long(bytes, message.size(), out);
    if (fault != Garbled::none) return garbled(fault, message.size());
    give(message, out);
    if (!has_data_) learn(out, envelope.body_begin);
    return {Scan::Status::message, message.size(), Garbled::none};
}

void Decoder::give(std::span<const char> bytes, Message& out) const {
    out.bytes_ = bytes;
    out.fields_ = std::span{fields_}.first(count_);
    out.index_ = &index_;
    out.shape_ = nullptr;
    out.has_empty_value_ = has_empty_value_;
    out.begin_string_ = parse_begin_string(out.value(fields_[0]));
    out.sequence_.reset();
}

Scan Decoder::scan_long(std::span<const char> bytes, std::size_t message_bytes, Message& out) {
    const std::size_t front = std::min({message_bytes, k_front_bytes, maximum_bytes_});
    if (bytes.size() < front) return need_more();
    const Garbled fault = read_front(bytes.first(front), out);
    if (fault != Garbled::none) return garbled(fault, next_start(view(bytes), 1));
    return {Scan::Status::too_long, message_bytes, Garbled::none};
}

Garbled Decoder::read_front(std::span<const char> bytes, Message& out) {
    const std::string_view text = view(bytes);
    start_fields();
    // Values are read eight bytes at once, so the last ones need readable bytes after them.
    constexpr std::size_t k_behind = 8;
    for (std::size_t at = 0; count_ < fields_.size();) {
        const std::size_t field = at;
        const bool whole = add_field(text, text.size(), at) == Garbled::none;
        if (whole && at + k_behind <= text.size()) continue;
        if (at != field) --count_;
        break;
    }
    constexpr std::size_t k_least = 3;
    if (count_ < k_least || fields_[2].tag != tag::msg_type || fields_[2].length == 0)
        return Garbled::msg_type;
    give(bytes, out);
    return Garbled::none;
}

// Checks the frame: BeginString, BodyLength, and CheckSum where BodyLength says. If CheckSum is
// elsewhere, skips all up to it: that is probably the end of the sender's message.
Scan Decoder::open(std::string_view text, Envelope& envelope) const {
    const std::size_t begin_end = text.substr(0, k_maximum_begin_string).find(k_soh);
    if (begin_end == std::string_view::npos) {
        if (text.size() < k_maximum_begin_string) return need_more();
        return garbled(Garbled::begin_string, next_start(text, 1));
    }
    const std::string_view behind = text.substr(begin_end + 1);
    constexpr std::string_view k_length_tag = "9=";
    if (!behind.starts_with(k_length_tag.substr(0, std::min(behind.size(), k_length_tag.size()))))
        return garbled(Garbled::begin_string, next_start(text, 1));
    if (behind.size() <= k_length_tag.size()) return need_more();
    const std::string_view digits = behind.substr(k_length_tag.size(), k_maximum_length_digits + 1);
    std::size_t length = 0;
    std::size_t used = 0;
    for (; used < digits.size() && digits[used] >= '0' && digits[used] <= '9'; ++used)
        length = length * 10 + static_cast<std::size_t>(digits[used] - '0');
    if (used == digits.size() && used <= k_maximum_length_digits) return need_more();
    if (used == 0 || used > k_maximum_length_digits || digits[used] != k_soh)
        return garbled(Garbled::body_length, next_start(text, 1));
    envelope.begin_string_end = begin_end;
    envelope.body_begin = begin_end + 1 + k_length_tag.size() + used + 1;
    envelope.body_end = envelope.body_begin + length;
    if (envelope.body_end + k_trailer_bytes > maximum_bytes_)
        return {Scan::Status::too_long, envelope.body_end + k_trailer_bytes, Garbled::none};
    return close(text, envelope);
}

Scan Decoder::close(std::string_view text, const Envelope& envelope) const {
    constexpr std::string_view k_delimited_trailer{"\00110=", 4};
    if (text.size() < envelope.body_end + k_delimited_trailer.size() - 1) return need_more();
    const std::size_t at = text.find(k_delimited_trailer, envelope.body_end - 1);
    const std::size_t end = at == std::string_view::npos ? at : text.find(k_soh, at + 1);
    if (end == std::string_view::npos) {
        if (text.size() < maximum_bytes_) return need_more();
        return garbled(Garbled::too_long, next_start(text, 1));
    }
    if (at != envelope.body_end - 1) return garbled(Garbled::body_length, end + 1);
    const std::string_view digits = text.substr(at + 4, end - at - 4);
    if (digits.size() != 3) return garbled(Garbled::check_sum, end + 1);
    const auto written = parse_integer(digits);
    const std::uint8_t sum = checksum(std::span{text}.first(envelope.body_end));
    if (!written || *written != sum) return garbled(Garbled::check_sum, end + 1);
    return {Scan::Status::message, end + 1, Garbled::none};
}

Garbled Decoder::split(std::span<const char> message, const Envelope& envelope) {
    const std::string_view text = view(message);
    if (!text.substr(envelope.body_begin).starts_with("35=")) return Garbled::msg_type;
    start_fields();
    for (std::size_t at = 0; at < text.size();)
        if (const Garbled fault = add_field(text, envelope.body_end, at); fault != Garbled::none)
            return fault;
    return fields_[2].length == 0 ? Garbled::msg_type : Garbled::none;
}

void Decoder::start_fields() {
    count_ = 0;
    has_data_ = false;
    has_empty_value_ = false;
    index_.start();
}

// Reads the field at `at` and moves `at` past it. Data must end before `end_of_data`.
Garbled Decoder::add_field(std::string_view text, std::size_t end_of_data, std::size_t& at) {
    const std::size_t equals = text.find('=', at);
    std::size_t end = text.find(k_soh, at);
    if (equals >= end || end == std::string_view::npos) return Garbled::malformed_field;
    const auto tag = parse_tag(text.substr(at, equals - at));
    if (!tag) return Garbled::malformed_field;
    const std::size_t value = equals + 1;
    const Tag length_tag = length_of(*tag);
    if (length_tag != 0 && count_ > 0 && fields_[count_ - 1].tag == length_tag) {
        const Field& before = fields_[count_ - 1];
        const auto length = parse_integer(text.substr(before.offset, before.length));
        if (!length || *length < 0 ||
            std::cmp_greater_equal(value + static_cast<std::uint64_t>(*length), end_of_data))
            return Garbled::data_length;
        end = value + static_cast<std::size_t>(*length);
        if (text[end] != k_soh) return Garbled::data_length;
        has_data_ = true;
    }
    if (count_ == fields_.size()) return Garbled::too_many_fields;
    has_empty_value_ = has_empty_value_ || end == value;
    index_.add(*tag, std::span{fields_}.first(count_));
    fields_[count_++] = {*tag, static_cast<std::uint32_t>(value),
                         static_cast<std::uint32_t>(end - value)};
    at = end + 1;
    return Garbled::none;
}

}  // namespace damrak::fix_codec
