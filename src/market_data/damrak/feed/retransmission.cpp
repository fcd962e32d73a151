#include <damrak/feed/retransmission.hpp>

#include <algorithm>

#include <damrak/base/byte_order.hpp>

namespace damrak::feed {

namespace {

std::uint64_t hash_of(const RetransmissionAddress& address) {
    constexpr std::uint64_t k_multiplier = 0x9E37'79B9'7F4A'7C15;
    std::uint64_t hash = load_le<std::uint64_t>(address.data()) * k_multiplier;
    hash = (hash ^ hash >> 32U ^ load_le<std::uint64_t>(address.data() + 8)) * k_multiplier;
    return hash >> 32U;
}

}  // namespace

RetransmissionServer::RetransmissionServer(const RetransmissionConfig& config)
    : config_(config),
      all_(config.all_packets_per_second, config.all_burst_packets),
      clients_((std::max<std::size_t>(config.addresses, 1) + k_places - 1) / k_places * k_places,
               Client{.bucket = {config.packets_per_second, config.burst_packets}}) {}

RetransmissionServer::Client& RetransmissionServer::client_of(
    const RetransmissionAddress& address) {
    const std::size_t sets = clients_.size() / k_places;
    const auto places = std::span{clients_}.subspan(hash_of(address) % sets * k_places, k_places);
    const auto found = std::ranges::find_if(places, [&address](const Client& client) {
        return client.last_use > 0 && client.address == address;
    });
    if (found != places.end()) return *found;
    Client& oldest = *std::ranges::min_element(places, {}, &Client::last_use);
    oldest =
        Client{.address = address, .bucket = {config_.packets_per_second, config_.burst_packets}};
    return oldest;
}

}  // namespace damrak::feed
