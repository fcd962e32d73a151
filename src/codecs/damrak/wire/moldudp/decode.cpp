#include <damrak/wire/moldudp/decode.hpp>

#include <cstring>
#include <limits>

namespace damrak::wire::moldudp {

namespace {

Header load_header(const std::byte* from) {
    using L = HeaderLayout;
    Header header{.sequence = load_be<std::uint64_t>(from + L::k_sequence),
                  .count = load_be<std::uint16_t>(from + L::k_count)};
    std::memcpy(header.session.data(), from + L::k_session, header.session.size());
    return header;
}

bool numbers_fit(std::uint64_t sequence, std::uint16_t messages) {
    return sequence > 0 && sequence <= std::numeric_limits<std::uint64_t>::max() - messages;
}

}  // namespace

Scan scan(std::span<const std::byte> datagram) {
    using L = HeaderLayout;
    if (datagram.size() < L::k_length)
        return {.fault = Fault::too_short, .offset = datagram.size()};
    Scan found{.header = load_header(datagram.data()), .blocks = datagram.subspan(L::k_length)};
    const auto fault = [&found](Fault what, std::size_t offset) {
        found.fault = what;
        found.offset = offset;
        found.blocks = {};
        return found;
    };
    if (!numbers_fit(found.header.sequence, found.header.messages()))
        return fault(Fault::sequence, L::k_sequence);
    std::size_t at = 0;
    for (std::uint16_t i = 0; i < found.header.messages(); ++i) {
        const std::size_t left = found.blocks.size() - at;
        if (left < k_block_header_length) return fault(Fault::truncated, L::k_length + at);
        const std::size_t length =
            k_block_header_length + load_be<std::uint16_t>(found.blocks.data() + at);
        if (left < length) return fault(Fault::truncated, L::k_length + at);
        at += length;
    }
    if (at != found.blocks.size()) return fault(Fault::too_long, L::k_length + at);
    return found;
}

std::expected<Request, Error> decode_request(std::span<const std::byte> datagram) {
    using L = HeaderLayout;
    if (datagram.size() < L::k_length)
        return std::unexpected{Error{Fault::too_short, datagram.size()}};
    if (datagram.size() > L::k_length) return std::unexpected{Error{Fault::too_long, L::k_length}};
    const Header header = load_header(datagram.data());
    if (header.count == 0) return std::unexpected{Error{Fault::count, L::k_count}};
    if (!numbers_fit(header.sequence, header.count))
        return std::unexpected{Error{Fault::sequence, L::k_sequence}};
    return Request{.session = header.session, .sequence = header.sequence, .count = header.count};
}

std::string_view text(Fault fault) {
    switch (fault) {
        case Fault::none:
            return "valid";
        case Fault::too_short:
            return "a packet begins with a header of 20 bytes";
        case Fault::truncated:
            return "each message is whole and after its length in two bytes";
        case Fault::too_long:
            return "nothing follows the last message, nor the 20 bytes of a request";
        case Fault::sequence:
            return "messages are numbered from 1 and below 2^64";
        case Fault::count:
            return "a request is for at least one message";
    }
    return "unknown";
}

std::string_view name(Fault fault) {
    switch (fault) {
        case Fault::none:
            return "none";
        case Fault::too_short:
            return "too_short";
        case Fault::truncated:
            return "truncated";
        case Fault::too_long:
            return "too_long";
        case Fault::sequence:
            return "sequence";
        case Fault::count:
            return "count";
    }
    return "unknown";
}

}  // namespace damrak::wire::moldudp
