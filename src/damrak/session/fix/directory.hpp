// Which session a connection belongs to: asked by an acceptor with the first message of each. Knows
// the sessions of the configuration, makes new ones by template, and lets nobody in twice. Sessions
// are told by an index, under which their owner keeps what belongs to them; that of one that was
// forgotten is given to another. One thread; a look through the sessions for each logon.
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <damrak/session/fix/settings.hpp>
#include <damrak/wire/fix/decode.hpp>

namespace damrak::session::fix {

/// In a template stands for any comp id of the other side.
inline constexpr std::string_view k_any_comp_id = "*";

enum class NotAdmitted : std::uint8_t {
    not_a_logon,
    unknown_session,    ///< no such comp ids in this version
    already_logged_on,  ///< on another connection
    too_many_sessions,  ///< no more are made by template
};
[[nodiscard]] std::string_view text(NotAdmitted why);

/// What the first bytes of a connection are.
struct Admission {
    enum class Status : std::uint8_t { need_more, admitted, refused };
    Status status = Status::need_more;
    std::size_t session = 0;
    NotAdmitted why = NotAdmitted::not_a_logon;
};

class SessionDirectory {
  public:
    /// Settings with k_any_comp_id as target are templates; theirs also is BeginString::unknown,
    /// which stands for any. The others are the first sessions, in this order.
    [[nodiscard]] static std::expected<SessionDirectory, std::string> make(
        const std::vector<SessionSettings>& configured, std::size_t maximum_sessions = 1'024);

    /// The session of a connection that begins with this message, which from here on is live.
    [[nodiscard]] std::expected<std::size_t, NotAdmitted> admit(const wire::fix::Message& first);
    /// The same with the bytes that came so far, which then are the session's to receive.
    [[nodiscard]] Admission admit(std::span<const std::byte> bytes, wire::fix::Decoder& decoder);
    /// Its connection is gone.
    void leave(std::size_t session);
    /// One more, which is not live; the index of one that is there already.
    [[nodiscard]] std::size_t add(SessionSettings settings, bool by_template);
    /// One that is not live is none any more.
    void forget(std::size_t session);

    /// Of indices: those of sessions, live or not, and those that wait to be given to others.
    [[nodiscard]] std::size_t size() const { return sessions_.size(); }
    [[nodiscard]] bool is_known(std::size_t session) const {
        return sessions_[session].settings != nullptr;
    }
    /// Stays where it is until it is forgotten.
    [[nodiscard]] const SessionSettings& settings(std::size_t session) const {
        return *sessions_[session].settings;
    }
    /// For who needs it longer.
    [[nodiscard]] std::shared_ptr<const SessionSettings> shared_settings(
        std::size_t session) const {
        return sessions_[session].settings;
    }
    [[nodiscard]] bool is_live(std::size_t session) const { return sessions_[session].live; }
    [[nodiscard]] bool is_by_template(std::size_t session) const {
        return sessions_[session].by_template;
    }
    /// No more are made by template.
    [[nodiscard]] bool is_full() const {
        return sessions_.size() - free_.size() >= maximum_sessions_;
    }

  private:
    struct Entry {
        std::shared_ptr<const SessionSettings> settings;  ///< null: it was forgotten
        bool live = false;
        bool by_template = false;
    };

    std::vector<Entry> sessions_;
    std::vector<std::size_t> free_;  ///< indices of those that were forgotten
    std::vector<SessionSettings> templates_;
    std::size_t maximum_sessions_ = 0;
};

/// A name for the folder of a session's files: what others chose is made harmless.
[[nodiscard]] std::string folder_name(const SessionName& name);

}  // namespace damrak::session::fix
