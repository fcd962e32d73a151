#include <damrak/net/tcp_network.hpp>

#include <algorithm>
#include <chrono>
#include <utility>

namespace damrak::net {

std::expected<std::uint16_t, std::string> TcpNetwork::open(const std::string& address,
                                                           std::uint16_t port) {
    auto poller = Poller::make();
    if (!poller) return std::unexpected{std::move(poller.error())};
    auto listening = listen_tcp(address, port);
    if (!listening) return std::unexpected{std::move(listening.error())};
    if (!poller->add(listening->socket, nullptr))
        return std::unexpected{std::string{"cannot watch the listening socket"}};
    poller_ = std::move(*poller);
    listening_ = std::move(listening->socket);
    return listening->port;
}

// The clock of the system may be set back; time here goes forward.
std::int64_t TcpNetwork::now_ns() {
    const auto clock = std::chrono::system_clock::now().time_since_epoch();
    last_ns_ =
        std::max(last_ns_,
                 std::int64_t{std::chrono::duration_cast<std::chrono::nanoseconds>(clock).count()});
    return last_ns_;
}

}  // namespace damrak::net
