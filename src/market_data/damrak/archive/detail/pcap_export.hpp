// The messages of a day as the MoldUDP64 packets of the feed in a capture file (pcap with
// nanoseconds, Ethernet): as a receiver of line A sees them. Messages of the same time share
// packets of up to 1,400 bytes. One thread; no allocation a message.
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <damrak/files/byte_sink.hpp>
#include <damrak/wire/moldudp/encode.hpp>

namespace damrak::archive {

class PcapExport {
  public:
    /// `session`: ten characters; `midnight_ns`: midnight of the day, since the epoch.
    PcapExport(files::ByteSink sink, std::string_view session, std::uint64_t midnight_ns);

    /// Adds a message with its number and time; `frame` has its length in two bytes, then the
    /// message.
    void add(std::uint64_t sequence, std::int64_t time_ns, std::span<const std::byte> frame);
    [[nodiscard]] std::uint64_t packets() const { return packets_; }
    /// Ends the session.
    [[nodiscard]] std::expected<void, std::string> close();

  private:
    void send();

    files::ByteSink sink_;
    wire::moldudp::PacketBuilder builder_;
    std::uint64_t midnight_ns_;
    std::int64_t time_ns_ = 0;  ///< of the messages in the packet
    std::uint64_t packets_ = 0;
    std::vector<std::byte> buffer_;
};

}  // namespace damrak::archive
