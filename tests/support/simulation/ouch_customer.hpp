// A client of the OUCH gateway in a simulated world, of either version, over a link that is lost in
// every way, whose process dies as well, and then asks for messages again that it had. It sends
// again what was not answered, after each login, and now and then what was. When a day ends, it
// begins the next session with its first token, and now and then reads a past one again. It
// compares each message that comes again byte by byte, and judges all by its ledger
// (ouch_ledger.hpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <support/simulation/network.hpp>

#include <damrak/base/random.hpp>
#include <damrak/gateway/ouch/detail/ouch_tag.hpp>

#include "support/simulation/ouch_ledger.hpp"
#include "support/simulation/ouch_message.hpp"
#include "support/simulation/soup_peer.hpp"

namespace damrak::simulation {

/// What happened to clients.
struct OuchCounts {
    std::uint64_t losses = 0;     ///< of links
    std::uint64_t deaths = 0;     ///< of clients
    std::uint64_t logouts = 0;    ///< of connections
    std::uint64_t glances = 0;    ///< logins for new messages alone
    std::uint64_t repeated = 0;   ///< messages that came again
    std::uint64_t resent = 0;     ///< requests that were not answered
    std::uint64_t reentered = 0;  ///< requests that were
    std::uint64_t sessions = 0;   ///< that ended
    std::uint64_t rereads = 0;    ///< of whole sessions that had ended
    void add(const OuchCounts& other);
};

class OuchCustomer {
  public:
    OuchCustomer(std::uint32_t number, std::uint64_t seed, OuchVersion version, OuchEnds ends);
    OuchCustomer(const OuchCustomer&) = delete;
    OuchCustomer& operator=(const OuchCustomer&) = delete;

    /// Returns the first fault, if any. `troubled`: it sends requests and loses its link.
    [[nodiscard]] std::optional<std::string> step(simulation::Network& network, Timestamp now,
                                                  bool troubled);

    [[nodiscard]] SessionId session() const { return gateway::ouch::ouch_session(name_); }
    [[nodiscard]] const std::string& name() const { return name_; }
    /// Messages that it was sent, by their numbers, from 1; of each session.
    [[nodiscard]] std::vector<std::vector<OuchMessage>> sessions() const;
    [[nodiscard]] const OuchLedger& ledger() const { return ledger_; }
    [[nodiscard]] std::uint64_t orders() const { return orders_; }
    /// To all of its messages.
    [[nodiscard]] bool logged_in() const { return in_ && !glances_ && !rereads_; }
    [[nodiscard]] const OuchCounts& counts() const { return counts_; }

  private:
    struct Request {
        OuchRequest asked;
        OuchBytes bytes;
    };

    void connect(simulation::Network& network, Timestamp now);
    void hear(const SoupPacket& packet);
    void on_accepted(const SoupPacket& packet);
    void on_message(std::uint64_t number, const OuchBytes& bytes);
    void compare(std::uint64_t number, const OuchBytes& before, const OuchBytes& bytes);
    void on_session_over();
    void forget_answered(const OuchMessage& message);
    void lose(bool troubled);

    void trade();
    void enter();
    void change(const std::string& order, const OuchLedger::Open& open);
    void ask(const OuchRequest& request);
    void enter_again();
    [[nodiscard]] std::string next_order();
    void complain(std::string what);

    RandomStream random_;
    std::string name_;
    OuchVersion version_;
    simulation::LinkRules rules_;
    SoupPeer peer_;
    OuchLedger ledger_;

    bool in_ = false;       ///< logged in
    bool leaves_ = false;   ///< it has logged out
    bool glances_ = false;  ///< at new messages alone
    std::uint64_t wanted_ = 1;
    std::uint64_t next_ = 1;  ///< number of the message that comes next
    std::string exchange_session_;

    std::uint32_t requests_ = 0;
    std::uint64_t orders_ = 0;
    struct PastSession {
        std::string name;
        std::vector<OuchMessage> messages;
    };
    std::vector<PastSession> past_;
    std::optional<std::size_t> rereads_;  ///< this one of them
    std::deque<Request> unanswered_;      ///< in the order of their references
    std::vector<OuchMessage> messages_;
    std::map<std::uint64_t, OuchBytes> ahead_;  ///< that it has seen before those before them
    OuchCounts counts_;
    std::optional<std::string> complaint_;
};

}  // namespace damrak::simulation
