// A connection to the binary gateway that is kept up (order_client.hpp). Used by `damrak term`,
// `damrak sim join` and the demo market.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include <damrak/base/time_units.hpp>
#include <damrak/client/order_entry.hpp>
#include <damrak/client/tcp_order_client.hpp>

namespace damrak::client {

/// Where and how a client of the binary protocol connects.
struct BinaryOrderClientSettings {
    std::string host = "127.0.0.1";
    std::uint16_t port = 12'345;
    wire::binary::Version version = wire::binary::Version::v2;
    wire::binary::ApiKey key{};  ///< version 1 only
};

class BinaryOrderClient final : public TcpOrderClient {
  public:
    explicit BinaryOrderClient(const BinaryOrderClientSettings& settings)
        : TcpOrderClient(settings.host, settings.port, 10 * k_second_ns),
          key_(settings.key),
          entry_(settings.version) {}

    [[nodiscard]] OrderEntry& entry() { return entry_; }
    [[nodiscard]] const OrderEntry& entry() const { return entry_; }
    [[nodiscard]] TermGateway& gateway() override { return entry_; }

  private:
    void log_in() override { entry_.login(key_); }
    void say_goodbye() override { entry_.logout(); }
    void heartbeat() override { entry_.heartbeat(); }
    [[nodiscard]] bool is_logged_in() const override { return entry_.logged_in(); }
    [[nodiscard]] std::string fault() const override {
        return entry_.out_of_step()
                   ? "the exchange refused a message; version 2 cannot continue after that"
                   : "";
    }
    [[nodiscard]] bool hear(std::span<const std::byte> bytes) override {
        return entry_.receive(bytes) == wire::binary::Fault::none;
    }
    [[nodiscard]] std::span<const std::byte> unsent() const override { return entry_.unsent(); }
    void mark_sent(std::size_t bytes) override { entry_.mark_sent(bytes); }
    void on_loss() override { entry_.lose(); }

    wire::binary::ApiKey key_;
    OrderEntry entry_;
};

}  // namespace damrak::client
