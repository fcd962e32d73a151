#include <damrak/net/tcp_network.hpp>

#include <utility>

namespace damrak::net {

std::expected<std::uint16_t, std::string> TcpNetwork::open(const std::string& address,
                                                           std::uint16_t port) {
    auto poller = Poller::make();
    if (!poller) return std::unexpected{std::move(poller.error())};
    auto listening = listen_tcp(address, port);
    if (!listening) return std::unexpected{std::move(listening.error())};
    if (!poller->add(listening->socket, WatchHandle{}))
        return std::unexpected{std::string{"cannot watch the listening socket"}};
    poller_ = std::move(*poller);
    listening_ = std::move(listening->socket);
    return listening->port;
}

}  // namespace damrak::net
