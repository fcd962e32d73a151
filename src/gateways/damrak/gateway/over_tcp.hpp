// Base class of a gateway (gateway/gateway.hpp) over TcpGateway: the members that follow from it.
// The gateway owns tcp_, and hides members that it implements differently.
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <span>
#include <string>
#include <utility>

#include <damrak/gateway/tcp_gateway.hpp>

namespace damrak::gateway {

template <class Network, class Owner>
class OverTcp {
  public:
    [[nodiscard]] std::expected<void, std::string> listen() { return tcp_.listen(); }
    [[nodiscard]] std::uint16_t port() const { return tcp_.port(); }
    [[nodiscard]] int wake_source() const { return tcp_.wake_source(); }
    [[nodiscard]] bool wake_up_for(int descriptor, bool& signalled) {
        return tcp_.wake_up_for(descriptor, signalled);
    }
    std::size_t poll(int wait_ms) { return tcp_.poll(wait_ms); }
    [[nodiscard]] bool busy() const { return tcp_.busy(); }
    [[nodiscard]] bool is_due(Timestamp /*now*/) const { return busy() || tcp_.has_blocked(); }
    [[nodiscard]] Timestamp time() const { return tcp_.time(); }
    void flush() { tcp_.flush(); }
    void close() { tcp_.close(); }
    [[nodiscard]] std::size_t connections() const { return tcp_.connections(); }
    void set_strangers_share(std::uint32_t percent) { tcp_.set_strangers_share(percent); }
    /// Any thread.
    [[nodiscard]] budget::Row::Figures places() const { return tcp_.places(); }

    // Default for owners of a TcpGateway that do not need it.
    void on_written(const auto& /*connection*/, std::span<const std::byte> /*offered*/,
                    std::size_t /*sent*/) {}

  protected:
    TcpGateway<Network, Owner> tcp_;

  private:
    friend Owner;
    OverTcp(TcpGatewayConfig config, Owner& owner, Network network)
        : tcp_(std::move(config), owner, std::move(network)) {}
};

}  // namespace damrak::gateway
