#include <damrak/wire/itch/decode.hpp>

#include <algorithm>

#include <damrak/wire/itch/walk.hpp>

namespace damrak::wire::itch {

namespace {

// Offset of the first field with this fault, and the byte found there.
template <class... Fields>
DecodeError locate(Fault fault, std::span<const std::byte> message, std::uint64_t offset,
                   FieldList<Fields...>) {
    std::size_t at = 0;
    const auto faulty = [&]<class F>(F) {
        if (detail::check_field<typename F::Value>(message.data() + F::k_offset) != fault)
            return false;
        at = F::k_offset;
        return true;
    };
    (void)(faulty(Fields{}) || ...);
    if (fault == Fault::bad_stock) {
        const auto text = message.subspan(at, sizeof(Stock));
        const auto bad = std::ranges::find_if(
            text, [](std::byte b) { return b < std::byte{' '} || b > std::byte{'~'}; });
        at += static_cast<std::size_t>(bad - text.begin());
    }
    return {.fault = fault,
            .offset = offset + at,
            .type = static_cast<char>(message[k_type_offset]),
            .found = static_cast<std::uint32_t>(message[at])};
}

}  // namespace

namespace detail {

DecodeError diagnose(std::span<const std::byte> message, std::uint64_t offset) {
    if (message.empty()) {
        return {.fault = Fault::wrong_length, .offset = offset, .expected = k_min_message_length};
    }
    const char type = static_cast<char>(message[k_type_offset]);
    const std::size_t expected = message_length(type);
    if (expected == k_no_message) {
        return {.fault = Fault::unknown_type,
                .offset = offset,
                .type = type,
                .found = static_cast<unsigned char>(type)};
    }
    if (message.size() != expected) {
        return {.fault = Fault::wrong_length,
                .offset = offset,
                .type = type,
                .found = static_cast<std::uint32_t>(message.size()),
                .expected = static_cast<std::uint32_t>(expected)};
    }
    return with_type(
        type,
        [&]<class M>() -> DecodeError {
            if constexpr (std::is_void_v<M>) {
                return {};
            } else {
                const Fault fault = check_as<M>(message.data());
                if (fault == Fault::none) return {};
                return locate(fault, message, offset, typename Layout<M>::Fields{});
            }
        },
        static_cast<Message*>(nullptr));
}

WalkResult end_of_walk(std::span<const std::byte> bytes, std::size_t at, std::uint64_t messages) {
    const auto rest = bytes.subspan(at);
    WalkResult result{.consumed_bytes = at, .messages = messages};
    if (rest.size() < k_frame_header_length) return result;
    const std::size_t length = load_be<std::uint16_t>(rest.data());
    if (length == 0) {
        result.end = WalkEnd::end_mark;
        return result;
    }
    const auto message = rest.subspan(k_frame_header_length);
    if (message.empty()) return result;
    // An unknown type letter makes a frame invalid, even if most of the frame is missing.
    const char type = static_cast<char>(message[k_type_offset]);
    const std::size_t expected = message_length(type);
    if (length == expected && message.size() < length) return result;
    result.end = WalkEnd::fault;
    if (expected != k_no_message && length != expected) {
        result.error = {.fault = Fault::wrong_length,
                        .offset = at,
                        .type = type,
                        .found = static_cast<std::uint32_t>(length),
                        .expected = static_cast<std::uint32_t>(expected)};
    } else {
        result.error =
            diagnose(message.first(std::min(length, message.size())), at + k_frame_header_length);
    }
    return result;
}

}  // namespace detail

std::expected<Message, DecodeError> decode_one(std::span<const std::byte> message,
                                               std::uint64_t offset) {
    const DecodeError error = detail::diagnose(message, offset);
    if (error.fault != Fault::none) return std::unexpected{error};
    return detail::with_type(
        static_cast<char>(message[k_type_offset]),
        [&]<class M>() -> Message {
            if constexpr (std::is_void_v<M>) {
                return {};
            } else {
                return decode_as<M>(message.data());
            }
        },
        static_cast<Message*>(nullptr));
}

}  // namespace damrak::wire::itch
