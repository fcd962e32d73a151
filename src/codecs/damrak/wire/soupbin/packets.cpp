#include <damrak/wire/soupbin/packets.hpp>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <iterator>

#include <damrak/base/assert.hpp>
#include <damrak/base/byte_order.hpp>

namespace damrak::wire::soupbin {

namespace {

std::string_view text_at(std::span<const std::byte> payload, std::size_t at, std::size_t bytes) {
    return {reinterpret_cast<const char*>(payload.data()) + at, bytes};
}

template <std::size_t n>
bool copy_text(std::span<const std::byte> payload, std::size_t at, std::array<char, n>& to) {
    const std::string_view text = text_at(payload, at, n);
    std::ranges::copy(text, to.begin());
    return std::ranges::all_of(text, [](char c) { return c >= ' ' && c <= '~'; });
}

std::expected<std::uint64_t, Fault> decode_sequence(std::span<const std::byte> payload,
                                                    std::size_t at) {
    std::string_view text = text_at(payload, at, k_sequence_bytes);
    text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
    text = text.substr(0, text.find_last_not_of(' ') + 1);
    std::uint64_t sequence = 0;
    const auto [end, error] = std::from_chars(text.begin(), text.end(), sequence);
    if (error != std::errc{} || end != text.end()) return std::unexpected{Fault::sequence};
    return sequence;
}

void put_text(std::span<std::byte> to, std::size_t at, std::size_t width, std::string_view text,
              bool at_right = false) {
    DAMRAK_ASSERT(text.size() <= width);
    std::memset(to.data() + at, ' ', width);
    std::memcpy(to.data() + at + (at_right ? width - text.size() : 0), text.data(), text.size());
}

void put_sequence(std::span<std::byte> to, std::size_t at, std::uint64_t sequence) {
    std::array<char, k_sequence_bytes> digits;
    const auto end = std::to_chars(digits.begin(), digits.end(), sequence).ptr;
    put_text(to, at, k_sequence_bytes, {digits.begin(), end}, true);
}

std::span<std::byte> begin_packet(PacketType type, std::size_t payload, std::span<std::byte> to) {
    DAMRAK_ASSERT(payload <= k_longest_payload && to.size() >= k_header_bytes + payload);
    store_be(to.data(), static_cast<std::uint16_t>(payload + 1));
    to[k_length_bytes] = static_cast<std::byte>(type);
    return to.subspan(k_header_bytes, payload);
}

}  // namespace

std::string_view text(Fault fault) {
    switch (fault) {
        case Fault::none:
            return "nothing is wrong";
        case Fault::empty_packet:
            return "a packet must have a type: its length is at least 1";
        case Fault::payload_length:
            return "the payload length does not match the packet type";
        case Fault::sequence:
            return "a sequence number must be digits, padded with spaces to 20 characters";
        case Fault::characters:
            return "text must be printable ASCII";
        case Fault::session:
            return "the requested session must be printable ASCII";
        case Fault::reject_reason:
            return "the reason of a rejected login must be A or S";
    }
    return "unknown fault";
}

std::expected<Packet, Fault> decode(std::span<const std::byte> bytes) {
    if (bytes.size() < k_length_bytes) return Packet{};
    const std::size_t length = load_be<std::uint16_t>(bytes.data());
    if (length == 0) return std::unexpected{Fault::empty_packet};
    if (bytes.size() < k_length_bytes + length) return Packet{};
    return Packet{.type = static_cast<PacketType>(bytes[k_length_bytes]),
                  .payload = bytes.subspan(k_header_bytes, length - 1),
                  .bytes = k_length_bytes + length};
}

RejectReason reject_reason(Fault fault) {
    return fault == Fault::session || fault == Fault::sequence ? RejectReason::session_not_available
                                                               : RejectReason::not_authorized;
}

std::string_view LoginRequest::trimmed(std::string_view text) {
    text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
    return text.substr(0, text.find_last_not_of(' ') + 1);
}

std::expected<LoginRequest, Fault> decode_login_request(std::span<const std::byte> payload) {
    using Layout = LoginRequestLayout;
    if (payload.size() != Layout::k_bytes) return std::unexpected{Fault::payload_length};
    LoginRequest request;
    if (!copy_text(payload, Layout::k_user, request.user) ||
        !copy_text(payload, Layout::k_password, request.password))
        return std::unexpected{Fault::characters};
    if (!copy_text(payload, Layout::k_session, request.session))
        return std::unexpected{Fault::session};
    const auto sequence = decode_sequence(payload, Layout::k_sequence);
    if (!sequence) return std::unexpected{sequence.error()};
    request.sequence = *sequence;
    return request;
}

std::expected<LoginAccepted, Fault> decode_login_accepted(std::span<const std::byte> payload) {
    using Layout = LoginAcceptedLayout;
    if (payload.size() != Layout::k_bytes) return std::unexpected{Fault::payload_length};
    LoginAccepted accepted;
    if (!copy_text(payload, Layout::k_session, accepted.session))
        return std::unexpected{Fault::characters};
    const auto sequence = decode_sequence(payload, Layout::k_sequence);
    if (!sequence) return std::unexpected{sequence.error()};
    accepted.sequence = *sequence;
    return accepted;
}

std::expected<RejectReason, Fault> decode_login_rejected(std::span<const std::byte> payload) {
    if (payload.size() != 1) return std::unexpected{Fault::payload_length};
    const auto reason = static_cast<RejectReason>(payload[0]);
    if (reason != RejectReason::not_authorized && reason != RejectReason::session_not_available)
        return std::unexpected{Fault::reject_reason};
    return reason;
}

std::size_t encode_login_request(std::string_view user, std::string_view password,
                                 std::string_view session, std::uint64_t sequence,
                                 std::span<std::byte> to) {
    using Layout = LoginRequestLayout;
    const auto payload = begin_packet(PacketType::login_request, Layout::k_bytes, to);
    put_text(payload, Layout::k_user, k_user_bytes, user);
    put_text(payload, Layout::k_password, k_password_bytes, password);
    put_text(payload, Layout::k_session, k_session_bytes, session, true);
    put_sequence(payload, Layout::k_sequence, sequence);
    return k_header_bytes + Layout::k_bytes;
}

std::size_t encode_login_accepted(std::string_view session, std::uint64_t sequence,
                                  std::span<std::byte> to) {
    using Layout = LoginAcceptedLayout;
    const auto payload = begin_packet(PacketType::login_accepted, Layout::k_bytes, to);
    put_text(payload, Layout::k_session, k_session_bytes, session, true);
    put_sequence(payload, Layout::k_sequence, sequence);
    return k_header_bytes + Layout::k_bytes;
}

std::size_t encode_login_rejected(RejectReason reason, std::span<std::byte> to) {
    begin_packet(PacketType::login_rejected, 1, to)[0] = static_cast<std::byte>(reason);
    return k_header_bytes + 1;
}

std::size_t encode(PacketType type, std::span<std::byte> to) {
    begin_packet(type, 0, to);
    return k_header_bytes;
}

std::size_t encode(PacketType type, std::span<const std::byte> payload, std::span<std::byte> to) {
    std::ranges::copy(payload, begin_packet(type, payload.size(), to).begin());
    return k_header_bytes + payload.size();
}

}  // namespace damrak::wire::soupbin
