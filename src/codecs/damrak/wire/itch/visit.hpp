// Passes one ITCH message without its frame, as sessions deliver it, to the same visitors as
// walk.hpp. Total: invalid bytes are rejected. No allocation, no exception, no virtual call.
#pragma once

#include <cstddef>
#include <span>

#include <damrak/wire/itch/walk.hpp>

namespace damrak::wire::itch {

/// Calls the visitor's on(message) if it takes messages of this type. Returns false if the bytes
/// are not a message of ITCH 5.0.
template <class V>
[[nodiscard]] bool visit(std::span<const std::byte> message, V& visitor) {
    if (message.empty()) return false;
    const char type = static_cast<char>(message[k_type_offset]);
    if (message.size() != message_length(type)) return false;
    return detail::dispatch(type, message.data(), visitor,
                            static_cast<detail::ByFrequency*>(nullptr)) != detail::Step::fault;
}

}  // namespace damrak::wire::itch
