#include <damrak/net/any_path.hpp>

#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

#include <arpa/inet.h>
#include <fmt/format.h>
#include <net/if.h>
#include <netinet/in.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#include <damrak/net/address.hpp>
#include <damrak/net/tcp.hpp>

namespace damrak::net {

namespace {

constexpr const char* k_loopback = "127.0.0.1";

std::expected<XdpPath, std::string> open_xdp(const AnyPathOptions& options) {
    if (options.interface.empty())
        return std::unexpected{std::string{"AF_XDP needs the name of a network interface"}};
    return XdpPath::open({.interface = options.interface,
                          .address = options.address,
                          .port = options.port,
                          .mode = options.mode,
                          .prefer_busy_poll = options.prefer_busy_poll,
                          .queues = options.queues,
                          .verify_checksum = options.verify_checksum,
                          .neighbour = options.neighbour,
                          .receive_frames = options.receive_frames,
                          .send_frames = options.send_frames});
}

std::expected<std::string, std::string> first_address(const std::string& interface) {
    const Descriptor socket{::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0)};
    ifreq request{};
    interface.copy(request.ifr_name, IFNAMSIZ - 1);
    if (::ioctl(socket.number(), SIOCGIFADDR, &request) != 0)
        return std::unexpected{fmt::format("no IPv4 address on the interface '{}': {}", interface,
                                           std::strerror(errno))};
    sockaddr_in address{};
    std::memcpy(&address, &request.ifr_addr, sizeof address);
    std::array<char, INET_ADDRSTRLEN> text{};
    return ::inet_ntop(AF_INET, &address.sin_addr, text.data(), text.size());
}

std::expected<SocketPath, std::string> open_socket(const AnyPathOptions& options) {
    SocketPathOptions plain{.address = options.address, .port = options.port};
    if (plain.address.empty() && options.interface.empty()) plain.address = k_loopback;
    if (plain.address.empty()) {
        auto found = first_address(options.interface);
        if (!found) return std::unexpected{found.error()};
        plain.address = std::move(*found);
    }
    return SocketPath::open(plain);
}

}  // namespace

std::expected<AnyPath, std::string> AnyPath::open(const AnyPathOptions& options) {
    std::string reason;
    if (options.choice != PathChoice::socket) {
        auto xdp = open_xdp(options);
        const bool chosen = options.choice == PathChoice::automatic;
        if (xdp) return AnyPath{std::move(*xdp), chosen ? "available here" : ""};
        if (!chosen) return std::unexpected{xdp.error()};
        reason = xdp.error();
    }
    auto socket = open_socket(options);
    if (!socket) return std::unexpected{socket.error()};
    return AnyPath{std::move(*socket), std::move(reason)};
}

std::string AnyPath::describe() const {
    std::string text = visit([](const auto& path) { return path.describe(); });
    if (!reason_.empty()) text += fmt::format("; chosen because: {}", reason_);
    return text;
}

std::string AnyPath::warning() const {
    const auto* const xdp = std::get_if<XdpPath>(&path_);
    return xdp == nullptr ? std::string{} : xdp->warning();
}

std::expected<Endpoint, std::string> AnyPath::resolve(const std::string& address,
                                                      std::uint16_t port) const {
    if (const auto* const xdp = std::get_if<XdpPath>(&path_)) return xdp->resolve(address, port);
    const auto found = net::resolve(address, port);
    if (!found) return std::unexpected{found.error()};
    return SocketPath::endpoint_of(*found);
}

}  // namespace damrak::net
