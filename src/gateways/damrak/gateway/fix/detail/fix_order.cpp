#include <damrak/gateway/fix/detail/fix_order.hpp>

#include <optional>

#include <damrak/gateway/fix/detail/fix_attachment.hpp>

namespace damrak::gateway::fix {

namespace {

constexpr std::size_t k_uuid_bytes = 16;
constexpr std::size_t k_uuid_characters = 36;

constexpr bool is_dash(std::size_t at) { return at == 8 || at == 13 || at == 18 || at == 23; }

std::optional<unsigned> digit_of(char c, char ten) {
    if (c >= '0' && c <= '9') return static_cast<unsigned>(c - '0');
    if (c >= ten && c < ten + 6) return static_cast<unsigned>(c - ten) + 10U;
    return std::nullopt;
}

// Of 8, 4, 4, 4 and 12 digits with dashes between them, all in the letters that begin at `ten`.
std::optional<ShortName> pack_uuid(std::string_view text, char ten) {
    if (text.size() != k_uuid_characters) return std::nullopt;
    ShortName packed;
    std::size_t digits = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (is_dash(i) != (text[i] == '-')) return std::nullopt;
        if (is_dash(i)) continue;
        const auto digit = digit_of(text[i], ten);
        if (!digit) return std::nullopt;
        char& byte = packed.characters[digits++ / 2];
        byte = static_cast<char>((unsigned{static_cast<unsigned char>(byte)} << 4U) | *digit);
    }
    return packed;
}

ClOrdId unpack_uuid(const ShortName& packed, char ten) {
    std::array<char, k_uuid_characters> text{};
    std::size_t at = 0;
    const auto put = [&](unsigned digit) {
        const unsigned from = digit < 10 ? '0' : static_cast<unsigned char>(ten) - 10U;
        text[at++] = static_cast<char>(from + digit);
    };
    for (std::size_t i = 0; i < k_uuid_bytes; ++i) {
        if (is_dash(at)) text[at++] = '-';
        const auto byte = static_cast<unsigned char>(packed.characters[i]);
        put(byte >> 4U);
        put(byte & 15U);
    }
    return ClOrdId::of({text.data(), text.size()});
}

}  // namespace

void FixNote::set_name(std::string_view text) {
    if (text.size() <= ShortName::k_length) {
        name = ShortName::of(text);
        form = Form::whole;
    } else if (const auto uuid = pack_uuid(text, 'a')) {
        name = *uuid;
        form = Form::uuid;
    } else if (const auto upper = pack_uuid(text, 'A')) {
        name = *upper;
        form = Form::upper_uuid;
    } else {
        name = ShortName::of(text);
        form = Form::begun;
    }
}

ClOrdId FixNote::full_name(std::string_view attachment) const {
    if (form == Form::uuid) return unpack_uuid(name, 'a');
    if (form == Form::upper_uuid) return unpack_uuid(name, 'A');
    ClOrdId full = ClOrdId::of(name.view());
    if (form == Form::begun) full.append(FixFields{attachment}.find(k_cl_ord_id_tag));
    return full;
}

}  // namespace damrak::gateway::fix
