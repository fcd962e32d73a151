// Decodes any bytes as frames of the MiniExchange protocol. A frame is a message or a named fault;
// a message must survive encoding and decoding.
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <variant>

#include <damrak/base/assert.hpp>
#include <damrak/wire/binary/decode.hpp>
#include <damrak/wire/binary/encode.hpp>

#include "support/fuzz_target.hpp"

namespace damrak::fuzz_binary_codec {

namespace {

using namespace damrak::wire::binary;  // NOLINT(google-build-using-namespace): its own

template <class M>
void write_and_read_again(const Header& header, const M& message) {
    std::array<std::byte, k_max_frame_length> memory{};
    const Sequences sequences{header.client_sequence, header.server_sequence};
    const std::size_t length = encode(header.version, sequences, message, memory);
    DAMRAK_ASSERT(length == frame_length<M>(header.version));
    DAMRAK_ASSERT(length <= k_header_length + header.payload_length);
    const Scan again = scan(std::span{memory}.first(length));
    DAMRAK_ASSERT(again.complete && again.header.type == header.type);
    DAMRAK_ASSERT(again.header.client_sequence == header.client_sequence);
    DAMRAK_ASSERT(again.header.server_sequence == header.server_sequence);
    const auto decoded =
        decode(again.header, std::span{memory}.subspan(k_header_length, length - k_header_length));
    DAMRAK_ASSERT(decoded && std::get<M>(*decoded) == message);
}

}  // namespace

DAMRAK_FUZZ_TARGET(binary_codec)(const std::uint8_t* data, std::size_t size) {
    auto bytes = std::as_bytes(std::span{data, size});
    for (;;) {
        const Scan found = scan(bytes);
        if (found.fault != Fault::none) {
            DAMRAK_ASSERT(!describe({.fault = found.fault, .header = found.header}).empty());
            return 0;
        }
        if (!found.complete) return 0;
        const auto payload = bytes.subspan(k_header_length, found.header.payload_length);
        if (const auto message = decode(found.header, payload))
            std::visit([&](const auto& m) { write_and_read_again(found.header, m); }, *message);
        else
            DAMRAK_ASSERT(describe(message.error()) != "no fault");
        bytes = bytes.subspan(found.frame_length());
    }
}

}  // namespace damrak::fuzz_binary_codec
