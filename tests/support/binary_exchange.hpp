// A small exchange around real sessions and the real engine, without sockets: the gateway for tests
// of binary sessions and for their fuzz target.
//
//   BinaryExchange exchange;
//   BinaryClient& alice = exchange.connect();   alice.hello();   alice.buy(100, 10'123);
//   EXPECT_THAT(alice.heard(), ElementsAre("hello_ack 1", "order_ack 1 #1 100@10123"));
//
// Commands are applied inside submit() or, if `deferred`, only in run(), as in an exchange whose
// answers come later.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <damrak/engine/engine.hpp>
#include <damrak/gateway/binary/order_names.hpp>
#include <damrak/session/binary_session.hpp>

#include "support/bytes.hpp"
#include "support/recorded_engine.hpp"

namespace damrak::testing {

class BinaryExchange;

/// The client's end of a connection, and the session at the other end.
class BinaryClient {
  public:
    using Session = session::BinarySession<BinaryExchange>;
    using Version = wire::binary::Version;

    BinaryClient(BinaryExchange& exchange, std::uint64_t id, Version version);

    /// Sends the message with the next number, or with `sequence`, from which numbering continues.
    template <class M>
    void send(const M& message, std::optional<std::uint32_t> sequence = {}) {
        sequence_ = sequence.value_or(sequence_ + 1);
        Bytes bytes(wire::binary::frame_length<M>(version_));
        encode(version_, {.client = sequence_, .server = 0}, message, bytes);
        send_bytes(bytes);
    }
    void send_hex(std::string_view hex) { send_bytes(from_hex(hex)); }
    void send_bytes(std::span<const std::byte> bytes);

    void hello(std::optional<std::uint32_t> sequence = {});
    void logout(std::optional<std::uint32_t> sequence = {});
    void buy(std::uint64_t quantity, std::uint64_t price_e2) { order(0, quantity, price_e2); }
    void sell(std::uint64_t quantity, std::uint64_t price_e2) { order(1, quantity, price_e2); }
    /// In version 2 the n-th order sent has n as its client order id.
    void order(std::uint8_t side, std::uint64_t quantity, std::uint64_t price_e2);
    [[nodiscard]] wire::binary::NewOrder order_of(std::uint8_t side, std::uint64_t quantity,
                                                  std::uint64_t price_e2);
    void cancel(std::uint64_t order_id, std::optional<std::uint32_t> sequence = {});
    void modify(std::uint64_t order_id, std::uint64_t quantity, std::uint64_t price_e2,
                std::optional<std::uint32_t> sequence = {});

    /// Messages received since the last call: as lines of hexadecimal groups, one per message; as
    /// text; or as text with the numbers of the header before it ("3/2 hello_ack 1").
    [[nodiscard]] std::vector<std::string> heard_hex();
    [[nodiscard]] std::vector<std::string> heard();
    [[nodiscard]] std::vector<std::string> heard_with_numbers();
    Bytes heard_bytes();

    /// Passes unread input to the session as long as it accepts any.
    void feed();

    [[nodiscard]] Session& session() { return session_; }
    [[nodiscard]] session::OutputBuffer& output() { return output_; }
    [[nodiscard]] std::size_t waiting_bytes() const { return input_.size(); }
    [[nodiscard]] std::uint32_t last_sequence() const { return sequence_; }

  private:
    BinaryExchange* exchange_;
    Version version_;
    Bytes input_;
    Bytes memory_;
    session::OutputBuffer output_;
    Session session_;
    std::uint32_t sequence_ = 0;
    std::uint64_t orders_ = 0;
};

struct BinaryExchangeOptions {
    session::BinaryRules rules{};
    bool deferred = false;
    std::size_t output_bytes = 65'536;
    std::size_t queue_commands = 1'000;
    /// If not empty, only these may log in.
    std::map<wire::binary::ApiKey, ParticipantId> api_keys{};
};

class BinaryExchange {
  public:
    using Options = BinaryExchangeOptions;

    /// With instruments 1 and 2, and participant n for connection n.
    explicit BinaryExchange(Options options = {});

    BinaryClient& connect(wire::binary::Version version = wire::binary::Version::v1);
    /// One that is logged in, and has heard so.
    BinaryClient& entered(wire::binary::Version version);
    /// What a client heard since the last call, once all is done.
    std::vector<std::string> heard(BinaryClient& client);
    /// The connection is lost; the client object stays, but its session receives nothing more.
    void disconnect(BinaryClient& client);

    /// Applies queued commands and delivers their events, until nothing more follows.
    void run();
    /// Applies a command of an operator or of the sequencer.
    void apply(const Command& command);

    // Called by a session.
    void submit(const Command& command, const Origin& origin);
    [[nodiscard]] bool ready() const { return queue_.size() + 2 <= options_.queue_commands; }
    [[nodiscard]] std::expected<ParticipantId, session::binary::HelloStatus> authenticate(
        SessionId session, std::span<const std::byte> key);
    [[nodiscard]] bool has_instrument(InstrumentId id) const {
        return engine_.instrument(id) != nullptr;
    }
    [[nodiscard]] bool below_zero(InstrumentId id) const {
        return has_instrument(id) && engine_.instrument(id)->below_zero();
    }
    [[nodiscard]] ClientOrderId client_order_id(OrderId id) const {
        return names_.client_order_id(id);
    }

    void on_event(const Event& event) { events_.push_back(event); }

    [[nodiscard]] const Options& options() const { return options_; }
    [[nodiscard]] const gateway::binary::OrderNames& names() const { return names_; }
    [[nodiscard]] const EngineInto<BinaryExchange>& engine() const { return engine_; }
    [[nodiscard]] const std::vector<Command>& commands() const { return journal_; }

    Timestamp now{1'000'000};  ///< microsecond 1000 of the epoch

  private:
    struct Queued {
        Command command;
        Origin origin;
    };
    void apply_queued();
    void deliver(const Origin& cause, const CommandStamp& stamp);
    [[nodiscard]] BinaryClient* connected(SessionId id);

    Options options_;
    EngineInto<BinaryExchange> engine_;
    gateway::binary::OrderNames names_;
    std::vector<std::unique_ptr<BinaryClient>> clients_;
    std::vector<bool> connected_;
    std::deque<Queued> queue_;
    std::vector<Event> events_;
    std::vector<Command> journal_;
    std::uint64_t sequence_ = 0;
    session::binary::Unasked unasked_;
};

}  // namespace damrak::testing

namespace damrak {
extern template class session::BinarySession<testing::BinaryExchange>;
}  // namespace damrak
