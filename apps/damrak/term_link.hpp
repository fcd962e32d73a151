// A connection to the binary door that is kept up: connects, logs in, moves bytes, and after a loss
// waits and tries again, a little longer each time. Time comes in; nothing waits. Used by `damrak
// term` and by the demo market, one thread.
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

class EntryLink {
  public:
    enum class State : std::uint8_t {
        connecting,
        logging_in,
        up,
        waiting,  ///< until retry_at_ns()
        refused,  ///< the exchange does not let us in: it is no use to try again
    };

    explicit EntryLink(LinkSettings settings)
        : settings_(std::move(settings)), entry_(settings_.version) {}

    /// A turn. News of it are in entry().take_news().
    void do_work(std::int64_t now_ns);
    /// The exchange said that it will not let us in, or the caller gives up.
    void refuse(std::string why);

    [[nodiscard]] client::OrderEntry& entry() { return entry_; }
    [[nodiscard]] const client::OrderEntry& entry() const { return entry_; }
    [[nodiscard]] const LinkSettings& settings() const { return settings_; }
    [[nodiscard]] State state() const { return state_; }
    [[nodiscard]] std::int64_t retry_at_ns() const { return retry_at_ns_; }
    /// Why there is no connection; empty while there is one.
    [[nodiscard]] const std::string& trouble() const { return trouble_; }
    /// How often a connection that was up got lost.
    [[nodiscard]] std::uint64_t losses() const { return losses_; }
    /// To wait on; not open while there is no connection.
    [[nodiscard]] const net::Descriptor& socket() const { return socket_; }
    /// Requests wait to be written.
    [[nodiscard]] bool wants_to_write() const { return !entry_.unsent().empty(); }

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
    std::int64_t retry_at_ns_ = 0;
    std::int64_t pause_ns_ = 0;
    std::int64_t heartbeat_at_ns_ = 0;
    std::uint64_t losses_ = 0;
    std::string trouble_;
};

}  // namespace damrak::app
