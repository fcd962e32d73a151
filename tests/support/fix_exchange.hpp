// The FIX gateway without sockets on its own exchange: a real sequencer and journal, virtual time,
// sessions that store messages in memory. Clients send fields separated by bars and receive
// messages in the same form. For tests.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <damrak/budget/row.hpp>
#include <damrak/feed/market_snapshots.hpp>
#include <damrak/gateway/fix/detail/fix_application.hpp>
#include <damrak/journal/journal.hpp>
#include <damrak/net/client_address.hpp>
#include <damrak/sequencer/sequencer.hpp>
#include <damrak/session/fix/memory_store.hpp>

#include "support/scratch_folder.hpp"

namespace damrak::testing {

class FixTestExchange;
using FixTestApplication = gateway::fix::FixApplication<FixTestExchange, session::fix::MemoryStore>;

struct FixTestListener {
    FixTestApplication* application = nullptr;
    feed::MarketSnapshotWriter* market = nullptr;
    void on_event(const Event& event, const Origin& origin, const CommandStamp& stamp) const;
    void on_command_end(const Origin& origin) const;
    void on_replayed(const Event& /*event*/, const Origin& /*origin*/) const {}
};

class FixTestExchange : public sequencer::Sequencer<FixTestListener> {
  public:
    using Sequencer::Sequencer;
};

class FixExchange {
  public:
    explicit FixExchange(gateway::fix::FixApplicationConfig config = {});
    ~FixExchange();

    [[nodiscard]] FixTestApplication& application() { return *application_; }
    [[nodiscard]] gateway::Participants& participants() { return participants_; }
    [[nodiscard]] FixTestExchange& exchange() { return *exchange_; }
    /// An instrument with four decimals and ticks of a cent.
    void add_instrument(std::uint32_t id, std::string_view symbol);
    void submit(const Command& command, const Tag& tag = {});
    /// The first bytes of a connection, for which there always is a place.
    [[nodiscard]] FixTestApplication::Sessions::Admitted admit(
        std::span<const std::byte> bytes, session::OutputBuffer& out,
        gateway::ConnectionNumber connection);
    /// Reports to market data subscribers, a millisecond later.
    void tell_market();
    /// The same as if the follower of the exchange were silent.
    void tell_market_of_the_past();

    Timestamp now;
    net::ClientAddress comers_host{};  ///< of who connects

  private:
    ScratchFolder folder_;
    EngineConfig engine_;
    gateway::Participants participants_;
    feed::MarketSnapshots snapshots_;
    feed::MarketSnapshotWriter market_{snapshots_};
    FixTestListener listener_;
    std::unique_ptr<FixTestApplication> application_;
    std::unique_ptr<FixTestExchange> exchange_;
    std::unique_ptr<journal::Journal> journal_;
};

/// A client; `version` is FIX.4.0 to FIX.4.4, or FIX.5.0 and its service packs.
class FixTrader {
  public:
    FixTrader(FixExchange& exchange, std::string version, std::string comp_id);
    /// The first message of a connection.
    [[nodiscard]] static FixTestApplication::Sessions::Admitted begin_logon(
        FixExchange& exchange, std::string_view comp_id, gateway::ConnectionNumber connection,
        session::OutputBuffer& out);
    [[nodiscard]] static FixTestApplication::Sessions::Admitted begin_logon(
        FixExchange& exchange, std::string_view comp_id, gateway::ConnectionNumber connection);
    /// Reason for rejecting a Logon under this name; empty if accepted. `told`: the Text of the
    /// Logout.
    [[nodiscard]] static std::string refusal(FixExchange& exchange, std::string_view comp_id,
                                             std::string& told);
    FixTrader(const FixTrader&) = delete;
    FixTrader& operator=(const FixTrader&) = delete;
    ~FixTrader();

    /// Sends the next message: "35=D|11=a|55=TEST|…". Adds fields that the version requires (21,
    /// 60).
    void send(std::string_view fields);
    /// The same with a number that was used before.
    void send_again(std::uint64_t sequence, std::string_view fields);
    /// Messages received since the last call, one line each: the type, then the fields that tests
    /// check, in a fixed order; for market data everything except the header. Each message is
    /// validated by the dictionary of the version.
    [[nodiscard]] std::vector<std::string> told();
    /// The last message of told() in full, with bars.
    [[nodiscard]] const std::string& last() const { return last_; }
    void connect();
    void disconnect();
    [[nodiscard]] std::uint64_t next_sequence() const { return sequence_; }
    /// Bytes that the client has not read yet.
    [[nodiscard]] std::size_t waiting_bytes() const { return out_->size(); }

  private:
    void send_numbered(std::uint64_t sequence, std::string_view fields, std::string_view header);
    [[nodiscard]] std::string describe(const fix_codec::Message& message) const;

    FixExchange* exchange_;
    std::string version_;
    std::string comp_id_;
    std::vector<std::byte> memory_;
    std::unique_ptr<session::OutputBuffer> out_;
    FixTestApplication::Client* client_ = nullptr;
    std::uint64_t sequence_ = 1;
    std::string last_;
};

}  // namespace damrak::testing
