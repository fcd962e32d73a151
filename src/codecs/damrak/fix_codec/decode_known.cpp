// Fast path of the decoder for messages with the same start and the same tags as an earlier one. It
// returns nothing for any other message; the general path then decodes it or names the fault.
#include <algorithm>
#include <cstring>

#include <damrak/fix_codec/decode.hpp>
#include <damrak/fix_codec/delimiters.hpp>
#include <damrak/fix_codec/detail/shape.hpp>

namespace damrak::fix_codec {
namespace {

constexpr std::size_t k_word = sizeof(std::uint64_t);
constexpr std::size_t k_minimum_message = 64;  // needed by the search for delimiters

[[nodiscard]] std::uint64_t load_word(const char* from) {
    std::uint64_t word;
    std::memcpy(&word, from, sizeof word);
    return word;
}

[[nodiscard]] std::uint64_t first_bytes(std::size_t count) {
    return count >= k_word ? ~std::uint64_t{0} : (std::uint64_t{1} << 8 * count) - 1;
}

// BodyLength at the front of the text, and its number of digits; zero digits if it is invalid.
struct Length {
    std::size_t value = 0;
    std::size_t digits = 0;
};
[[nodiscard]] Length read_length(const char* from) {
    constexpr std::size_t k_maximum_digits = 5;
    Length length;
    for (; length.digits <= k_maximum_digits; ++length.digits) {
        const auto digit = static_cast<unsigned>(from[length.digits] - '0');
        if (digit > 9) break;
        length.value = length.value * 10 + digit;
    }
    if (from[length.digits] != k_soh) length.digits = 0;
    return length;
}

// Checks for "10=nnn" and its delimiter at `from`, after a delimiter, given the sum of all bytes.
[[nodiscard]] bool is_trailer(const char* from, std::uint64_t sum_of_all) {
    const unsigned hundreds = static_cast<unsigned char>(from[3]);
    const unsigned tens = static_cast<unsigned char>(from[4]);
    const unsigned ones = static_cast<unsigned char>(from[5]);
    constexpr unsigned k_constant = '1' + '0' + '=' + k_soh;
    const unsigned sum =
        static_cast<std::uint8_t>(sum_of_all - (k_constant + hundreds + tens + ones));
    return std::memcmp(from - 1, "\00110=", 4) == 0 && from[6] == k_soh &&
           hundreds == '0' + sum / 100 && tens == '0' + sum / 10 % 10 && ones == '0' + sum % 10;
}

// Compares the tags and records the positions of the values. False if a tag differs.
[[nodiscard]] bool match(const char* data, const Delimiters& delimiters, detail::Shape& shape) {
    std::uint64_t difference = 0;
    std::uint32_t shortest = ~std::uint32_t{0};
    std::uint32_t begin = 0;
    // The last field is CheckSum, which was checked already; fewer than eight bytes follow it.
    const std::size_t last = shape.count - 1;
    const detail::Shape::ExpectedTag* const tags = shape.tags.data();
    Field* const fields = shape.places.fields.data();
    for (std::size_t i = 0; i < last; ++i) {
        const std::uint32_t end = delimiters.at[i];
        difference |= (load_word(data + begin) ^ tags[i].bytes) & tags[i].mask;
        const std::uint32_t value = begin + tags[i].value_at;
        const std::uint32_t length = end - value;
        fields[i].offset = value;
        fields[i].length = length;
        shortest = std::min(shortest, length);
        begin = end + 1;
    }
    fields[last].offset = begin + tags[last].value_at;
    shape.places.has_empty_value = shortest == 0;
    return difference == 0;
}

// Where the message's fields are, or null. Learns a new layout only now and then: that costs more
// than it saves if lengths change with every message.
[[nodiscard]] const detail::Shape::Places* find_fields(std::span<const char> message,
                                                       std::size_t body_end, detail::Shape& shape) {
    const char* const data = message.data();
    if (shape.count == 0) return nullptr;
    detail::Shape::Known& known = shape.known_for(message.size());
    if (std::uint64_t sum = 0; known.layout.matches(message, sum)) [[likely]]
        return is_trailer(data + body_end, sum) ? &known.places : nullptr;
    Delimiters delimiters;
    if (!find_delimiters(message, delimiters) || delimiters.count != shape.count ||
        !is_trailer(data + body_end, delimiters.sum))
        return nullptr;
    if (!match(data, delimiters, shape)) {
        shape.count = 0;
        return nullptr;
    }
    if (++known.others >= detail::Shape::k_patience) {
        known.others = 0;
        known.places = shape.places;
        known.layout.learn(message, std::span{shape.places.fields}.first(shape.count));
    }
    return &shape.places;
}

}  // namespace

// Returns the length of the message, or zero.
std::size_t Decoder::scan_known(std::span<const char> bytes, Message& out) {
    if (prefix_.length == 0 || bytes.size() < k_minimum_message) return 0;
    const char* const data = bytes.data();
    if (((load_word(data) ^ prefix_.bytes[0]) & prefix_.mask[0]) != 0 ||
        ((load_word(data + k_word) ^ prefix_.bytes[1]) & prefix_.mask[1]) != 0)
        return 0;
    const Length length = read_length(data + prefix_.length);
    const std::size_t body_begin = prefix_.length + length.digits + 1;
    const std::size_t body_end = body_begin + length.value;
    const std::size_t size = body_end + k_trailer_bytes;
    if (length.digits == 0 || size > bytes.size() || size > maximum_bytes_ ||
        size < k_minimum_message)
        return 0;
    const auto message = bytes.first(size);
    detail::Shape& shape = shape_for(message, body_begin);
    const detail::Shape::Places* const places = find_fields(message, body_end, shape);
    if (places == nullptr) return 0;
    out.bytes_ = message;
    out.fields_ = std::span{places->fields}.first(shape.count);
    out.index_ = &shape.index;
    out.shape_ = &shape;
    out.begin_string_ = prefix_.version;
    out.has_empty_value_ = places->has_empty_value;
    out.sequence_.reset();
    return size;
}

// Selected by the first letter of MsgType, which follows "35=".
detail::Shape& Decoder::shape_for(std::span<const char> message, std::size_t body_begin) {
    return shapes_[static_cast<unsigned char>(message[body_begin + 3]) % k_shapes];
}

// Remembers a split message if its fields fit and its tags and type are short. The type is compared
// with the tags, so the results of validation apply only to messages of the same type.
void Decoder::learn(Message& message, std::size_t body_begin) {
    const auto fields = message.fields();
    const auto bytes = message.bytes();
    const std::size_t prefix = fields[1].offset;
    if (bytes.size() < k_minimum_message || prefix > 2 * k_word ||
        fields.size() > detail::Shape::k_fields)
        return;
    detail::Shape& shape = shape_for(bytes, body_begin);
    shape.count = 0;
    shape.judged_by = 0;
    shape.forget_layouts();
    shape.index.start();
    std::size_t begin = 0;
    for (std::size_t i = 0; i < fields.size(); ++i) {
        const std::size_t tag_bytes = fields[i].offset - begin;
        const std::size_t compared = i == 2 ? tag_bytes + fields[i].length + 1 : tag_bytes;
        if (compared > k_word) return;
        const std::uint64_t mask = first_bytes(compared);
        const bool last = i + 1 == fields.size();
        shape.tags[i] = {last ? 0 : load_word(bytes.data() + begin) & mask, mask,
                         static_cast<std::uint32_t>(tag_bytes)};
        shape.index.add(fields[i].tag, std::span{shape.places.fields}.first(i));
        shape.places.fields[i] = fields[i];
        begin = fields[i].offset + fields[i].length + 1;
    }
    shape.count = fields.size();
    prefix_.length = prefix;
    prefix_.version = message.begin_string();
    prefix_.mask = {first_bytes(prefix), prefix > k_word ? first_bytes(prefix - k_word) : 0};
    prefix_.bytes = {load_word(bytes.data()) & prefix_.mask[0],
                     load_word(bytes.data() + k_word) & prefix_.mask[1]};
    message.fields_ = std::span{shape.places.fields}.first(shape.count);
    message.index_ = &shape.index;
    message.shape_ = &shape;
}

}  // namespace damrak::fix_codec
