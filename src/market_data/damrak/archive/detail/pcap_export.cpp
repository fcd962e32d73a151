#include <damrak/archive/detail/pcap_export.hpp>

#include <algorithm>
#include <array>

#include <damrak/base/byte_order.hpp>

namespace damrak::archive {

namespace {

constexpr std::uint32_t k_magic = 0xA1B23C4D;  ///< nanoseconds
constexpr std::uint32_t k_longest = 65'535;
constexpr std::uint32_t k_ethernet = 1;
constexpr std::uint64_t k_second_ns = 1'000'000'000;
constexpr std::size_t k_buffer_bytes = std::size_t{1} << 18U;
constexpr std::size_t k_ip_bytes = 20;
constexpr std::size_t k_udp_bytes = 8;

/// The Ethernet header of line A of the feed, as on the loopback interface.
constexpr std::array<std::uint8_t, 14> k_frame{0x01, 0x00, 0x5E, 0x40, 0x00, 0x01, 0x02,
                                               0x00, 0x00, 0x00, 0x00, 0x01, 0x08, 0x00};
constexpr std::array<std::uint8_t, 4> k_from{127, 0, 0, 1};
constexpr std::array<std::uint8_t, 4> k_to{239, 192, 0, 1};
constexpr std::uint16_t k_port = 26'403;

class Bytes {
  public:
    explicit Bytes(std::vector<std::byte>& out) : out_(&out) {}
    template <class T>
    void native(T value) {
        // Byte by byte: GCC 12 warns falsely of an insert here.
        for (const std::byte byte : std::as_bytes(std::span{&value, 1})) out_->push_back(byte);
    }
    template <class T>
    void big(T value) {
        std::array<std::byte, sizeof(T)> bytes{};
        store_be(bytes.data(), value);
        out_->insert(out_->end(), bytes.begin(), bytes.end());
    }
    void put(std::span<const std::uint8_t> bytes) {
        for (const std::uint8_t byte : bytes) out_->push_back(std::byte{byte});
    }

  private:
    std::vector<std::byte>* out_;
};

wire::moldudp::SessionName name_of(std::string_view session) {
    wire::moldudp::SessionName name;
    name.fill(' ');
    std::copy_n(session.begin(), std::min(session.size(), name.size()), name.begin());
    return name;
}

/// Checksum of an IPv4 header whose checksum field is zero.
std::uint16_t checksum_of(std::span<const std::byte> header) {
    std::uint32_t sum = 0;
    for (std::size_t i = 0; i < header.size(); i += 2)
        sum += load_be<std::uint16_t>(header.data() + i);
    while (sum > 0xFFFF) sum = (sum & 0xFFFFU) + (sum >> 16U);
    return static_cast<std::uint16_t>(~sum);
}

}  // namespace

PcapExport::PcapExport(files::ByteSink sink, std::string_view session, std::uint64_t midnight_ns)
    : sink_(std::move(sink)), builder_(name_of(session)), midnight_ns_(midnight_ns) {
    Bytes out{buffer_};
    out.native(k_magic);
    out.native(std::uint16_t{2});
    out.native(std::uint16_t{4});
    out.native(std::uint64_t{0});  // time zone UTC, accuracy not given
    out.native(k_longest);
    out.native(k_ethernet);
    builder_.begin(1);
}

void PcapExport::add(std::uint64_t sequence, std::int64_t time_ns,
                     std::span<const std::byte> frame) {
    if (!builder_.empty() && (time_ns != time_ns_ || builder_.add(frame) == 0))
        send();
    else if (!builder_.empty())
        return;
    builder_.begin(sequence);
    static_cast<void>(builder_.add(frame));
    time_ns_ = time_ns;
}

void PcapExport::send() {
    const auto packet = builder_.packet();
    const std::uint64_t at_ns = midnight_ns_ + static_cast<std::uint64_t>(time_ns_);
    const std::size_t udp_bytes = k_udp_bytes + packet.size();
    const auto length = static_cast<std::uint32_t>(k_frame.size() + k_ip_bytes + udp_bytes);
    Bytes out{buffer_};
    out.native(static_cast<std::uint32_t>(at_ns / k_second_ns));
    out.native(static_cast<std::uint32_t>(at_ns % k_second_ns));
    out.native(length);
    out.native(length);
    out.put(k_frame);
    const std::size_t ip = buffer_.size();
    out.big(std::uint16_t{0x4500});
    out.big(static_cast<std::uint16_t>(k_ip_bytes + udp_bytes));
    out.big(std::uint32_t{0});       // not fragmented
    out.big(std::uint16_t{0x0011});  // TTL 0, UDP
    out.big(std::uint16_t{0});
    out.put(k_from);
    out.put(k_to);
    store_be(buffer_.data() + ip + 10, checksum_of(std::span{buffer_}.subspan(ip, k_ip_bytes)));
    out.big(k_port);
    out.big(k_port);
    out.big(static_cast<std::uint16_t>(udp_bytes));
    out.big(std::uint16_t{0});  // no checksum
    buffer_.insert(buffer_.end(), packet.begin(), packet.end());
    ++packets_;
    if (buffer_.size() < k_buffer_bytes) return;
    sink_.write(buffer_);
    buffer_.clear();
}

std::expected<void, std::string> PcapExport::close() {
    const std::uint64_t next = builder_.next();
    if (!builder_.empty()) send();
    builder_.end_session(next);
    send();
    sink_.write(buffer_);
    buffer_.clear();
    return sink_.close();
}

}  // namespace damrak::archive
