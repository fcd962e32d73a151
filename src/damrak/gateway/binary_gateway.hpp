// The door for clients of the binary protocol: joins TCP connections, their sessions and the
// sequencer. Polled by one thread; each turn reads from every connection that has something, within
// a quota, and writes once to every client that has answers.
//
// A client costs its buffers, a message no allocation. What one client does wrong ends its own
// connection only, with a reason that is told through `on_disconnect`.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <damrak/net/tcp.hpp>
#include <damrak/sequencer/sequencer.hpp>
#include <damrak/session/activity_list.hpp>
#include <damrak/session/binary_session.hpp>
#include <damrak/session/order_names.hpp>

namespace damrak::gateway {

struct BinaryGatewayConfig {
    std::string address = "127.0.0.1";
    std::uint16_t port = 12345;  ///< zero takes a free one
    std::uint32_t maximum_connections = 20'000;
    std::size_t input_bytes = 16'384;  ///< of a connection; as much is read of it in one turn
    std::size_t output_bytes = 524'288;
    std::int64_t session_timeout_ns = 1'000'000'000'000;
    session::BinaryRules rules{};
    /// If not empty, only these get in, as these participants.
    std::map<wire::binary::ApiKey, ParticipantId> api_keys{};
    /// Called for each connection that the exchange ends.
    std::function<void(SessionId, std::string_view reason)> on_disconnect{};
};

class BinaryGateway {
  public:
    using Sequencer = sequencer::Sequencer<BinaryGateway>;

    struct Counters {
        std::uint64_t accepted = 0;
        std::uint64_t messages = 0;
        std::uint64_t turns = 0;
        std::uint64_t reads = 0;
        std::uint64_t writes = 0;
    };

    BinaryGateway(BinaryGatewayConfig config, const EngineConfig& engine);
    ~BinaryGateway();

    /// The same for both, as each refers to the other. Before anything else.
    void attach(Sequencer& sequencer, journal::JournalWriter& writer);
    [[nodiscard]] std::expected<void, std::string> listen();
    [[nodiscard]] std::uint16_t port() const { return port_; }

    /// One turn; waits for at most that long if there is nothing to do. Returns the messages.
    std::size_t do_work(int wait_ms);
    /// Sends what can be sent and ends every session.
    void close();

    [[nodiscard]] std::size_t connections() const { return by_session_.size(); }
    [[nodiscard]] const Counters& counters() const { return counters_; }
    /// The journal takes nothing any more: nothing more will be done.
    [[nodiscard]] bool stopped() const { return stopped_; }

    // Of a session's door.
    void submit(const Command& command, const Origin& origin);
    [[nodiscard]] bool ready() const { return !stopped_ && sequencer_->ready(); }
    [[nodiscard]] ParticipantId authenticate(SessionId session, std::span<const std::byte> key);
    [[nodiscard]] bool has_instrument(InstrumentId id) const {
        return sequencer_->engine().instrument(id) != nullptr;
    }
    [[nodiscard]] ClientOrderId client_order_id(OrderId id) const {
        return names_.client_order_id(id);
    }

    // Of a listener.
    void on_event(const Event& event, const Origin& origin, const CommandStamp& stamp);
    void on_command_end(const Origin& origin);
    void on_replayed(const Event& event) { names_.on_event(event); }

  private:
    struct Connection;
    using Connections = std::vector<Connection*>;

    static constexpr std::size_t k_accepts_a_turn = 64;
    static constexpr std::size_t k_events_a_turn = 512;

    void accept_waiting();
    void open(net::Descriptor socket);
    void serve(Connection& connection);
    void flush_written();
    void flush(Connection& connection);
    void end(Connection& connection);
    void queue_read(Connection& connection);
    void queue_write(Connection& connection);
    [[nodiscard]] Connection* find(SessionId session);
    [[nodiscard]] ParticipantId new_participant();
    [[nodiscard]] Timestamp now();

    BinaryGatewayConfig config_;
    Sequencer* sequencer_ = nullptr;
    journal::JournalWriter* writer_ = nullptr;
    session::OrderNames names_;
    net::Descriptor listening_;
    std::uint16_t port_ = 0;
    std::optional<net::Poller> poller_;
    std::array<epoll_event, k_events_a_turn> events_{};

    std::vector<std::unique_ptr<Connection>> slots_;
    Connections free_;
    std::unordered_map<std::uint64_t, Connection*> by_session_;
    Connections by_participant_;
    std::vector<ParticipantId> unused_participants_;  ///< given back by those who never ordered
    Connections to_read_;
    Connections reading_;
    Connections to_write_;
    Connections writing_;
    session::ActivityList activity_;
    Connection* current_ = nullptr;  ///< whose bytes are handled
    SessionId last_session_{};
    ParticipantId last_participant_{};
    Timestamp last_time_{};
    Counters counters_;
    bool accept_more_ = false;
    bool stopped_ = false;
};

}  // namespace damrak::gateway
