// Bytes for tests of codecs: from hexadecimal text with spaces, from text, from encoded messages.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <damrak/wire/itch/encode.hpp>

namespace damrak::testing {

using Bytes = std::vector<std::byte>;

inline Bytes from_hex(std::string_view text) {
    Bytes bytes;
    std::string digits;
    for (const char c : text) {
        if (c != ' ') digits += c;
        if (digits.size() < 2) continue;
        bytes.push_back(static_cast<std::byte>(std::stoi(digits, nullptr, 16)));
        digits.clear();
    }
    return bytes;
}

inline std::span<const std::byte> bytes_of(std::string_view text) {
    return std::as_bytes(std::span{text});
}

inline void append(Bytes& bytes, std::span<const std::byte> more) {
    bytes.insert(bytes.end(), more.begin(), more.end());
}

template <class M>
Bytes itch_message(const M& message) {
    Bytes bytes(wire::itch::Layout<M>::k_length);
    wire::itch::encode(message, std::span<std::byte, wire::itch::Layout<M>::k_length>{bytes});
    return bytes;
}

template <class M>
Bytes itch_frame(const M& message) {
    Bytes bytes(wire::itch::k_frame_length<M>);
    wire::itch::encode_frame(message, std::span<std::byte, wire::itch::k_frame_length<M>>{bytes});
    return bytes;
}

inline Bytes itch_frame(const wire::itch::Message& message) {
    return std::visit([](const auto& m) { return itch_frame(m); }, message);
}

// A sequence of frames, as in an archive file.
inline Bytes itch_frames(std::span<const wire::itch::Message> messages) {
    Bytes bytes;
    for (const auto& message : messages) append(bytes, itch_frame(message));
    return bytes;
}

}  // namespace damrak::testing
