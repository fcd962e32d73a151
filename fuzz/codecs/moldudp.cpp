// Decodes any bytes as a datagram of MoldUDP64, downstream and request. A decoded packet must
// encode to the same bytes.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include <damrak/base/assert.hpp>
#include <damrak/wire/moldudp/decode.hpp>
#include <damrak/wire/moldudp/encode.hpp>

#include "support/fuzz_target.hpp"

namespace damrak::fuzz_moldudp {

namespace {

using namespace damrak::wire::moldudp;  // NOLINT(google-build-using-namespace): its own

void as_a_packet(std::span<const std::byte> bytes) {
    const Scan found = scan(bytes);
    DAMRAK_ASSERT(name(found.fault) != "unknown" && !text(found.fault).empty());
    if (found.fault != Fault::none) {
        DAMRAK_ASSERT(found.offset <= bytes.size() && found.blocks.empty());
        return;
    }
    std::uint64_t next = found.header.sequence;
    std::size_t length = HeaderLayout::k_length;
    for_each_message(found, [&](std::uint64_t number, std::span<const std::byte> message) {
        DAMRAK_ASSERT(number == next++);
        length += k_block_header_length + message.size();
    });
    DAMRAK_ASSERT(length == bytes.size());
    if (length > k_packet_bytes) return;
    PacketBuilder builder{found.header.session};
    builder.begin(found.header.sequence);
    DAMRAK_ASSERT(builder.add(found.blocks) == found.blocks.size() && builder.next() == next);
    if (found.header.is_end()) builder.end_session(found.header.sequence);
    DAMRAK_ASSERT(std::ranges::equal(builder.packet(), bytes));
}

void as_a_request(std::span<const std::byte> bytes) {
    const auto request = decode_request(bytes);
    if (!request) {
        DAMRAK_ASSERT(request.error().fault != Fault::none &&
                      request.error().offset <= bytes.size());
        return;
    }
    std::array<std::byte, HeaderLayout::k_length> written{};
    encode(*request, written);
    DAMRAK_ASSERT(std::ranges::equal(written, bytes));
}

}  // namespace

DAMRAK_FUZZ_TARGET(moldudp)(const std::uint8_t* data, std::size_t size) {
    const auto bytes = std::as_bytes(std::span{data, size});
    as_a_packet(bytes);
    as_a_request(bytes);
    return 0;
}

}  // namespace damrak::fuzz_moldudp
