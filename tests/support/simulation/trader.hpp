// A client in a simulated world: connects, trades at random, sometimes misbehaves, loses its
// connection in any way, and reconnects. It uses client::BinaryClient; its conversation checks what
// it receives. Stepped by the world; everything follows from its random stream.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <support/simulation/network.hpp>

#include <damrak/client/binary_client.hpp>

#include "support/simulation/conversation.hpp"

namespace damrak::simulation {

/// In percent of the occasions, or per ten thousand where the name says so.
struct TraderPlan {
    Version version = Version::v1;
    bool keyed = false;  ///< logs in with a key that identifies it
    simulation::LinkRules link{};
    std::uint32_t window = 4;  ///< maximum number of unanswered requests
    std::uint32_t wrong_percent = 6;
    std::uint32_t lost_per_10k = 20;   ///< the connection ends, in one way or another
    std::uint32_t stall_per_10k = 10;  ///< reads nothing for a while
};

class Trader {
  public:
    Trader(std::uint64_t client, const TraderPlan& plan, std::uint64_t seed)
        : client_number_(client), plan_(plan), random_(seed) {}

    [[nodiscard]] static wire::binary::ApiKey key_of(std::uint64_t client) {
        return {std::byte{'k'}, static_cast<std::byte>(client)};
    }

    /// Runs one step. Returns a fault in what it received, if any.
    [[nodiscard]] Finding step(simulation::Network& network, std::uint64_t now_us, bool asking);
    /// Closes its connection in order.
    void leave() { drop(&simulation::ClientSocket::close); }

    [[nodiscard]] std::uint64_t client() const { return client_number_; }
    [[nodiscard]] const TraderPlan& plan() const { return plan_; }
    [[nodiscard]] bool connected() const { return socket_.open(); }
    [[nodiscard]] const simulation::ClientSocket& socket() const { return socket_; }
    /// The current conversation, or the last.
    [[nodiscard]] Conversation* conversation() const { return conversation_.get(); }
    [[nodiscard]] std::uint64_t vanished() const { return vanished_; }
    [[nodiscard]] std::uint64_t heard() const { return heard_; }
    /// A description, for diagnosing why it is not served.
    [[nodiscard]] std::string state() const;
    /// Whether all its requests were answered, and all sent data was read.
    [[nodiscard]] bool is_served() const {
        return outgoing_.empty() && conversation_->unanswered() == 0 &&
               conversation_->is_reported();
    }
    /// Called with each line for the log.
    std::function<void(const std::string&)> note{};

    // Called by the client library.
    void on_hello(const Header& header, const wire::binary::HelloAck& ack);
    void on_logout(const Header& header, const wire::binary::LogoutAck& ack);
    void on_order_ack(const Header& header, const wire::binary::OrderAck& ack);
    void on_cancel_ack(const Header& h, const wire::binary::CancelAck& ack) { take(h, ack); }
    void on_modify_ack(const Header& header, const wire::binary::ModifyAck& ack);
    void on_trade(const Header& header, const wire::binary::Trade& trade) { take(header, trade); }
    void on_error(const Header& header, const wire::binary::Error& error) { take(header, error); }
    void on_timeout(const Header& header, const wire::binary::SessionTimeout& timeout) {
        take(header, timeout);
    }

  private:
    using Bytes = std::vector<std::byte>;

    void connect(simulation::Network& network);
    void drop(void (simulation::ClientSocket::*how)());
    [[nodiscard]] Finding receive();
    void send();
    void misbehave();
    void ask(std::uint64_t now_us);
    void ask_hello();
    void ask_logout();
    void ask_order(std::uint64_t now_us);
    void ask_cancel();
    void ask_modify();
    void ask_nonsense();
    void beat();
    void push(Request request, std::size_t length, std::uint64_t client_id = 0);
    void take(const Header& header, const Message& message);
    [[nodiscard]] bool chance(std::uint32_t percent) { return random_.below(100) < percent; }
    [[nodiscard]] OrderId some_order();
    [[nodiscard]] std::uint64_t some_price() { return 10'000 - 4 + random_.below(9); }

    std::uint64_t client_number_;
    TraderPlan plan_;
    RandomStream random_;
    simulation::ClientSocket socket_;
    client::BinaryClient speech_;
    std::unique_ptr<Conversation> conversation_;
    /// Ended conversations; the witness may still refer to them.
    std::vector<std::unique_ptr<Conversation>> past_;
    std::deque<std::byte> outgoing_;
    Bytes incoming_;
    std::array<std::byte, client::BinaryClient::k_largest_request_bytes> memory_{};
    Bytes last_sent_;
    std::vector<OrderId> orders_;
    Finding finding_;
    bool logged_in_ = false;
    bool asked_to_leave_ = false;
    bool finished_ = false;  ///< it closed its end: nothing follows
    std::uint32_t pause_ = 0;
    std::uint32_t stall_ = 0;
    std::uint64_t vanished_ = 0;
    std::uint64_t heard_ = 0;
    std::uint64_t names_ = 0;
};

}  // namespace damrak::simulation
