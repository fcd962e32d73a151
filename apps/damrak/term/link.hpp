// A connection to a gateway that is kept up: connects, logs in, moves bytes, and after a loss
// waits, a little longer each time, and tries again. Time comes in; nothing waits. EntryLink is
// that of the binary gateway, used by `damrak term`, `damrak sim join` and the demo market. Those
// of the other gateways are in fix_link.hpp and sim/ouch_link.hpp. One thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>

#include <damrak/base/time_units.hpp>
#include <damrak/client/order_entry.hpp>
#include <damrak/net/tcp.hpp>

namespace damrak::app {

struct LinkSettings {
    std::string host = "127.0.0.1";
    std::uint16_t port = 12'345;
    wire::binary::Version version = wire::binary::Version::v2;
    wire::binary::ApiKey key{};  ///< version 1 only
};

/// Interface of a connection, as `damrak term` uses it.
class Link {
  public:
    enum class State : std::uint8_t {
        connecting,
        logging_in,
        up,
        waiting,  ///< until retry_at_ns()
        refused,  ///< the exchange does not let us in: it is no use to try again
    };

    Link() = default;
    Link(const Link&) = delete;
    Link(Link&&) = default;
    Link& operator=(const Link&) = delete;
    Link& operator=(Link&&) = default;
    virtual ~Link() = default;

    /// A turn. News of it are in gateway().take_news().
    virtual void do_work(std::int64_t now_ns) = 0;
    /// The exchange said that it will not let us in, or the caller gives up.
    virtual void refuse(std::string why) = 0;
    /// Says goodbye; up no more once that is answered, a few turns later.
    virtual void log_out() = 0;

    [[nodiscard]] virtual client::TermGateway& gateway() = 0;
    [[nodiscard]] virtual std::string where() const = 0;
    [[nodiscard]] virtual State state() const = 0;
    [[nodiscard]] virtual std::int64_t retry_at_ns() const = 0;
    /// Why there is no connection; empty while there is one.
    [[nodiscard]] virtual const std::string& trouble() const = 0;
    /// How often a connection that was up got lost.
    [[nodiscard]] virtual std::uint64_t losses() const = 0;
    /// To wait on; not open while there is no connection.
    [[nodiscard]] virtual const net::Descriptor& socket() const = 0;
    /// Requests wait to be written.
    [[nodiscard]] virtual bool wants_to_write() const = 0;
};

/// A connection over TCP. What is said over it comes from the class of the protocol.
class TcpLink : public Link {
  public:
    TcpLink(std::string host, std::uint16_t port, std::int64_t heartbeat_interval_ns)
        : host_(std::move(host)), port_(port), heartbeat_interval_ns_(heartbeat_interval_ns) {}

    void do_work(std::int64_t now_ns) override;
    void refuse(std::string why) override;
    void log_out() override {
        leaving_ = true;
        say_goodbye();
    }
    [[nodiscard]] std::string where() const override;
    [[nodiscard]] State state() const override {
        return leaving_ && !is_logged_in() ? State::waiting : state_;
    }
    [[nodiscard]] std::int64_t retry_at_ns() const override { return retry_at_ns_; }
    [[nodiscard]] const std::string& trouble() const override { return trouble_; }
    [[nodiscard]] std::uint64_t losses() const override { return losses_; }
    [[nodiscard]] const net::Descriptor& socket() const override { return socket_; }
    [[nodiscard]] bool wants_to_write() const override { return !unsent().empty(); }

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

    void connect(std::int64_t now_ns);
    void finish_connect(std::int64_t now_ns);
    void move_bytes(std::int64_t now_ns);
    bool read(std::int64_t now_ns);
    void lose(std::int64_t now_ns, std::string why);

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

class EntryLink final : public TcpLink {
  public:
    explicit EntryLink(const LinkSettings& settings)
        : TcpLink(settings.host, settings.port, 10 * k_second_ns),
          key_(settings.key),
          entry_(settings.version) {}

    [[nodiscard]] client::OrderEntry& entry() { return entry_; }
    [[nodiscard]] const client::OrderEntry& entry() const { return entry_; }
    [[nodiscard]] client::TermGateway& gateway() override { return entry_; }

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
    client::OrderEntry entry_;
};

}  // namespace damrak::app
