#include <damrak/exchange/l2_door.hpp>

#include <cstddef>
#include <memory>
#include <span>
#include <utility>

namespace damrak::exchange {

// A datagram that the system refuses is lost, as if on the network: receivers see the gap.
L2Door::L2Door(net::MulticastSender sender, const EngineConfig& engine)
    : sender_(std::move(sender)),
      publisher_({}, engine, [this](std::span<const std::byte> datagram) {
          static_cast<void>(sender_.send(datagram));
      }) {}

journal::Result<OpenFeed> open_l2(const Settings& settings) {
    const std::uint16_t port = settings.port("l2").value_or(0);
    auto sender = net::MulticastSender::open({.address = k_l2_group, .port = port});
    if (!sender) return std::unexpected{std::move(sender.error())};
    auto door = std::make_unique<L2Door>(std::move(*sender), settings.capacity);
    const std::uint16_t bound = door->port();
    return OpenFeed{.feed = std::move(door), .ports = {{"l2", bound}}};
}

}  // namespace damrak::exchange
