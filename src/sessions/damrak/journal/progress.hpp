// State besides the engine's that follows from the records of a journal: open sessions, and the
// highest identities allocated. Updated by the sequencer, by replays of a journal, and by
// snapshots. One thread; O(1) per command, O(log sessions) per login.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <type_traits>
#include <utility>

#include <damrak/base/inline.hpp>
#include <damrak/domain/command.hpp>
#include <damrak/domain/origin.hpp>

namespace damrak::journal {

/// A session that was open at this place of the journal.
struct OpenSession {
    ParticipantId participant{};
    std::uint32_t cancel_on_disconnect = 0;
};

class Progress {
  public:
    /// The engine applied a command.
    DAMRAK_HOT void note_applied(const Command& command) {
        ++commands_;
        last_timestamp_ = command.timestamp;
    }
    /// Any other command: a login or the end of a session.
    void note_session(const Command& command, SessionId session) {
        last_timestamp_ = command.timestamp;
        if (command.kind == CommandKind::session_opened) {
            open_sessions_[session] = {
                .participant = command.participant,
                .cancel_on_disconnect = has_flag(command, CommandFlags::k_cancel_on_disconnect)};
            if (gateway_of(session) == k_counting_gateway)
                last_session_ = std::max(last_session_, session);
            last_participant_ = std::max(last_participant_, command.participant);
        } else if (command.kind == CommandKind::session_closed) {
            open_sessions_.erase(session);
        }
    }

    /// Number of commands that the engine applied.
    [[nodiscard]] std::uint64_t commands() const { return commands_; }
    [[nodiscard]] Timestamp last_timestamp() const { return last_timestamp_; }
    /// The largest ever allocated, as far as logins show. Sessions: of the gateway that counts
    /// them.
    [[nodiscard]] SessionId last_session() const { return last_session_; }
    [[nodiscard]] ParticipantId last_participant() const { return last_participant_; }
    [[nodiscard]] const std::map<SessionId, OpenSession>& open_sessions() const {
        return open_sessions_;
    }

    /// See base/serialize.hpp.
    template <class Self, class Archive>
    static void transfer(Self& self, Archive& archive) {
        archive.value(self.commands_);
        archive.value(self.last_timestamp_);
        archive.value(self.last_session_);
        archive.value(self.last_participant_);
        std::uint64_t sessions = self.open_sessions_.size();
        archive.count(sessions, k_most_sessions);
        if constexpr (std::is_const_v<Self>) {
            for (const auto& [id, session] : self.open_sessions_) {
                archive.value(id);
                archive.value(session);
            }
        } else {
            for (std::uint64_t i = 0; i < sessions; ++i) {
                std::pair<SessionId, OpenSession> entry;
                archive.value(entry.first);
                archive.value(entry.second);
                self.open_sessions_.insert(entry);
            }
        }
    }

  private:
    /// More than a system can have open: a larger number is not from a valid snapshot.
    static constexpr std::uint64_t k_most_sessions = std::uint64_t{1} << 24U;

    std::uint64_t commands_ = 0;
    Timestamp last_timestamp_{};
    SessionId last_session_{};
    ParticipantId last_participant_{};
    std::map<SessionId, OpenSession> open_sessions_;
};

}  // namespace damrak::journal
