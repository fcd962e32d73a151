#include <damrak/wire/binary/decode.hpp>

#include <utility>

#include <fmt/format.h>

namespace damrak::wire::binary {

namespace {

template <Version version, class... Ms>
std::expected<Message, DecodeError> decode_any(const Header& header,
                                               std::span<const std::byte> payload,
                                               const std::variant<Ms...>*) {
    Message message;
    const Fault fault = visit<version>(MessageList<Ms...>{}, header.type, payload,
                                       [&](const auto& decoded) { message = decoded; });
    if (fault == Fault::none) return message;
    DecodeError error{.fault = fault, .header = header};
    const auto look_up = [&]<class M>() {
        if constexpr (Layout<version, M>::k_exists)
            if (header.type == Layout<version, M>::k_type)
                error.expected_length = std::uint16_t{Layout<version, M>::k_length};
    };
    (look_up.template operator()<Ms>(), ...);
    return std::unexpected(error);
}

}  // namespace

std::expected<Message, DecodeError> decode(const Header& header,
                                           std::span<const std::byte> payload) {
    constexpr const Message* k_any = nullptr;
    if (header.version == Version::v1) return decode_any<Version::v1>(header, payload, k_any);
    if (header.version == Version::v2) return decode_any<Version::v2>(header, payload, k_any);
    return std::unexpected(DecodeError{.fault = Fault::unknown_version, .header = header});
}

std::string describe(const DecodeError& error) {
    const Header& header = error.header;
    const unsigned version = std::to_underlying(header.version);
    switch (error.fault) {
        case Fault::unknown_version:
            return fmt::format("version byte {} where 1 or 2 was expected", version);
        case Fault::payload_too_long:
            return fmt::format("a payload of {} bytes, where at most {} are allowed",
                               header.payload_length, k_max_payload_length);
        case Fault::unknown_type:
            return fmt::format("version {} has no message of type {}", version, header.type);
        case Fault::payload_too_short:
            return fmt::format("a payload of {} bytes, where type {} of version {} has {}",
                               header.payload_length, header.type, version, error.expected_length);
        case Fault::none:
            break;
    }
    return "no fault";
}

}  // namespace damrak::wire::binary
