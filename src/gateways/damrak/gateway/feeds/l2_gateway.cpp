#include <damrak/gateway/feeds/l2_gateway.hpp>

#include <cstddef>
#include <memory>
#include <span>
#include <utility>

namespace damrak::gateway::feeds {

// A datagram that the system refuses is lost, as if on the network: receivers see the gap.
L2Gateway::L2Gateway(net::MulticastSender sender, const EngineConfig& engine)
    : batch_(std::move(sender)),
      publisher_({}, engine,
                 [this](std::span<const std::byte> datagram) { batch_.add(datagram); }) {}

journal::Result<OpenFeed> open_l2(const Settings& settings) {
    const std::uint16_t port = settings.port("l2").value_or(0);
    auto sender = net::MulticastSender::open({.address = k_l2_group, .port = port});
    if (!sender) return std::unexpected{std::move(sender.error())};
    auto gateway = std::make_unique<L2Gateway>(std::move(*sender), settings.capacity);
    const std::uint16_t bound = gateway->port();
    return OpenFeed{.feed = std::move(gateway), .ports = {{"l2", bound}}};
}

}  // namespace damrak::gateway::feeds
