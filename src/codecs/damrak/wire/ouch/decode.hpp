// OUCH bytes to messages, for both versions and both directions. Total: any bytes are a message or
// a named error; nothing throws or allocates. A pure function for any thread: a look-up of the
// letter, then a load and a byte swap for each field. Letters and text are passed on unchecked.
//
//   const auto message = decode<v50::Inbound>(bytes);    // v42::Inbound, v42::Outbound, …
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <span>
#include <string>
#include <string_view>

#include <damrak/wire/ouch/messages_v42.hpp>
#include <damrak/wire/ouch/messages_v50.hpp>

namespace damrak::wire::ouch {

enum class Fault : std::uint8_t {
    none,
    empty,           ///< no byte at all
    unknown_type,    ///< no message of this version and direction has the letter
    truncated,       ///< shorter than the fields of the message
    trailing_bytes,  ///< longer than the message, which has no appendage
    // Of the options:
    wrong_appendage_length,  ///< the stated length does not match the bytes that follow
    option_overrun,          ///< an option is empty or exceeds the appendage
    unknown_option,          ///< this version does not have the tag
    wrong_option_size,       ///< the size of the value does not match its tag
    repeated_option,         ///< a tag comes twice
};

/// Why bytes are not a message.
struct DecodeError {
    Fault fault{};
    char type{};             ///< of the message, if known
    std::size_t offset{};    ///< in the message: of the wrong or missing byte
    std::size_t found{};     ///< the wrong byte or length
    std::size_t expected{};  ///< for faults of length
    friend bool operator==(const DecodeError&, const DecodeError&) = default;
};

/// One sentence: where, what was found, what was expected. Allocates.
[[nodiscard]] std::string describe(const DecodeError& error);
/// The name of the enumerator.
[[nodiscard]] std::string_view name(Fault fault);

/// `Messages` is Inbound or Outbound of v42 or v50.
template <class Messages>
[[nodiscard]] std::expected<Messages, DecodeError> decode(std::span<const std::byte> bytes);

/// The fault is in the options, so that decode_fields() reads the message.
[[nodiscard]] bool is_of_options(Fault fault);
/// The fields alone of a message that may have options, whatever these are.
template <class Messages>
[[nodiscard]] std::expected<Messages, DecodeError> decode_fields(std::span<const std::byte> bytes);

}  // namespace damrak::wire::ouch
