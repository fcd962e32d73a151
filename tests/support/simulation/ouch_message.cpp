#include "support/simulation/ouch_message.hpp"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>

namespace damrak::simulation {

namespace {

constexpr std::size_t k_token = 14;
constexpr std::uint32_t k_day_v42 = 99'998;

/// Appends fields.
class Writer {
  public:
    explicit Writer(char letter) { put(letter); }
    Writer& put(char c) {
        bytes_.push_back(static_cast<std::byte>(c));
        return *this;
    }
    Writer& text(std::string_view value, std::size_t width) {
        for (std::size_t i = 0; i < width; ++i) put(i < value.size() ? value[i] : ' ');
        return *this;
    }
    Writer& number(std::uint64_t value, int width) {
        for (int i = width - 1; i >= 0; --i) put(static_cast<char>(value >> (8 * i) & 0xFFU));
        return *this;
    }
    Writer& same(const OuchBytes& from, std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) bytes_.push_back(from[i]);
        return *this;
    }
    [[nodiscard]] OuchBytes bytes() const { return bytes_; }

  private:
    OuchBytes bytes_;
};

class Reader {
  public:
    explicit Reader(std::span<const std::byte> bytes) : bytes_(bytes) {}
    [[nodiscard]] char letter(std::size_t at) const { return static_cast<char>(bytes_[at]); }
    [[nodiscard]] std::string text(std::size_t at, std::size_t width) const {
        std::string value;
        for (std::size_t i = at; i < at + width; ++i) value += letter(i);
        return value.substr(0, value.find_last_not_of(' ') + 1);
    }
    [[nodiscard]] std::uint64_t number(std::size_t at, std::size_t width) const {
        std::uint64_t value = 0;
        for (std::size_t i = at; i < at + width; ++i)
            value = value << 8U | std::to_integer<std::uint64_t>(bytes_[i]);
        return value;
    }

  private:
    std::span<const std::byte> bytes_;
};

std::uint64_t reference(const std::string& order) { return order.empty() ? 0 : std::stoull(order); }

OuchBytes bytes_v42(const OuchRequest& asked) {
    Writer out{asked.letter};
    const std::uint32_t life = asked.rests ? k_day_v42 : 0;
    switch (asked.letter) {
        case 'O':
            out.text(asked.order, k_token).put(asked.side).number(asked.quantity, 4);
            out.text(asked.symbol, 8).number(asked.price_e4, 4).number(life, 4).text("", 4);
            // Displayed, principal, no sweep, no minimum, no cross, not retail.
            return out.put('Y').put('P').put('N').number(0, 4).put('N').put('N').bytes();
        case 'U':
            out.text(asked.about, k_token).text(asked.order, k_token).number(asked.quantity, 4);
            out.number(asked.price_e4, 4).number(life, 4).put(asked.hidden ? 'N' : 'Y');
            out.put('N').number(0, 4);
            return out.bytes();
        case 'X':
            return out.text(asked.about, k_token).number(asked.quantity, 4).bytes();
        default:
            out.text(asked.about, k_token).put(asked.side).number(asked.quantity, 4);
            return out.bytes();
    }
}

// The last two bytes are the length of an appendage, which none of these has.
OuchBytes bytes_v50(const OuchRequest& asked) {
    Writer out{asked.letter};
    const char life = asked.rests ? '0' : '3';
    switch (asked.letter) {
        case 'O':
            out.number(reference(asked.order), 4).put(asked.side).number(asked.quantity, 4);
            out.text(asked.symbol, 8).number(asked.price_e4, 8).put(life).put('Y').put('P');
            return out.put('N').put('N').text("", 14).number(0, 2).bytes();
        case 'U':
            out.number(reference(asked.about), 4).number(reference(asked.order), 4);
            out.number(asked.quantity, 4).number(asked.price_e4, 8).put(life);
            return out.put(asked.hidden ? 'N' : 'Y').put('N').text("", 14).number(0, 2).bytes();
        case 'X':
            return out.number(reference(asked.about), 4).number(asked.quantity, 4).bytes();
        case 'M':
            out.number(reference(asked.about), 4).put(asked.side).number(asked.quantity, 4);
            return out.bytes();
        case 'C':
            out.number(reference(asked.order), 4).text("", 4).text(asked.symbol, 8).number(0, 2);
            return out.bytes();
        default:
            return out.bytes();
    }
}

struct Shape {
    char letter;
    std::size_t length;
};
constexpr Shape k_shapes_v42[] = {{'S', 10}, {'A', 66}, {'U', 80}, {'C', 28},
                                  {'E', 40}, {'J', 24}, {'M', 28}, {'T', 36}};
// With the length of an appendage where it is always there.
constexpr Shape k_shapes_v50[] = {{'S', 10}, {'A', 64}, {'U', 68}, {'C', 18}, {'E', 36},
                                  {'J', 29}, {'M', 18}, {'T', 30}, {'X', 27}, {'Q', 13}};

bool has_its_length(OuchVersion version, std::span<const std::byte> bytes) {
    if (bytes.empty()) return false;
    const std::span<const Shape> shapes =
        version == OuchVersion::v42 ? std::span<const Shape>{k_shapes_v42} : k_shapes_v50;
    return std::ranges::any_of(shapes, [&](const Shape& shape) {
        return shape.letter == static_cast<char>(bytes[0]) && shape.length == bytes.size();
    });
}

void read_v42(const Reader& in, OuchMessage& message) {
    message.order = in.text(9, k_token);
    switch (message.letter) {
        case 'A':
        case 'U':
            message.side = in.letter(23);
            message.quantity = in.number(24, 4);
            message.symbol = in.text(28, 8);
            message.price_e4 = in.number(36, 4);
            message.number = in.number(49, 8);
            if (message.letter == 'U') message.previous = in.text(65, k_token);
            break;
        case 'C':
            message.quantity = in.number(23, 4);
            message.code = in.letter(27);
            break;
        case 'E':
            message.quantity = in.number(23, 4);
            message.price_e4 = in.number(27, 4);
            message.number = in.number(32, 8);
            break;
        case 'M':
            message.side = in.letter(23);
            message.quantity = in.number(24, 4);
            break;
        case 'T':
            message.number = in.number(28, 8);
            break;
        default:
            break;
    }
}

void read_v50(const Reader& in, OuchMessage& message) {
    message.order = fmt::to_string(in.number(9, 4));
    switch (message.letter) {
        case 'A':
        case 'U': {
            const std::size_t more = message.letter == 'U' ? 4 : 0;
            if (more > 0) {
                message.previous = message.order;
                message.order = fmt::to_string(in.number(13, 4));
            }
            message.side = in.letter(13 + more);
            message.quantity = in.number(14 + more, 4);
            message.symbol = in.text(18 + more, 8);
            message.price_e4 = in.number(26 + more, 8);
            message.number = in.number(36 + more, 8);
            break;
        }
        case 'C':
            message.quantity = in.number(13, 4);
            message.code = in.letter(17);
            break;
        case 'E':
            message.quantity = in.number(13, 4);
            message.price_e4 = in.number(17, 8);
            message.number = in.number(26, 8);
            break;
        case 'M':
            message.side = in.letter(13);
            message.quantity = in.number(14, 4);
            break;
        case 'T':
            message.number = in.number(22, 8);
            break;
        case 'X':
            message.symbol = in.text(17, 8);
            break;
        case 'Q':
            message.number = in.number(9, 4);
            message.order.clear();
            break;
        default:
            break;
    }
}

}  // namespace

OuchBytes OuchRequest::bytes(OuchVersion version) const {
    return version == OuchVersion::v42 ? bytes_v42(*this) : bytes_v50(*this);
}

std::string OuchMessage::text_of(char letter, std::uint64_t quantity, std::uint64_t number,
                                 std::uint64_t time_ns) {
    return fmt::format("{} {} of {} at {}", letter, quantity, number, time_ns);
}

std::optional<OuchMessage> read_ouch(OuchVersion version, std::span<const std::byte> bytes) {
    if (!has_its_length(version, bytes)) return std::nullopt;
    const Reader in{bytes};
    OuchMessage message{
        .letter = in.letter(0), .time_ns = in.number(1, 8), .bytes{bytes.begin(), bytes.end()}};
    if (message.letter == 'S')
        message.code = in.letter(9);
    else if (version == OuchVersion::v42)
        read_v42(in, message);
    else
        read_v50(in, message);
    return message;
}

OuchBytes accepted_by(OuchVersion version, const OuchBytes& request, const OuchMessage& message) {
    Writer out{'A'};
    out.number(message.time_ns, 8);
    // All of the request comes back, with the order's reference in it, and its state behind it.
    if (version == OuchVersion::v42)
        return out.same(request, 1, 41)
            .number(message.number, 8)
            .same(request, 41, 48)
            .put('L')
            .put(' ')
            .bytes();
    return out.same(request, 1, 28)
        .number(message.number, 8)
        .same(request, 28, 31)
        .put('L')
        .same(request, 31, 47)
        .bytes();
}

}  // namespace damrak::simulation
