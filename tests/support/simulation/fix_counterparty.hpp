// A client of the FIX gateway in a simulated world: a session of the library over a link that fails
// in every way, whose process crashes too, losing received messages. It checks each message, and
// reports any misbehaviour of the other side.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <support/simulation/network.hpp>

#include <damrak/base/random.hpp>
#include <damrak/session/fix/memory_store.hpp>
#include <damrak/session/fix/session.hpp>

namespace damrak::simulation {

class FixCounterparty {
  public:
    using Session = session::fix::Session<FixCounterparty, session::fix::MemoryStore>;
    using Message = fix_codec::Message;

    FixCounterparty(std::uint32_t number, std::uint64_t seed, Timestamp now);
    FixCounterparty(const FixCounterparty&) = delete;
    FixCounterparty& operator=(const FixCounterparty&) = delete;

    /// Returns the first fault, if any. `troubled`: it sends requests and loses its link.
    [[nodiscard]] std::optional<std::string> step(simulation::Network& network, Timestamp now,
                                                  bool troubled);

    /// ExecIDs of the event reports that the session passed to the application.
    [[nodiscard]] const std::vector<std::string>& reports() const { return reports_; }
    /// ClOrdIDs of its new orders.
    [[nodiscard]] const std::vector<std::string>& orders() const { return orders_; }
    /// Its operator resets the numbers at the next Logon.
    void start_over(Timestamp now);
    [[nodiscard]] bool started_over() const { return started_over_; }
    /// Number of orders and reports when the sequence numbers were reset.
    [[nodiscard]] std::size_t earlier_reports() const { return earlier_reports_; }
    [[nodiscard]] std::size_t earlier_orders() const { return earlier_orders_; }
    [[nodiscard]] std::uint64_t losses() const { return losses_; }
    [[nodiscard]] std::uint64_t deaths() const { return deaths_; }
    [[nodiscard]] std::uint64_t duplicates() const { return duplicates_; }
    [[nodiscard]] bool logged_on() const { return session_->logged_on(); }
    [[nodiscard]] std::string name() const { return settings_.name.sender_comp_id; }

    std::function<void(const std::string&)> note{};

    // Called by the session.
    void on_logon(Session& /*session*/) { settings_.reset_on_logon = false; }
    void on_logout(Session& /*session*/, session::fix::Ended /*reason*/,
                   std::string_view /*text*/) {}
    void on_admin(Session& session, const Message& message);
    session::fix::Reply on_message(Session& session, const Message& message);

  private:
    struct Open {
        char side = '1';
        std::string symbol;
    };

    void trade(Timestamp now);
    void send_order(Timestamp now);
    void send_cancel(Timestamp now);
    void connect(simulation::Network& network, Timestamp now);
    void move_bytes(Timestamp now);
    void hear(std::span<const std::byte> bytes);
    void check(const Message& message);
    void lose(Timestamp now, bool dies);
    void complain(std::string what);
    [[nodiscard]] std::string next_name();

    RandomStream random_;
    session::fix::SessionSettings settings_;
    session::fix::SessionTools tools_;
    session::fix::MemoryStore store_;
    std::vector<std::byte> memory_;
    session::OutputBuffer out_{{}};
    std::unique_ptr<Session> session_;
    simulation::LinkRules rules_;
    simulation::ClientSocket socket_;
    std::string inbox_;  ///< not processed by the session yet
    std::string heard_;  ///< not checked yet
    fix_codec::Decoder decoder_{256};

    std::uint32_t requests_ = 0;
    std::vector<std::string> orders_;
    std::vector<std::string> reports_;
    std::map<std::string, Open, std::less<>> open_;              ///< by name
    std::uint64_t highest_ = 0;                                  ///< MsgSeqNum of a first sending
    std::map<std::string, std::uint64_t, std::less<>> numbers_;  ///< by ExecID
    bool started_over_ = false;
    std::size_t earlier_reports_ = 0;
    std::size_t earlier_orders_ = 0;
    std::uint64_t losses_ = 0;
    std::uint64_t deaths_ = 0;
    std::uint64_t duplicates_ = 0;
    std::optional<std::string> complaint_;
};

}  // namespace damrak::simulation
