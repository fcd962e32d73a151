#include <damrak/client/itch/detail/feed_sockets.hpp>

#include <utility>

#include <damrak/wire/moldudp/encode.hpp>

namespace damrak::client {

std::expected<FeedSockets, std::string> FeedSockets::open(
    std::span<const net::MulticastGroup> lines, const std::optional<FeedAddress>& retransmissions) {
    FeedSockets sockets;
    for (const net::MulticastGroup& group : lines) {
        auto line = net::MulticastReceiver::join(group);
        if (!line) return std::unexpected{std::move(line.error())};
        sockets.lines_.push_back(*std::move(line));
    }
    if (retransmissions) {
        auto peer = net::UdpPeer::open(retransmissions->host, retransmissions->port);
        if (!peer) return std::unexpected{std::move(peer.error())};
        sockets.retransmissions_ = *std::move(peer);
    }
    return sockets;
}

void FeedSockets::ask(const wire::moldudp::Request& request) const {
    if (!retransmissions_) return;
    std::array<std::byte, wire::moldudp::HeaderLayout::k_length> datagram;
    wire::moldudp::encode(request, datagram);
    retransmissions_->send(datagram);  // if lost, it is sent again
}

void FeedSockets::wait(pollfd other, int timeout_ms) const {
    std::vector<pollfd> waits{other};
    const auto add = [&](const net::Descriptor& socket) {
        waits.push_back({.fd = socket.number(), .events = POLLIN, .revents = 0});
    };
    for (const auto& line : lines_) add(line.socket());
    if (retransmissions_) add(retransmissions_->socket());
    ::poll(waits.data(), waits.size(), timeout_ms);
}

}  // namespace damrak::client
