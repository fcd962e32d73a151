// A connection to the OUCH gateway that is kept up (order_client.hpp). Used by `damrak sim join`
// and by the viewers of the live page who trade.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>

#include <damrak/base/time_units.hpp>
#include <damrak/client/ouch_order_entry.hpp>
#include <damrak/client/tcp_order_client.hpp>

namespace damrak::client {

/// Where and how an order client connects by OUCH, and its user.
struct OuchOrderClientSettings {
    std::string host = "127.0.0.1";
    std::uint16_t port = 26'400;
    std::string user{};
    std::string password{};
};

class OuchOrderClient final : public TcpOrderClient {
  public:
    OuchOrderClient(const OuchOrderClientSettings& settings, Symbols symbols)
        : TcpOrderClient(settings.host, settings.port, k_second_ns),
          entry_(settings.user, settings.password, std::move(symbols)) {}

    [[nodiscard]] TermGateway& gateway() override { return entry_; }
    [[nodiscard]] OuchOrderEntry& entry() { return entry_; }
    [[nodiscard]] const OuchOrderEntry& entry() const { return entry_; }

  private:
    void log_in() override { entry_.login(); }
    void say_goodbye() override { entry_.logout(); }
    void heartbeat() override { entry_.heartbeat(); }
    [[nodiscard]] bool is_logged_in() const override { return entry_.logged_in(); }
    [[nodiscard]] std::string refusal() const override { return entry_.refusal(); }
    [[nodiscard]] std::string fault() const override {
        return entry_.wants_reconnect() ? "the orders of earlier runs are about to be read" : "";
    }
    [[nodiscard]] bool hear(std::span<const std::byte> bytes) override {
        return entry_.receive(bytes);
    }
    [[nodiscard]] std::span<const std::byte> unsent() const override { return entry_.unsent(); }
    void mark_sent(std::size_t bytes) override { entry_.mark_sent(bytes); }
    void on_loss() override { entry_.lose(); }

    OuchOrderEntry entry_;
};

}  // namespace damrak::client
