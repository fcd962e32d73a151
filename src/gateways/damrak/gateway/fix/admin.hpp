// The administration of FIX sessions while the exchange runs: one thread asks and waits, the thread
// of the gateways answers within one of its turns. FixSessionTable owns the place where they meet
// and looks into it a hundred times a second; a look without a request costs one load. What the
// thread of the gateways does for a list neither allocates nor waits.
//
//   FixAdminAnswer answer = admin.ask(FixAdminAction::reset, "CLIENT1");       the asker's thread
//   admin.answer([](const FixAdminRequest&, FixAdminAnswer&) {…});             that of the gateways
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <damrak/domain/identifiers.hpp>
#include <damrak/session/fix/counters.hpp>
#include <damrak/session/fix/settings.hpp>

namespace damrak::gateway::fix {

enum class FixAdminAction : std::uint8_t {
    list,
    connect,
    disconnect,
    set_numbers,
    reset,
    add,     ///< a session that is let in from now on
    remove,  ///< one that is forgotten, and not let in from now on
};

/// What set_numbers sets: one of them, or both.
struct FixNumbers {
    std::optional<std::uint64_t> next_outgoing;
    std::optional<std::uint64_t> next_incoming;
};

/// What the operator asks of the FIX sessions.
struct FixAdminRequest {
    FixAdminAction action = FixAdminAction::list;
    /// Of an answer to a list, or of the one to be added; null for a list.
    std::shared_ptr<const session::fix::SessionName> session{};
    FixNumbers numbers{};
};

/// A FIX session as the operator sees it.
struct FixSessionState {
    enum class Connection : std::uint8_t {
        none,        ///< it was here before
        never,       ///< configured; nobody came yet
        logging_on,  ///< connected
        logged_on,
        logging_out,  ///< our Logout is on its way, or the client's answer to it
    };

    std::shared_ptr<const session::fix::SessionName> name{};
    ParticipantId participant{};  ///< zero: none yet
    Connection connection{};
    std::uint64_t next_outgoing = 1;
    std::uint64_t next_incoming = 1;
    bool has_gap = false;       ///< messages of the client are missing
    bool is_resending = false;  ///< the client is sent what it missed
};

/// The outcome of a request, and the sessions it concerns.
struct FixAdminAnswer {
    enum class Outcome : std::uint8_t {
        done,
        unknown_session,
        impossible,   ///< as the session is now
        unavailable,  ///< nobody answers
    };

    Outcome outcome = Outcome::done;
    std::string trouble{};  ///< what is wrong, and what to do
    /// All of them, or the one that was asked for as it is afterwards.
    std::vector<FixSessionState> sessions{};
    // Of a list:
    std::size_t unknown_sessions = 0;  ///< neither configured nor added
    session::fix::SessionCounters counters{};
};

/// Passes requests of the operator to the trading thread and answers back.
class FixAdmin {
  public:
    explicit FixAdmin(std::size_t maximum_sessions) : maximum_sessions_(maximum_sessions) {}
    FixAdmin(const FixAdmin&) = delete;
    FixAdmin& operator=(const FixAdmin&) = delete;
    ~FixAdmin() = default;

    // Of the asker's thread, which is one. Each waits for the answer: milliseconds, or `patience`
    // if the gateways are at a standstill.

    [[nodiscard]] FixAdminAnswer list(std::chrono::milliseconds patience = k_patience) {
        return ask(FixAdminRequest{}, patience);
    }
    /// `session` is "FIX.4.4:DAMRAK->CLIENT1", or the client's comp id alone where one session has
    /// it.
    [[nodiscard]] FixAdminAnswer ask(FixAdminAction action, std::string_view session,
                                     const FixNumbers& numbers = {},
                                     std::chrono::milliseconds patience = k_patience);

    // Of the thread of the gateways:

    /// Lets `fill` answer what was asked, if anything was. If it returns false it is asked again.
    template <class Fill>
    void answer(Fill&& fill) {
        if (under_way_ == nullptr) [[likely]] {
            if (asked_.load(std::memory_order_relaxed) == nullptr) [[likely]]
                return;
            under_way_ = asked_.exchange(nullptr, std::memory_order_acq_rel);
            if (under_way_ == nullptr) return;  // withdrawn
        }
        if (std::forward<Fill>(fill)(under_way_->request, under_way_->answer)) finish();
    }
    /// Nothing is answered any more.
    void close() {
        closed_.store(true, std::memory_order_relaxed);
        if (under_way_ == nullptr) return;
        under_way_->answer = {.outcome = FixAdminAnswer::Outcome::unavailable,
                              .trouble = "the exchange is closing"};
        finish();
    }

  private:
    static constexpr std::chrono::milliseconds k_patience{2'000};

    [[nodiscard]] FixAdminAnswer add(std::string_view session, std::chrono::milliseconds patience);

    /// In the memory of who asks: answered, or withdrawn, before it goes.
    struct Asked {
        FixAdminRequest request;
        FixAdminAnswer answer;
        std::atomic<bool> answered = false;
    };

    [[nodiscard]] FixAdminAnswer ask(const FixAdminRequest& request,
                                     std::chrono::milliseconds patience);

    void finish() {
        std::exchange(under_way_, nullptr)->answered.store(true, std::memory_order_release);
    }

    std::size_t maximum_sessions_;
    Asked* under_way_ = nullptr;  ///< of the thread of the gateways
    std::atomic<Asked*> asked_ = nullptr;
    std::atomic<bool> closed_ = false;
};

}  // namespace damrak::gateway::fix
