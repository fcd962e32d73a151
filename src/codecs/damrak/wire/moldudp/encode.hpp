// MoldUDP64 packets to bytes: headers and requests, and a builder that fills a packet with
// messages. For any thread; no allocation.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include <damrak/base/assert.hpp>
#include <damrak/base/byte_order.hpp>
#include <damrak/wire/moldudp/detail/descriptor.hpp>
#include <damrak/wire/moldudp/messages.hpp>

namespace damrak::wire::moldudp {

inline std::size_t encode(const Header& header, std::span<std::byte> to) {
    using L = HeaderLayout;
    DAMRAK_ASSERT(to.size() >= L::k_length);
    std::memcpy(to.data() + L::k_session, header.session.data(), header.session.size());
    store_be(to.data() + L::k_sequence, header.sequence);
    store_be(to.data() + L::k_count, header.count);
    return L::k_length;
}

inline std::size_t encode(const Request& request, std::span<std::byte> to) {
    return encode(
        Header{.session = request.session, .sequence = request.sequence, .count = request.count},
        to);
}

/// A packet under construction. Message blocks have the format of BinaryFILE frames, so such frames
/// can be copied, or read into room() directly:
///
///   builder.begin(number of the first message);
///   builder.add(source.read(builder.room()));
///   send(builder.packet());
class PacketBuilder {
  public:
    explicit PacketBuilder(const SessionName& session) { header_.session = session; }

    /// Clears the packet. Without messages it is a heartbeat.
    void begin(std::uint64_t sequence) {
        header_.sequence = sequence;
        header_.count = 0;
        end_ = HeaderLayout::k_length;
    }
    /// The free bytes.
    [[nodiscard]] std::span<std::byte> room() { return std::span{memory_}.subspan(end_); }
    /// Adds as many of these frames, from the first, as fit; they may already be in room(). Returns
    /// the number of bytes added: whole frames.
    std::size_t add(std::span<const std::byte> frames) { return add(frames, k_end_of_session - 1); }
    /// The same, but the packet gets at most `most_messages` messages.
    std::size_t add(std::span<const std::byte> frames, std::uint16_t most_messages) {
        const std::size_t taken = fitting(frames, most_messages);
        if (taken > 0) std::memmove(memory_.data() + end_, frames.data(), taken);
        end_ += taken;
        return taken;
    }
    [[nodiscard]] std::uint16_t messages() const { return header_.messages(); }
    [[nodiscard]] bool empty() const { return header_.count == 0; }
    /// The number of the next message to be added.
    [[nodiscard]] std::uint64_t next() const { return header_.sequence + header_.messages(); }
    /// Makes it an end-of-session packet; `sequence` is the number after the last message.
    void end_session(std::uint64_t sequence) {
        begin(sequence);
        header_.count = k_end_of_session;
    }

    /// Valid until the next call.
    [[nodiscard]] std::span<const std::byte> packet() {
        encode(header_, memory_);
        return std::span{memory_}.first(end_);
    }

  private:
    // Also adds the messages to the count.
    std::size_t fitting(std::span<const std::byte> frames, std::uint16_t most_messages) {
        std::size_t taken = 0;
        while (header_.count < most_messages && frames.size() - taken >= k_block_header_length) {
            const std::size_t length =
                k_block_header_length + load_be<std::uint16_t>(frames.data() + taken);
            if (length > frames.size() - taken || taken + length > memory_.size() - end_) break;
            taken += length;
            ++header_.count;
        }
        return taken;
    }

    Header header_;
    std::size_t end_ = HeaderLayout::k_length;
    std::array<std::byte, k_packet_bytes> memory_{};
};

}  // namespace damrak::wire::moldudp
