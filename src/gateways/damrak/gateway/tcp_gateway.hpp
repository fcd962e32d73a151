// The connections of a TCP gateway, independent of the protocol. Accepts clients, reads a quota
// from each readable one, serves clients that burden the others last, suspends those that must
// wait, and writes once a turn to each with answers. The owner implements the protocol.
//
// Its connections are a row (budget/row.hpp). One that has not said who it is ends when another one
// comes and there is no place left, the longest waiting first; so the owner calls settle() at each
// login.
//
// The network is net::TcpNetwork or a simulated one. One thread. A connection costs its buffers
// when accepted; reads and writes allocate nothing. A client's mistake ends its own connection
// only.
//
// The owner has:
//
//   struct Client                       its data of a connection, new for each
//   on_opened(connection)               a client connected
//   on_read(bytes)                      size of one read
//   on_bytes(connection, bytes) -> session::Received     unconsumed bytes are passed again
//   ready() -> bool                     blocked clients may continue: do not sleep
//   may_end(connection) -> bool         no answers are pending
//   end_reason(connection) -> optional<string_view>      set: close after sending its output
//   on_written(connection, offered, sent)
//   on_ended(connection, reason)        before its socket is closed; what it adds to an empty
//                                       output is sent, if the kernel takes it
//   on_silent(connection)               the client was silent for silence_ns
//   on_no_room(what)                    optional: a connection was refused, as many as may be
//                                       are open; in words for the operator
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

#include <damrak/budget/row.hpp>
#include <damrak/gateway/connection_slots.hpp>
#include <damrak/gateway/detail/deferred.hpp>
#include <damrak/net/watch_handle.hpp>
#include <damrak/session/activity_list.hpp>
#include <damrak/session/output_buffer.hpp>
#include <damrak/session/received.hpp>
#include <damrak/telemetry/records.hpp>

namespace damrak::gateway {

/// Where a gateway over TCP listens, and the limits of its connections.
struct TcpGatewayConfig {
    std::string address = "127.0.0.1";
    std::uint16_t port = 0;  ///< zero: any free port
    std::uint32_t maximum_connections = 4'096;
    /// Bytes read from a connection in one turn. This bounds the delay that a flooding client
    /// causes to others. A client with more data is served again in the next turn.
    std::size_t read_bytes = 2'048;
    std::size_t input_bytes = 2'048;  ///< buffer of a connection: the longest message
    std::size_t output_bytes = 524'288;
    std::int64_t silence_ns = 1'000'000'000'000;  ///< on_silent() follows after this
};

template <class Network, class Owner>
class TcpGateway {
  public:
    struct Connection;

    TcpGateway(TcpGatewayConfig config, Owner& owner, Network network);
    ~TcpGateway();
    TcpGateway(const TcpGateway&) = delete;
    TcpGateway& operator=(const TcpGateway&) = delete;

    [[nodiscard]] std::expected<void, std::string> listen();
    [[nodiscard]] std::uint16_t port() const { return port_; }

    /// It has work that needs no network input.
    [[nodiscard]] bool busy() const {
        return accept_more_ || !to_read_.empty() || deferred_.size() > 0 ||
               (!blocked_.empty() && !owner_->ready());
    }
    /// A suspended client needs another try, without network input.
    [[nodiscard]] bool has_blocked() const { return !blocked_.empty(); }

    /// Waits at most that long, accepts clients and handles their input. Returns the number of
    /// messages.
    std::size_t poll(int wait_ms);
    /// Time of the last poll; while bytes are handled, of the read that brought them.
    [[nodiscard]] Timestamp time() const { return time_; }
    /// Writes to every client with answers, and closes ended connections. Call it once the reports
    /// are durable.
    void flush();
    /// Writes what it can, ends every connection and accepts no more.
    void close();

    /// Marks the connection as having output.
    void queue_write(Connection& connection) {
        if (!std::exchange(connection.queued_write, true)) to_write_.push_back(&connection);
    }
    void queue_write(ConnectionNumber number) { queue_write(slots_.at(number)); }
    /// Handles its unconsumed bytes again, without new input.
    void look_again(Connection& connection) { queue_read(connection); }
    [[nodiscard]] Connection& at(ConnectionNumber number) { return slots_.at(number); }
    void end(Connection& connection, std::string_view reason);
    /// The client of this connection is that identity or, if it is zero, a stranger. If that one
    /// may have no more connections, the connection stays what it was.
    [[nodiscard]] std::expected<void, budget::Refusal> settle(Connection& connection,
                                                              ParticipantId identity);
    /// Where the client comes from; zero if nobody can tell.
    [[nodiscard]] net::ClientAddress host_of(const Connection& connection) const;
    /// What strangers may have together, in percent.
    void set_strangers_share(std::uint32_t percent) { row_.set(parts(percent)); }
    /// Any thread.
    [[nodiscard]] budget::Row::Figures places() const { return row_.figures(); }
    /// Stops watching the connection for silence.
    void forget_activity(Connection& connection) {
        if (connection.listed()) activity_.remove(connection);
    }
    /// Watches the connection for silence from now on.
    void watch_activity(Connection& connection, Timestamp now) { activity_.add(connection, now); }

    /// poll() also wakes up when this descriptor is readable, and then sets `signalled`.
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
    /// The peer's address for the event log; empty if the network has no addresses.
    [[nodiscard]] telemetry::Peer peer_of(const Connection& connection) const;
    [[nodiscard]] std::size_t connections() const { return row_.figures().used; }
    template <class F>
    void for_each(F&& f) {
        for (const auto& slot : slots_.all())
            if (slot->open()) f(*slot);
    }

  private:
    using Connections = std::vector<Connection*>;

    /// An accept costs as much as some dozens of orders, which wait for it.
    static constexpr std::size_t k_accepts_a_turn = 4;
    static constexpr std::size_t k_served_behind_a_turn = 4;

    /// Some connections are for those who have not said who they are, so that each is answered.
    [[nodiscard]] budget::Row::Parts parts(std::uint32_t percent_of_strangers) const {
        constexpr std::uint32_t k_waiting_part = 64;
        const std::uint32_t most = config_.maximum_connections;
        const std::uint32_t known = most == 1 ? 1 : most - 1 - most / k_waiting_part;
        const std::uint64_t wanted = std::uint64_t{most} * percent_of_strangers / 100;
        return budget::Row::Parts::of(
            most, static_cast<std::uint32_t>(std::min<std::uint64_t>(known, wanted)));
    }
    void wait(int wait_ms);
    void accept_waiting();
    [[nodiscard]] bool is_for_client(const typename Network::Socket& socket) const;
    void refuse(const typename Network::Socket& socket);
    [[nodiscard]] budget::Row::Place take_place();
    void open(typename Network::Socket socket, budget::Row::Place place);
    void serve_waiting();
    void serve(Connection& connection);
    void flush(Connection& connection);
    void queue_read(Connection& connection);
    void end_silent();

    TcpGatewayConfig config_;
    Owner* owner_;
    Network network_;
    std::uint16_t port_ = 0;
    budget::Row row_;
    detail::ConnectionSlots<Connection> slots_;
    Connections to_read_;
    Connections reading_;
    detail::Deferred<Connection> deferred_;
    Connections blocked_;  ///< their messages must wait
    Connections to_write_;
    Connections writing_;
    session::ActivityList activity_;
    session::ActivityList waiting_;  ///< those that have not said who they are
    std::vector<bool*> signalled_;   ///< of gateways for which this one waits
    Timestamp time_{};
    std::size_t messages_ = 0;  ///< of this turn
    bool accept_more_ = false;
};

}  // namespace damrak::gateway

#include <damrak/gateway/detail/tcp_gateway.hpp>
