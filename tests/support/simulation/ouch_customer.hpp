// A client of the OUCH gateway in a simulated world, in either version: a session of the library
// over a link that fails in every way, whose process crashes too and then requests messages again.
// After each login it resends unanswered requests. It checks each message; a repeated one must be
// the same.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <damrak/base/random.hpp>
#include <damrak/ouch_gateway/ouch_tag.hpp>
#include <damrak/session/soupbin/soup_client.hpp>
#include <damrak/sim/network.hpp>

#include "support/simulation/ouch_message.hpp"

namespace damrak::simulation {

class OuchCustomer {
  public:
    OuchCustomer(std::uint32_t number, std::uint64_t seed, session::ouch::Version version);
    OuchCustomer(const OuchCustomer&) = delete;
    OuchCustomer& operator=(const OuchCustomer&) = delete;

    /// Returns the first fault, if any. `troubled`: it sends requests and loses its link.
    [[nodiscard]] std::optional<std::string> step(sim::Network& network, Timestamp now,
                                                  bool troubled);

    [[nodiscard]] SessionId session() const { return gateway::ouch_session(name_); }
    [[nodiscard]] const std::string& name() const { return name_; }
    /// Messages that it received, by number, from 1.
    [[nodiscard]] const std::vector<OuchMessage>& messages() const { return messages_; }
    /// Tokens of its new orders.
    [[nodiscard]] const std::vector<std::string>& orders() const { return orders_; }
    [[nodiscard]] bool logged_in() const {
        return socket_.open() && client_->state() == session::SoupState::logged_in;
    }
    [[nodiscard]] std::uint64_t losses() const { return losses_; }
    [[nodiscard]] std::uint64_t deaths() const { return deaths_; }
    /// Messages received again.
    [[nodiscard]] std::uint64_t repeated() const { return repeated_; }
    /// Requests sent again.
    [[nodiscard]] std::uint64_t resent() const { return resent_; }

    // Called by the session.
    void on_accepted(std::string_view session, std::uint64_t next);
    void on_message(std::uint64_t number, std::span<const std::byte> bytes);
    void on_unsequenced(std::span<const std::byte> /*bytes*/) { complain("unsequenced data"); }

  private:
    using Client = session::SoupClient<OuchCustomer>;
    struct Request {
        std::string order;  ///< its own, if any
        std::string about;  ///< the order to change
        std::vector<std::byte> bytes;
    };
    struct Open {
        std::uint64_t quantity = 0;
        char side = 'B';
    };

    void begin(std::uint64_t next);
    void trade(Timestamp now);
    void enter();
    void change(const std::string& order, const Open& open);
    void cancel_all();
    template <class M>
    void ask(std::string order, std::string about, const M& message);
    [[nodiscard]] std::string next_order();
    void note(const OuchMessage& message);
    void move_bytes(Timestamp now);
    void lose(bool dies);
    void complain(std::string what);

    RandomStream random_;
    std::string name_;
    session::ouch::Version version_;
    std::vector<std::byte> memory_;
    session::OutputBuffer out_{{}};
    std::unique_ptr<Client> client_;
    sim::LinkRules rules_;
    sim::ClientSocket socket_;
    std::vector<std::byte> inbox_;

    std::uint32_t requests_ = 0;
    std::vector<std::string> orders_;
    std::map<std::string, Open, std::less<>> open_;
    std::deque<Request> unanswered_;  ///< in the order of their references
    std::size_t unsent_ = 0;          ///< index of the first of these not sent on this connection
    std::vector<OuchMessage> messages_;
    std::uint64_t losses_ = 0;
    std::uint64_t deaths_ = 0;
    std::uint64_t repeated_ = 0;
    std::uint64_t resent_ = 0;
    std::optional<std::string> complaint_;
};

}  // namespace damrak::simulation
