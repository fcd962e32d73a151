#include <damrak/net/socket_path.hpp>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstring>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <linux/sock_diag.h>
#include <poll.h>

#include <damrak/base/assert.hpp>

namespace damrak::net {

namespace {

std::unexpected<std::string> failure(const SocketPathOptions& options, std::string_view why) {
    return std::unexpected{fmt::format("cannot receive datagrams at {}: {}",
                                       host_and_port(options.address, options.port), why)};
}

// Exceeds the system's limit if permitted, or else goes up to it.
void size_buffer(int socket, int forced, int plain, int bytes) {
    if (::setsockopt(socket, SOL_SOCKET, forced, &bytes, sizeof bytes) != 0)
        ::setsockopt(socket, SOL_SOCKET, plain, &bytes, sizeof bytes);
}

constexpr std::array<std::uint8_t, 12> k_mapped{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};

// The sender's address. An IPv6 socket shows IPv4 senders as ::ffff:10.0.0.1.
Endpoint endpoint_of(const sockaddr_in6& from) {
    Endpoint end;
    if (from.sin6_family == AF_INET) {
        sockaddr_in plain{};
        std::memcpy(&plain, &from, sizeof plain);
        end.address = std::bit_cast<std::array<std::uint8_t, 4>>(plain.sin_addr.s_addr);
        end.port = ntohs(plain.sin_port);
        return end;
    }
    end.port = ntohs(from.sin6_port);
    const auto bytes = std::bit_cast<std::array<std::uint8_t, 16>>(from.sin6_addr);
    if (std::equal(k_mapped.begin(), k_mapped.end(), bytes.begin())) {
        std::copy(bytes.begin() + k_mapped.size(), bytes.end(), end.address.begin());
        return end;
    }
    end.address6 = bytes;
    std::memcpy(end.link.data(), &from.sin6_scope_id, sizeof from.sin6_scope_id);
    return end;
}

// The inverse; its length depends on the address family.
void write_to(sockaddr_in6& to, const Endpoint& end, bool ipv6) {
    to = {};
    if (!ipv6) {
        sockaddr_in plain{};
        plain.sin_family = AF_INET;
        plain.sin_port = htons(end.port);
        plain.sin_addr.s_addr = std::bit_cast<in_addr_t>(end.address);
        std::memcpy(&to, &plain, sizeof plain);
        return;
    }
    to.sin6_family = AF_INET6;
    to.sin6_port = htons(end.port);
    auto bytes = end.address6;
    if (!end.is_ipv6()) {
        std::copy(k_mapped.begin(), k_mapped.end(), bytes.begin());
        std::copy(end.address.begin(), end.address.end(), bytes.begin() + k_mapped.size());
    }
    to.sin6_addr = std::bit_cast<in6_addr>(bytes);
    std::memcpy(&to.sin6_scope_id, end.link.data(), sizeof to.sin6_scope_id);
}

void point_at(mmsghdr& header, iovec& part, sockaddr_in6& end, std::span<std::byte> memory) {
    part = {.iov_base = memory.data(), .iov_len = memory.size()};
    header = {};
    header.msg_hdr.msg_name = &end;
    header.msg_hdr.msg_namelen = sizeof end;
    header.msg_hdr.msg_iov = &part;
    header.msg_hdr.msg_iovlen = 1;
}

}  // namespace

Endpoint SocketPath::endpoint_of(const SocketAddress& address) {
    sockaddr_in6 where{};
    std::memcpy(&where, address.data(), std::min<std::size_t>(sizeof where, address.size()));
    return net::endpoint_of(where);
}

std::expected<SocketPath, std::string> SocketPath::open(const SocketPathOptions& options) {
    DAMRAK_ASSERT(options.batch > 0 && options.send_room > 0);
    auto where = resolve(options.address, options.port);
    if (!where) return failure(options, where.error());
    Descriptor socket{::socket(where->family(), SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0)};
    if (!socket.open()) return failure(options, std::strerror(errno));
    size_buffer(socket.number(), SO_RCVBUFFORCE, SO_RCVBUF, options.buffer_bytes);
    size_buffer(socket.number(), SO_SNDBUFFORCE, SO_SNDBUF, options.buffer_bytes);
    const int both = 0;
    if (!where->is_ipv4())
        ::setsockopt(socket.number(), IPPROTO_IPV6, IPV6_V6ONLY, &both, sizeof both);
    if (::bind(socket.number(), where->data(), where->size()) != 0 ||
        ::getsockname(socket.number(), where->data(), where->size_pointer()) != 0)
        return failure(options, std::strerror(errno));
    return SocketPath{std::move(socket), *where, options};
}

SocketPath::SocketPath(Descriptor socket, const SocketAddress& where,
                       const SocketPathOptions& options)
    : options_(options),
      socket_(std::move(socket)),
      port_(where.port()),
      ipv6_(!where.is_ipv4()),
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
    for (std::size_t i = 0; i < options.send_room; ++i) {
        point_at(outgoing_[i], outgoing_parts_[i], outgoing_targets_[i], outgoing_slots_[i]);
        if (!ipv6_) outgoing_[i].msg_hdr.msg_namelen = sizeof(sockaddr_in);
    }
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

Endpoint SocketPath::source(std::size_t i) const { return net::endpoint_of(incoming_sources_[i]); }

std::span<std::byte> SocketPath::claim(const Endpoint& to, std::size_t at_most) {
    DAMRAK_ASSERT(at_most <= k_largest_claim_bytes);
    if (send_end_ == options_.send_room) flush();
    if (send_end_ == options_.send_room) {
        ++counters_.no_room;
        return {};
    }
    write_to(outgoing_targets_[send_end_], to, ipv6_);
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
        // The first one cannot be delivered; the others must not wait for it.
        ++send_begin_;
        ++counters_.send_failed;
    }
    send_begin_ = send_end_ = 0;
}

std::string SocketPath::describe() const {
    return fmt::format("a socket at {}, {} datagrams a call",
                       host_and_port(options_.address, port_), options_.batch);
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
