// Decodes any bytes as a stream of SoupBinTCP packets, and as the input of a client. A decoded
// packet must encode to the same bytes, except for the padding of its fields.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include <damrak/base/assert.hpp>
#include <damrak/session/soupbin/soup_server.hpp>
#include <damrak/wire/soupbin/packets.hpp>

#include "support/fuzz_target.hpp"

namespace damrak::fuzz_soupbin {

namespace {

using namespace damrak::wire::soupbin;  // NOLINT(google-build-using-namespace): its own
using damrak::session::LoginAnswer;
using damrak::session::SoupServer;

template <class Decoded>
bool is_good(const Decoded& decoded) {
    DAMRAK_ASSERT(decoded.has_value() || !text(decoded.error()).empty());
    return decoded.has_value();
}

void read_login_request(std::span<const std::byte> payload) {
    const auto request = decode_login_request(payload);
    if (!is_good(request)) return;
    std::array<std::byte, 64> written{};
    const std::size_t length =
        encode_login_request(request->user_text(), request->password_text(),
                             request->session_text(), request->sequence, written);
    const auto again =
        decode_login_request(std::span{written}.first(length).subspan(k_header_bytes));
    DAMRAK_ASSERT(again && again->user_text() == request->user_text() &&
                  again->password_text() == request->password_text() &&
                  again->session_text() == request->session_text() &&
                  again->sequence == request->sequence);
}

void read_login_accepted(std::span<const std::byte> payload) {
    const auto accepted = decode_login_accepted(payload);
    if (!is_good(accepted)) return;
    std::array<std::byte, 64> written{};
    const std::size_t length = encode_login_accepted(
        {accepted->session.data(), accepted->session.size()}, accepted->sequence, written);
    const auto again =
        decode_login_accepted(std::span{written}.first(length).subspan(k_header_bytes));
    DAMRAK_ASSERT(again && again->session == accepted->session &&
                  again->sequence == accepted->sequence);
}

void read_packets(std::span<const std::byte> bytes) {
    for (;;) {
        const auto packet = decode(bytes);
        if (!is_good(packet) || packet->bytes == 0) return;
        std::vector<std::byte> written(packet->bytes);
        DAMRAK_ASSERT(encode(packet->type, packet->payload, written) == packet->bytes);
        DAMRAK_ASSERT(std::ranges::equal(written, bytes.first(packet->bytes)));
        read_login_request(packet->payload);
        read_login_accepted(packet->payload);
        (void)is_good(decode_login_rejected(packet->payload));
        bytes = bytes.subspan(packet->bytes);
    }
}

// Admits "alice", and counts clients' messages.
struct Owner {
    std::size_t messages = 0;

    [[nodiscard]] static LoginAnswer on_login(const LoginRequest& request) {
        if (request.user_text() != "alice") return std::unexpected{RejectReason::not_authorized};
        return damrak::session::SoupLogin{.next = std::max<std::uint64_t>(request.sequence, 1)};
    }
    bool on_message(std::span<const std::byte>) {
        ++messages;
        return true;
    }
};

// In pieces of the length in their first byte. The output must be well-formed packets.
void serve(std::span<const std::byte> bytes) {
    std::array<std::byte, 256> memory{};
    damrak::session::OutputBuffer out{memory};
    const damrak::session::SoupServerConfig config;
    SoupServer server{config, out, {}};
    Owner owner;
    std::size_t given = 0;
    for (std::size_t done = 0; given < bytes.size() && !server.end_reason();) {
        given = std::min(bytes.size(), given + 1 + std::to_integer<std::size_t>(bytes[given]));
        const auto piece = bytes.subspan(done, given - done);
        const auto received = server.on_bytes(piece, {}, owner);
        DAMRAK_ASSERT(received.consumed_bytes <= piece.size());
        done += received.consumed_bytes;
        DAMRAK_ASSERT(owner.messages == 0 || server.is_logged_in() || server.end_reason());
    }
    server.on_time({damrak::k_second_ns});
    for (auto rest = out.readable(); !rest.empty();) {
        const auto packet = decode(rest);
        DAMRAK_ASSERT(packet && packet->bytes > 0);
        rest = rest.subspan(packet->bytes);
    }
}

}  // namespace

DAMRAK_FUZZ_TARGET(soupbin)(const std::uint8_t* data, std::size_t size) {
    const auto bytes = std::as_bytes(std::span{data, size});
    read_packets(bytes);
    serve(bytes);
    return 0;
}

}  // namespace damrak::fuzz_soupbin
