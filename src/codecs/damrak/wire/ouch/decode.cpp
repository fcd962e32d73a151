#include <damrak/wire/ouch/decode.hpp>

#include <algorithm>
#include <bitset>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include <damrak/base/byte_order.hpp>
#include <damrak/wire/itch/decode.hpp>
#include <damrak/wire/ouch/descriptor_v42.hpp>
#include <damrak/wire/ouch/descriptor_v50.hpp>
#include <damrak/wire/ouch/detail/appendage.hpp>

namespace damrak::wire::ouch {

namespace {

DecodeError ouch_error(Fault fault, char type, std::size_t offset, std::size_t found,
                       std::size_t expected = 0) {
    return {.fault = fault, .type = type, .offset = offset, .found = found, .expected = expected};
}

// Checks the options of a message, which begin at `offset` in it.
DecodeError check_options(char type, std::span<const std::byte> options, std::size_t offset) {
    std::bitset<k_option_tags> seen;
    for (std::size_t at = 0; at < options.size();) {
        const auto length = std::to_integer<std::size_t>(options[at]);
        const std::size_t left = options.size() - at - 1;
        if (length == 0 || length > left)
            return ouch_error(Fault::option_overrun, type, offset + at, length, left);
        const auto tag = std::to_integer<std::size_t>(options[at + 1]);
        if (tag >= k_option_tags || k_option_size[tag] == 0)
            return ouch_error(Fault::unknown_option, type, offset + at + 1, tag);
        if (length != std::size_t{1} + k_option_size[tag])
            return ouch_error(Fault::wrong_option_size, type, offset + at, length,
                              std::size_t{1} + k_option_size[tag]);
        if (seen.test(tag)) return ouch_error(Fault::repeated_option, type, offset + at + 1, tag);
        seen.set(tag);
        at += 1 + length;
    }
    return {};
}

// `rest` follows the fields, at `offset` in the message.
DecodeError read_appendage(char type, bool optional, std::span<const std::byte> rest,
                           std::size_t offset, Appendage& to) {
    if (optional && rest.empty()) return {};
    if (rest.size() < k_appendage_length_size)
        return ouch_error(Fault::truncated, type, offset + rest.size(), offset + rest.size(),
                          offset + k_appendage_length_size);
    const std::size_t stated = load_be<std::uint16_t>(rest.data());
    const auto options = rest.subspan(k_appendage_length_size);
    if (stated != options.size())
        return ouch_error(Fault::wrong_appendage_length, type, offset, stated, options.size());
    const DecodeError error = check_options(type, options, offset + k_appendage_length_size);
    if (error.fault != Fault::none) return error;
    to.stated = optional && options.empty();
    to.length = static_cast<std::uint16_t>(options.size());
    std::ranges::copy(options, to.bytes.begin());
    return error;
}

enum class Options : std::uint8_t { checked, ignored };

template <class Messages, class M>
std::expected<Messages, DecodeError> decode_message(std::span<const std::byte> bytes,
                                                    Options options) {
    using L = Layout<M>;
    if (bytes.size() < L::k_length)
        return std::unexpected{
            ouch_error(Fault::truncated, L::k_type, bytes.size(), bytes.size(), L::k_shortest)};
    M message;
    if constexpr (L::k_length > 1)
        message = itch::detail::load_message<M>(bytes.data(), typename L::Fields{});
    if constexpr (L::k_appendage != AppendageUse::none) {
        if (options == Options::ignored) return Messages{message};
        const DecodeError error =
            read_appendage(L::k_type, L::k_appendage == AppendageUse::optional,
                           bytes.subspan(L::k_length), L::k_length, message.appendage);
        if (error.fault != Fault::none) return std::unexpected{error};
    } else if (bytes.size() > L::k_length) {
        return std::unexpected{
            ouch_error(Fault::trailing_bytes, L::k_type, L::k_length, bytes.size(), L::k_length)};
    }
    return Messages{message};
}

template <class Messages, class M, class... Others>
std::expected<Messages, DecodeError> decode_typed(char type, std::span<const std::byte> bytes,
                                                  Options options) {
    if (type == Layout<M>::k_type) return decode_message<Messages, M>(bytes, options);
    if constexpr (sizeof...(Others) > 0)
        return decode_typed<Messages, Others...>(type, bytes, options);
    else
        return std::unexpected{
            ouch_error(Fault::unknown_type, type, 0, std::to_integer<std::size_t>(bytes[0]))};
}

template <class... Ms>
std::expected<std::variant<Ms...>, DecodeError> decode_any(std::span<const std::byte> bytes,
                                                           Options options,
                                                           std::variant<Ms...>* /*which*/) {
    if (bytes.empty()) return std::unexpected{DecodeError{.fault = Fault::empty, .expected = 1}};
    return decode_typed<std::variant<Ms...>, Ms...>(static_cast<char>(bytes[0]), bytes, options);
}

std::string show_letter(std::size_t byte) {
    if (byte >= ' ' && byte <= '~') return fmt::format("'{}'", static_cast<char>(byte));
    return fmt::format("0x{:02x}", byte);
}

}  // namespace

template <class Messages>
std::expected<Messages, DecodeError> decode(std::span<const std::byte> bytes) {
    return decode_any(bytes, Options::checked, static_cast<Messages*>(nullptr));
}

template <class Messages>
std::expected<Messages, DecodeError> decode_fields(std::span<const std::byte> bytes) {
    return decode_any(bytes, Options::ignored, static_cast<Messages*>(nullptr));
}

bool is_of_options(Fault fault) { return fault >= Fault::wrong_appendage_length; }

template std::expected<v42::Inbound, DecodeError> decode(std::span<const std::byte>);
template std::expected<v42::Outbound, DecodeError> decode(std::span<const std::byte>);
template std::expected<v50::Inbound, DecodeError> decode(std::span<const std::byte>);
template std::expected<v50::Outbound, DecodeError> decode(std::span<const std::byte>);
template std::expected<v42::Inbound, DecodeError> decode_fields(std::span<const std::byte>);
template std::expected<v50::Inbound, DecodeError> decode_fields(std::span<const std::byte>);

std::string_view name(Fault fault) {
    switch (fault) {
        case Fault::none:
            return "none";
        case Fault::empty:
            return "empty";
        case Fault::unknown_type:
            return "unknown_type";
        case Fault::truncated:
            return "truncated";
        case Fault::trailing_bytes:
            return "trailing_bytes";
        case Fault::wrong_appendage_length:
            return "wrong_appendage_length";
        case Fault::option_overrun:
            return "option_overrun";
        case Fault::unknown_option:
            return "unknown_option";
        case Fault::wrong_option_size:
            return "wrong_option_size";
        case Fault::repeated_option:
            return "repeated_option";
    }
    return "unknown";
}

std::string describe(const DecodeError& error) {
    const auto at = fmt::format("offset {}: ", error.offset);
    const auto type = show_letter(static_cast<unsigned char>(error.type));
    switch (error.fault) {
        case Fault::none:
            return "no error";
        case Fault::empty:
            return at + "there is no message; expected at least its type";
        case Fault::unknown_type:
            return at + fmt::format("no message of this version and direction has the type {}",
                                    show_letter(error.found));
        case Fault::truncated:
            return at + fmt::format("a message of type {} has {} bytes; expected at least {}", type,
                                    error.found, error.expected);
        case Fault::trailing_bytes:
            return at + fmt::format("a message of type {} has {} bytes; expected {}", type,
                                    error.found, error.expected);
        case Fault::wrong_appendage_length:
            return at + fmt::format(
                            "the appendage of a message of type {} states {} bytes; {} "
                            "follow",
                            type, error.found, error.expected);
        case Fault::option_overrun:
            return at + fmt::format(
                            "an option of a message of type {} states {} bytes; expected 1 "
                            "to {}, which is what is left",
                            type, error.found, error.expected);
        case Fault::unknown_option:
            return at + fmt::format("the option tag {} of a message of type {} is unknown",
                                    error.found, type);
        case Fault::wrong_option_size:
            return at + fmt::format(
                            "an option of a message of type {} states {} bytes; its tag "
                            "has {}",
                            type, error.found, error.expected);
        case Fault::repeated_option:
            return at + fmt::format("the option tag {} of a message of type {} comes twice",
                                    error.found, type);
    }
    return at + "unknown fault";
}

}  // namespace damrak::wire::ouch
