#include <damrak/exchange/l2_door.hpp>

#include <cstddef>
#include <span>
#include <utility>

namespace damrak::exchange {

std::expected<std::unique_ptr<L2Door>, std::string> L2Door::open(std::uint16_t port,
                                                                 const EngineConfig& engine,
                                                                 const FollowedState& state) {
    auto sender = net::MulticastSender::open({.address = k_l2_group, .port = port});
    if (!sender) return std::unexpected{std::move(sender.error())};
    std::unique_ptr<L2Door> door{new L2Door{std::move(*sender), engine}};
    door->publisher_.load(state.engine());
    return door;
}

// A datagram that the system does not take is lost like one on the way: listeners see the gap.
L2Door::L2Door(net::MulticastSender sender, const EngineConfig& engine)
    : sender_(std::move(sender)),
      publisher_({}, engine, [this](std::span<const std::byte> datagram) {
          static_cast<void>(sender_.send(datagram));
      }) {}

}  // namespace damrak::exchange
