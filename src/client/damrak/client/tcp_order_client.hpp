// What order clients over plain TCP share: the connection, its heartbeats, and the growing pauses
// between attempts. BinaryOrderClient and OuchOrderClient add what is said over it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include <damrak/client/order_client.hpp>
#include <damrak/net/tcp.hpp>

namespace damrak::client {

class TcpOrderClient : public OrderClient {
  public:
    TcpOrderClient(std::string host, std::uint16_t port, std::int64_t heartbeat_interval_ns)
        : host_(std::move(host)), port_(port), heartbeat_interval_ns_(heartbeat_interval_ns) {}

    std::size_t do_work(std::int64_t now_ns) override;
    [[nodiscard]] std::int64_t next_step_ns(std::int64_t now_ns) const override;
    void refuse(std::string why) override;
    void log_out() override;
    [[nodiscard]] std::string where() const override;
    [[nodiscard]] State state() const override {
        return leaving_ && !is_logged_in() ? State::ended : state_;
    }
    [[nodiscard]] std::int64_t retry_at_ns() const override { return retry_at_ns_; }
    [[nodiscard]] const std::string& trouble() const override { return trouble_; }
    [[nodiscard]] std::uint64_t losses() const override { return losses_; }
    [[nodiscard]] pollfd waits_for() const override;

  private:
    virtual void log_in() = 0;
    virtual void say_goodbye() = 0;
    virtual void heartbeat() = 0;
    [[nodiscard]] virtual bool is_logged_in() const = 0;
    /// Why the exchange does not let us in; empty: it may.
    [[nodiscard]] virtual std::string refusal() const { return {}; }
    /// Why this connection is of no more use; empty: it is.
    [[nodiscard]] virtual std::string fault() const { return {}; }
    /// False: the bytes are not of the protocol.
    [[nodiscard]] virtual bool hear(std::span<const std::byte> bytes) = 0;
    [[nodiscard]] virtual std::span<const std::byte> unsent() const = 0;
    virtual void mark_sent(std::size_t bytes) = 0;
    virtual void on_loss() = 0;

    std::size_t connect(std::int64_t now_ns);
    std::size_t finish_connect(std::int64_t now_ns);
    std::size_t move_bytes(std::int64_t now_ns);
    /// Empty: the connection is gone.
    std::optional<std::size_t> read(std::int64_t now_ns);
    std::size_t lose(std::int64_t now_ns, std::string why);

    std::string host_;
    std::uint16_t port_;
    std::int64_t heartbeat_interval_ns_;
    net::Descriptor socket_;
    State state_ = State::waiting;
    bool leaving_ = false;
    std::int64_t retry_at_ns_ = 0;
    std::int64_t pause_ns_ = 0;
    std::int64_t heartbeat_at_ns_ = 0;
    std::uint64_t losses_ = 0;
    std::string trouble_;
};

}  // namespace damrak::client
