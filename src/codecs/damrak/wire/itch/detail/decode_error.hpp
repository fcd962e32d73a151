// Faults of ITCH bytes, and their description. Made by decode.hpp, walk.hpp and file_reader.hpp;
// printed by programs. Making one costs nothing; describe() allocates.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace damrak::wire::itch {

enum class Fault : std::uint8_t {
    none,
    unknown_type,  // the type letter is not one of ITCH 5.0
    wrong_length,  // the frame's length is not that of its type
    bad_side,      // a side other than B or S
    bad_flag,      // a yes/no field other than Y or N
    bad_stock,     // a stock symbol with a byte outside printable ASCII
    truncated,     // the input ends inside a frame
    after_end,     // something other than zeros follows a frame of length 0
    unfinished,    // zeros fill the file before the message that ends the day
    not_itch,      // the very first frame is not ITCH
    no_messages,   // the input ends before the first message
    source,        // reading or decompressing failed
};

struct DecodeError {
    Fault fault{Fault::none};
    std::uint64_t
        offset{};           // of the offending byte; of the frame for unknown_type and wrong_length
    char type{};            // of the message, if known
    std::uint32_t found{};  // the offending byte or length
    std::uint32_t expected{};  // for faults of length

    friend bool operator==(const DecodeError&, const DecodeError&) = default;
};

// One sentence: where, what was found, what was expected.
[[nodiscard]] std::string describe(const DecodeError& error);

// What a file that does not begin with an ITCH frame seems to be, and what to do about it. Empty if
// unknown.
[[nodiscard]] std::string guess_framing(std::span<const std::byte> first_bytes);

}  // namespace damrak::wire::itch
