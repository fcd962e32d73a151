// The connections of a door over TCP, whatever its protocol: lets clients in, reads a quota from
// each that has something, serves those that burden the others after them, suspends those that must
// wait, and writes once a turn to each that has answers. What a protocol adds is its owner's.
//
// A class template over the network (net::TcpNetwork, or a simulated one) and over the owner. One
// thread. A connection costs its buffers when it is accepted; a read or a write allocates nothing.
// What one client does wrong ends its own connection only.
//
// The owner has:
//
//   struct Client                       what it keeps of a connection; made anew for each
//   on_opened(connection)               somebody came
//   on_read(bytes)                      so many came with one read
//   on_bytes(connection, bytes) -> session::Received     unconsumed bytes come again
//   ready() -> bool                     blocked clients may go on at once: no reason to sleep
//   may_end(connection) -> bool         no answers to earlier requests are under way
//   end_reason(connection) -> optional<string_view>      to be closed, once its output is sent
//   on_written(connection, offered, sent)
//   on_ended(connection, reason)        before its socket is closed
//   on_silent(connection)               nothing came for the time given
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <expected>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <damrak/gateway/connection_slots.hpp>
#include <damrak/gateway/detail/deferred.hpp>
#include <damrak/net/watch_handle.hpp>
#include <damrak/session/activity_list.hpp>
#include <damrak/session/output_buffer.hpp>
#include <damrak/session/received.hpp>
#include <damrak/telemetry/records.hpp>

namespace damrak::gateway {

struct TcpDoorConfig {
    std::string address = "127.0.0.1";
    std::uint16_t port = 0;  ///< zero takes a free one
    std::uint32_t maximum_connections = 4'096;
    /// Read of a connection in one turn. A client that floods delays the others by no more; one
    /// with a larger window is served again in the next turn.
    std::size_t read_bytes = 2'048;
    std::size_t input_bytes = 2'048;  ///< kept of a connection: the longest message
    std::size_t output_bytes = 524'288;
    std::int64_t silence_ns = 1'000'000'000'000;  ///< after which on_silent() is called
};

template <class Network, class Owner>
class TcpDoor {
  public:
    struct Connection;

    TcpDoor(TcpDoorConfig config, Owner& owner, Network network);
    ~TcpDoor();
    TcpDoor(const TcpDoor&) = delete;
    TcpDoor& operator=(const TcpDoor&) = delete;

    [[nodiscard]] std::expected<void, std::string> listen();
    [[nodiscard]] std::uint16_t port() const { return port_; }

    /// There is work that does not wait for the network.
    [[nodiscard]] bool busy() const {
        return accept_more_ || !to_read_.empty() || deferred_.size() > 0 ||
               (!blocked_.empty() && !owner_->ready());
    }
    /// Somebody is held back and wants another look, though the network has nothing to tell.
    [[nodiscard]] bool has_blocked() const { return !blocked_.empty(); }

    /// Waits for at most that long, lets clients in and takes what they send. Returns the messages.
    std::size_t poll(int wait_ms);
    /// Of the last poll; while bytes are handled, of the read that brought them.
    [[nodiscard]] Timestamp time() const { return time_; }
    /// Writes to every client with answers, and closes ended connections. All that was reported is
    /// durable.
    void flush();
    /// Writes what can be written and ends every connection; nobody is let in any more.
    void close();

    /// It has something to send.
    void queue_write(Connection& connection) {
        if (!std::exchange(connection.queued_write, true)) to_write_.push_back(&connection);
    }
    void queue_write(ConnectionNumber number) { queue_write(slots_.at(number)); }
    /// What it has sent is to be looked at again, though no more came.
    void look_again(Connection& connection) { queue_read(connection); }
    [[nodiscard]] Connection& at(ConnectionNumber number) { return slots_.at(number); }
    void end(Connection& connection, std::string_view reason);
    /// From here on silence does not matter.
    void forget_activity(Connection& connection) {
        if (connection.listed()) activity_.remove(connection);
    }
    /// Silence is counted from now on.
    void watch_activity(Connection& connection, Timestamp now) { activity_.add(connection, now); }

    /// poll() also wakes up for what becomes readable there, and then sets `signalled`.
    [[nodiscard]] bool wake_up_for(int descriptor, bool& signalled) {
        signalled_.push_back(&signalled);
        return network_.watch_also(descriptor,
                                   {.kind = net::WatchHandle::Kind::other,
                                    .number = static_cast<std::uint32_t>(signalled_.size())});
    }
    [[nodiscard]] int wake_source() const { return network_.descriptor(); }
    [[nodiscard]] Network& network() { return network_; }
    [[nodiscard]] const Network& network() const { return network_; }
    [[nodiscard]] Timestamp now() { return {network_.now_ns()}; }
    /// Where it comes from, as the event log tells it; empty where the network has no addresses.
    [[nodiscard]] telemetry::Peer peer_of(const Connection& connection) const;
    [[nodiscard]] std::size_t connections() const { return open_; }
    template <class F>
    void for_each(F&& f) {
        for (const auto& slot : slots_.all())
            if (slot->open()) f(*slot);
    }

  private:
    using Connections = std::vector<Connection*>;

    /// Each costs as much as some dozens of orders, for which the others wait.
    static constexpr std::size_t k_accepts_a_turn = 4;
    static constexpr std::size_t k_served_behind_a_turn = 4;

    void wait(int wait_ms);
    void accept_waiting();
    void open(typename Network::Socket socket);
    void serve_waiting();
    void serve(Connection& connection);
    void flush(Connection& connection);
    void queue_read(Connection& connection);
    void end_silent();

    TcpDoorConfig config_;
    Owner* owner_;
    Network network_;
    std::uint16_t port_ = 0;
    detail::ConnectionSlots<Connection> slots_;
    std::size_t open_ = 0;
    Connections to_read_;
    Connections reading_;
    detail::Deferred<Connection> deferred_;
    Connections blocked_;  ///< with messages that must wait
    Connections to_write_;
    Connections writing_;
    session::ActivityList activity_;
    std::vector<bool*> signalled_;  ///< by the doors that this one wakes up for
    Timestamp time_{};
    std::size_t messages_ = 0;  ///< of this turn
    bool accept_more_ = false;
};

}  // namespace damrak::gateway

#include <damrak/gateway/detail/tcp_door.hpp>
