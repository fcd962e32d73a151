#include <damrak/net/socket_path.hpp>

#include <bit>
#include <cerrno>
#include <cstring>
#include <string_view>
#include <utility>

#include <arpa/inet.h>
#include <fmt/format.h>
#include <linux/sock_diag.h>
#include <poll.h>

#include <damrak/base/assert.hpp>

namespace damrak::net {

namespace {

std::unexpected<std::string> failure(const SocketPathOptions& options, std::string_view why) {
    return std::unexpected{
        fmt::format("cannot receive datagrams at {}:{}: {}", options.address, options.port, why)};
}

// Beyond the system's limit where we may; else up to it.
void size_buffer(int socket, int forced, int plain, int bytes) {
    if (::setsockopt(socket, SOL_SOCKET, forced, &bytes, sizeof bytes) != 0)
        ::setsockopt(socket, SOL_SOCKET, plain, &bytes, sizeof bytes);
}

void point_at(mmsghdr& header, iovec& part, sockaddr_in& end, std::span<std::byte> memory) {
    part = {.iov_base = memory.data(), .iov_len = memory.size()};
    header = {};
    header.msg_hdr.msg_name = &end;
    header.msg_hdr.msg_namelen = sizeof end;
    header.msg_hdr.msg_iov = &part;
    header.msg_hdr.msg_iovlen = 1;
}

}  // namespace

std::expected<SocketPath, std::string> SocketPath::open(const SocketPathOptions& options) {
    DAMRAK_ASSERT(options.batch > 0 && options.send_room > 0);
    sockaddr_in where{};
    where.sin_family = AF_INET;
    where.sin_port = htons(options.port);
    if (::inet_pton(AF_INET, options.address.c_str(), &where.sin_addr) != 1)
        return failure(options, "this is no IPv4 address");
    Descriptor socket{::socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0)};
    if (!socket.open()) return failure(options, std::strerror(errno));
    size_buffer(socket.number(), SO_RCVBUFFORCE, SO_RCVBUF, options.buffer_bytes);
    size_buffer(socket.number(), SO_SNDBUFFORCE, SO_SNDBUF, options.buffer_bytes);
    auto* const general = reinterpret_cast<sockaddr*>(&where);
    socklen_t length = sizeof where;
    if (::bind(socket.number(), general, sizeof where) != 0 ||
        ::getsockname(socket.number(), general, &length) != 0)
        return failure(options, std::strerror(errno));
    return SocketPath{std::move(socket), ntohs(where.sin_port), options};
}

SocketPath::SocketPath(Descriptor socket, std::uint16_t port, const SocketPathOptions& options)
    : options_(options),
      socket_(std::move(socket)),
      port_(port),
      incoming_slots_(options.batch),
      incoming_parts_(options.batch),
      incoming_sources_(options.batch),
      incoming_(options.batch),
      outgoing_slots_(options.send_room),
      outgoing_parts_(options.send_room),
      outgoing_targets_(options.send_room),
      outgoing_(options.send_room) {
    for (std::size_t i = 0; i < options.batch; ++i)
        point_at(incoming_[i], incoming_parts_[i], incoming_sources_[i], incoming_slots_[i]);
    for (std::size_t i = 0; i < options.send_room; ++i)
        point_at(outgoing_[i], outgoing_parts_[i], outgoing_targets_[i], outgoing_slots_[i]);
}

std::size_t SocketPath::take(std::size_t wanted, int wait_ms) {
    const auto count = static_cast<unsigned>(wanted);
    int got = ::recvmmsg(socket_.number(), incoming_.data(), count, MSG_DONTWAIT, nullptr);
    if (got <= 0 && wait_ms != 0) {
        pollfd one{.fd = socket_.number(), .events = POLLIN, .revents = 0};
        ++counters_.wakeups;
        if (::poll(&one, 1, wait_ms) <= 0) return 0;
        got = ::recvmmsg(socket_.number(), incoming_.data(), count, MSG_DONTWAIT, nullptr);
    }
    return got > 0 ? static_cast<std::size_t>(got) : 0;
}

Endpoint SocketPath::source(std::size_t i) const {
    const sockaddr_in& from = incoming_sources_[i];
    Endpoint source;
    source.address = std::bit_cast<std::array<std::uint8_t, 4>>(from.sin_addr.s_addr);
    source.port = ntohs(from.sin_port);
    return source;
}

std::span<std::byte> SocketPath::claim(const Endpoint& to, std::size_t at_most) {
    DAMRAK_ASSERT(at_most <= k_largest_claim_bytes);
    if (send_end_ == options_.send_room) flush();
    if (send_end_ == options_.send_room) {
        ++counters_.no_room;
        return {};
    }
    sockaddr_in& target = outgoing_targets_[send_end_];
    target.sin_family = AF_INET;
    target.sin_port = htons(to.port);
    target.sin_addr.s_addr = std::bit_cast<in_addr_t>(to.address);
    return std::span{outgoing_slots_[send_end_]}.first(at_most);
}

void SocketPath::commit(std::size_t bytes) {
    DAMRAK_ASSERT(send_end_ < options_.send_room && bytes <= k_largest_claim_bytes);
    outgoing_parts_[send_end_++].iov_len = bytes;
}

void SocketPath::flush() {
    while (send_begin_ < send_end_) {
        const auto count = static_cast<unsigned>(std::min(send_end_ - send_begin_, options_.batch));
        const int gone = ::sendmmsg(socket_.number(), &outgoing_[send_begin_], count, MSG_DONTWAIT);
        if (gone > 0) {
            send_begin_ += static_cast<std::size_t>(gone);
            counters_.sent += static_cast<std::uint64_t>(gone);
            continue;
        }
        if (errno == EAGAIN || errno == ENOBUFS || errno == EINTR) return;
        // The first one cannot go where it should; the others must not wait for it.
        ++send_begin_;
        ++counters_.send_failed;
    }
    send_begin_ = send_end_ = 0;
}

std::string SocketPath::describe() const {
    return fmt::format("a socket at {}:{}, {} datagrams a call", options_.address, port_,
                       options_.batch);
}

PathCounters SocketPath::counters() const {
    PathCounters counters = counters_;
    std::array<std::uint32_t, SK_MEMINFO_VARS> memory{};
    socklen_t length = sizeof memory;
    if (::getsockopt(socket_.number(), SOL_SOCKET, SO_MEMINFO, memory.data(), &length) == 0)
        counters.kernel_drops = memory[SK_MEMINFO_DROPS];
    return counters;
}

}  // namespace damrak::net
