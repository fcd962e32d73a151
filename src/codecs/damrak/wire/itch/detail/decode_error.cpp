#include <damrak/wire/itch/detail/decode_error.hpp>

#include <utility>

#include <fmt/format.h>

#include <damrak/base/byte_order.hpp>
#include <damrak/files/content_guess.hpp>
#include <damrak/wire/itch/descriptor.hpp>

namespace damrak::wire::itch {

namespace {

std::string show(std::uint32_t byte) {
    if (byte >= ' ' && byte <= '~')
        return fmt::format("'{}' (0x{:02x})", static_cast<char>(byte), byte);
    return fmt::format("0x{:02x}", byte);
}

std::string show(char letter) {
    return show(static_cast<std::uint32_t>(static_cast<unsigned char>(letter)));
}

bool is_message(std::byte letter, std::size_t length) {
    return message_length(static_cast<char>(letter)) == length;
}

}  // namespace

std::string describe(const DecodeError& error) {
    const auto at = fmt::format("offset {}: ", error.offset);
    switch (error.fault) {
        case Fault::none:
            return "no error";
        case Fault::unknown_type:
            return at + fmt::format(
                            "message type {} is unknown; expected one of the {} types of ITCH 5.0",
                            show(error.found), k_type_table.types);
        case Fault::wrong_length:
            return at + fmt::format("a message of type {} has length {}; expected {}",
                                    show(error.type), error.found, error.expected);
        case Fault::bad_side:
            return at + fmt::format("the side of a message of type {} is {}; expected 'B' or 'S'",
                                    show(error.type), show(error.found));
        case Fault::bad_flag:
            return at + fmt::format("the flag of a message of type {} is {}; expected 'Y' or 'N'",
                                    show(error.type), show(error.found));
        case Fault::bad_stock:
            return at + fmt::format(
                            "the stock symbol of a message of type {} contains {}; expected "
                            "printable ASCII padded with spaces",
                            show(error.type), show(error.found));
        case Fault::truncated:
            return at + fmt::format(
                            "the input ends inside a frame: {} bytes are left of at least {}; "
                            "the file is truncated",
                            error.found, error.expected);
        case Fault::after_end:
            return at + fmt::format(
                            "{} follows an end mark (a frame of length 0); expected nothing "
                            "but zeros up to the end of the file",
                            show(error.found));
        case Fault::unfinished:
            return at +
                   "only zeros follow, without an end of messages (system event C) before them; "
                   "the file is incomplete";
        case Fault::not_itch:
            return at +
                   "this is not an ITCH 5.0 file: it does not begin with a 16-bit big-endian "
                   "length and a message of that length; take the original file";
        case Fault::no_messages:
            return at + "the file ends before the first ITCH 5.0 message; take the whole file";
        case Fault::source:
            return at + "the rest of the file cannot be read";
    }
    std::unreachable();
}

std::string guess_framing(std::span<const std::byte> first_bytes) {
    if (const auto content = files::guess_content(first_bytes); !content.empty()) {
        return fmt::format("it looks like {}", content);
    }
    if (first_bytes.size() < 4) return {};
    const std::byte* const at = first_bytes.data();
    if (is_message(at[2], load_le<std::uint16_t>(at))) {
        return "its length fields are little-endian; write them big-endian";
    }
    // SoupBinTCP includes the packet type, S for sequenced data, in the length.
    const std::size_t packet_length = load_be<std::uint16_t>(at);
    if (at[2] == std::byte{'S'} && is_message(at[3], packet_length - 1)) {
        return "it looks like a recorded SoupBinTCP stream; take out the packet headers";
    }
    const std::size_t bare_length = message_length(static_cast<char>(at[0]));
    const bool ends_there = first_bytes.size() == bare_length;
    if (ends_there || (first_bytes.size() > bare_length &&
                       message_length(static_cast<char>(at[bare_length])) != k_no_message)) {
        return "it looks like ITCH messages without their 16-bit lengths; put the lengths in";
    }
    return {};
}

}  // namespace damrak::wire::itch
