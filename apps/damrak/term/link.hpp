// A connection to a door that is kept up: connects, logs in, moves bytes, and after a loss waits
// and tries again. Time comes in; nothing waits. EntryLink, that of the binary door, waits a little
// longer each time; it is used by `damrak term` and by the demo market. That of the FIX door is in
// fix_link.hpp. One thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

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

    /// A turn. News of it are in door().take_news().
    virtual void do_work(std::int64_t now_ns) = 0;
    /// The exchange said that it will not let us in, or the caller gives up.
    virtual void refuse(std::string why) = 0;
    /// Says goodbye; up no more once that is answered, a few turns later.
    virtual void log_out() = 0;

    [[nodiscard]] virtual client::TermDoor& door() = 0;
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

class EntryLink final : public Link {
  public:
    explicit EntryLink(LinkSettings settings)
        : settings_(std::move(settings)), entry_(settings_.version) {}

    void do_work(std::int64_t now_ns) override;
    void refuse(std::string why) override;
    void log_out() override {
        leaving_ = true;
        entry_.logout();
    }

    [[nodiscard]] client::OrderEntry& entry() { return entry_; }
    [[nodiscard]] const client::OrderEntry& entry() const { return entry_; }
    [[nodiscard]] client::TermDoor& door() override { return entry_; }
    [[nodiscard]] std::string where() const override;
    [[nodiscard]] State state() const override {
        return leaving_ && !entry_.logged_in() ? State::waiting : state_;
    }
    [[nodiscard]] std::int64_t retry_at_ns() const override { return retry_at_ns_; }
    [[nodiscard]] const std::string& trouble() const override { return trouble_; }
    [[nodiscard]] std::uint64_t losses() const override { return losses_; }
    [[nodiscard]] const net::Descriptor& socket() const override { return socket_; }
    [[nodiscard]] bool wants_to_write() const override { return !entry_.unsent().empty(); }

  private:
    void connect(std::int64_t now_ns);
    void finish_connect(std::int64_t now_ns);
    void move_bytes(std::int64_t now_ns);
    bool read(std::int64_t now_ns);
    void lose(std::int64_t now_ns, std::string why);

    LinkSettings settings_;
    client::OrderEntry entry_;
    net::Descriptor socket_;
    State state_ = State::waiting;
    bool leaving_ = false;
    std::int64_t retry_at_ns_ = 0;
    std::int64_t pause_ns_ = 0;
    std::int64_t heartbeat_at_ns_ = 0;
    std::uint64_t losses_ = 0;
    std::string trouble_;
};

}  // namespace damrak::app
