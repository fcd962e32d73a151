#include <damrak/net/address.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <cstring>
#include <ranges>
#include <system_error>
#include <utility>

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netdb.h>
#include <netinet/in.h>

#include <damrak/base/assert.hpp>

namespace damrak::net {

namespace {

sockaddr_in& as_ipv4(sockaddr* address) { return *reinterpret_cast<sockaddr_in*>(address); }
sockaddr_in6& as_ipv6(sockaddr* address) { return *reinterpret_cast<sockaddr_in6*>(address); }
const sockaddr_in& as_ipv4(const sockaddr* address) {
    return *reinterpret_cast<const sockaddr_in*>(address);
}
const sockaddr_in6& as_ipv6(const sockaddr* address) {
    return *reinterpret_cast<const sockaddr_in6*>(address);
}

}  // namespace

SocketAddress::SocketAddress(const sockaddr* address, socklen_t length) : size_(length) {
    DAMRAK_ASSERT(length <= sizeof storage_);
    std::memcpy(&storage_, address, length);
}

bool SocketAddress::is_loopback() const {
    if (is_ipv4()) return ntohl(as_ipv4(data()).sin_addr.s_addr) >> 24U == 127;
    return family() == AF_INET6 && IN6_IS_ADDR_LOOPBACK(&as_ipv6(data()).sin6_addr);
}

std::uint16_t SocketAddress::port() const {
    return ntohs(is_ipv4() ? as_ipv4(data()).sin_port : as_ipv6(data()).sin6_port);
}

void SocketAddress::set_port(std::uint16_t port) {
    (is_ipv4() ? as_ipv4(data()).sin_port : as_ipv6(data()).sin6_port) = htons(port);
}

std::string SocketAddress::host() const {
    std::array<char, NI_MAXHOST> text{};
    if (::getnameinfo(data(), size(), text.data(), text.size(), nullptr, 0, NI_NUMERICHOST) != 0)
        return "?";
    return text.data();
}

std::string SocketAddress::text() const { return host_and_port(host(), port()); }

std::expected<std::vector<SocketAddress>, std::string> resolve_all(const std::string& host,
                                                                   std::uint16_t port) {
    // getaddrinfo() would resolve an empty name to any address.
    if (host.empty())
        return std::unexpected{std::string{"expected an address or a name, found nothing"}};
    // An IPv6 address may be in brackets, as it is before a port.
    const bool in_brackets = host.size() > 2 && host.front() == '[' && host.back() == ']';
    const std::string bare = in_brackets ? host.substr(1, host.size() - 2) : host;
    addrinfo hints{};
    hints.ai_family = AF_UNSPEC;
    hints.ai_socktype = SOCK_STREAM;
    addrinfo* found = nullptr;
    const int error = ::getaddrinfo(bare.c_str(), nullptr, &hints, &found);
    if (error != 0)
        return std::unexpected{
            fmt::format("'{}' is neither an address nor a known host name: {}", host,
                        error == EAI_SYSTEM ? std::strerror(errno) : ::gai_strerror(error))};
    std::vector<SocketAddress> all;
    for (const addrinfo* one = found; one != nullptr; one = one->ai_next) {
        if (one->ai_family != AF_INET && one->ai_family != AF_INET6) continue;
        all.emplace_back(one->ai_addr, one->ai_addrlen).set_port(port);
    }
    ::freeaddrinfo(found);
    if (all.empty()) return std::unexpected{fmt::format("'{}' has no IPv4 or IPv6 address", host)};
    std::ranges::stable_partition(all, &SocketAddress::is_ipv4);
    return all;
}

std::expected<SocketAddress, std::string> resolve(const std::string& host, std::uint16_t port) {
    auto all = resolve_all(host, port);
    if (!all) return std::unexpected{std::move(all.error())};
    return all->front();
}

std::string host_and_port(std::string_view host, std::uint16_t port) {
    const bool bare_ipv6 = host.find(':') != std::string_view::npos && !host.starts_with('[');
    return bare_ipv6 ? fmt::format("[{}]:{}", host, port) : fmt::format("{}:{}", host, port);
}

std::expected<std::vector<HostAndPort>, std::string> parse_hosts_and_ports(std::string_view text) {
    std::vector<HostAndPort> all;
    if (text.empty()) return all;
    for (const auto part : std::views::split(text, ',')) {
        const std::string_view one{part};
        const std::size_t colon = std::min(one.rfind(':'), one.size());
        std::string_view host = one.substr(0, colon);
        const std::string_view digits = one.substr(std::min(colon + 1, one.size()));
        const bool is_bracketed = host.size() > 2 && host.starts_with('[') && host.ends_with(']');
        if (is_bracketed) host = host.substr(1, host.size() - 2);
        std::uint16_t port = 0;
        const auto [at, error] =
            std::from_chars(digits.data(), digits.data() + digits.size(), port);
        const bool bare_ipv6 = !is_bracketed && host.contains(':');
        if (host.empty() || bare_ipv6 || error != std::errc{} ||
            at != digits.data() + digits.size() || port == 0)
            return std::unexpected{fmt::format(
                "'{}' is not HOST:PORT: write it like 127.0.0.1:26403 or [::1]:26403", one)};
        all.push_back({.host = std::string{host}, .port = port});
    }
    return all;
}

}  // namespace damrak::net
