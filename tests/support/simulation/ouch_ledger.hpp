// What a user of OUCH in a simulated world knows from its own requests and messages, and what must
// hold of them whatever happens to links and exchange: an order is answered once, as it was asked;
// no order gives more than it has; what a lost connection cancels is reported before anything that
// was asked behind it. It knows neither the journal nor the gateway. Plain memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "support/simulation/ouch_message.hpp"

namespace damrak::simulation {

/// What the end of a connection does to the orders of its user.
struct OuchEnds {
    bool lost_cancels = false;
    bool logout_cancels = false;
};

class OuchLedger {
  public:
    struct Open {
        std::uint64_t quantity = 0;
        std::uint64_t executed = 0;
        char side = 'B';
        std::string symbol;
        std::uint64_t price_e4 = 0;
        std::uint64_t reference = 0;  ///< of the exchange
        bool rests = true;
        bool asked_about = false;  ///< to be changed or cancelled
    };
    /// A side of a trade.
    struct Fill {
        std::uint64_t match = 0;
        std::uint64_t quantity = 0;
        std::uint64_t price_e4 = 0;
        char side = ' ';
    };
    using Finding = std::optional<std::string>;

    OuchLedger(OuchVersion version, OuchEnds ends) : version_(version), ends_(ends) {}

    /// Logged in on another connection.
    void note_login() { ++logins_; }
    /// The connection is gone, with a logout that the exchange may have seen or without.
    void note_loss(bool logged_out);
    void note_asked(const OuchRequest& request);
    /// The session is over, and another one begins.
    void begin_session();
    /// The next message of the session.
    [[nodiscard]] Finding note(const OuchMessage& message);

    [[nodiscard]] const std::map<std::string, Open, std::less<>>& open() const { return open_; }
    [[nodiscard]] const std::vector<Fill>& fills() const { return fills_; }
    /// A request of `O`, `U` or `C` that was answered, with its own token; nothing: none yet.
    [[nodiscard]] const OuchRequest* answered(std::uint32_t which) const;
    /// The first order that was not answered.
    [[nodiscard]] Finding unanswered() const;

  private:
    struct Asked {
        OuchRequest request;
        std::uint64_t login = 0;  ///< on whose connection it was asked first
        bool answered = false;
    };

    [[nodiscard]] Finding on_system_event(const OuchMessage& message);
    [[nodiscard]] Finding answer(Asked*& asked, const OuchMessage& message, char letter);
    [[nodiscard]] Finding on_accepted(const OuchMessage& message);
    [[nodiscard]] Finding on_replaced(const OuchMessage& message);
    [[nodiscard]] Finding on_less(const OuchMessage& message);
    [[nodiscard]] Finding on_modified(const OuchMessage& message);
    [[nodiscard]] Finding on_mass_cancelled(const OuchMessage& message);
    [[nodiscard]] Finding check_reason(const Open& order, const OuchMessage& message) const;

    OuchVersion version_;
    OuchEnds ends_;
    std::uint64_t logins_ = 0;
    std::map<std::string, Asked, std::less<>> asked_;
    std::vector<std::string> answered_;
    std::map<std::string, Open, std::less<>> open_;
    std::set<std::string, std::less<>> doomed_;  ///< open when a connection was lost that cancels
    std::vector<Fill> fills_;
    bool asked_for_all_ = false;  ///< it has cancelled many at once
    bool began_ = false;
    bool ended_ = false;
    std::uint64_t highest_ = 0;  ///< reference of 5.0 that was answered
};

}  // namespace damrak::simulation
