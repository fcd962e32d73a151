// Finds the session of a new connection: an acceptor asks with the first message. Knows the
// configured sessions, makes new ones from templates, and admits one connection per session. An
// index identifies a session, and its owner keeps data under it; the index of a forgotten session
// is reused. One thread; each logon searches the sessions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <damrak/fix_codec/decode.hpp>
#include <damrak/session/fix/settings.hpp>

namespace damrak::session::fix {

/// In a template, matches any comp id of the other side.
inline constexpr std::string_view k_any_comp_id = "*";

enum class NotAdmitted : std::uint8_t {
    not_a_logon,
    unknown_session,    ///< no such comp ids in this version
    already_logged_on,  ///< on another connection
    too_many_sessions,  ///< the limit of sessions made from templates is reached
};
[[nodiscard]] std::string_view text(NotAdmitted why);

/// Result of examining the first bytes of a connection.
struct Admission {
    enum class Status : std::uint8_t { need_more, admitted, refused };
    Status status = Status::need_more;
    std::size_t session = 0;
    NotAdmitted why = NotAdmitted::not_a_logon;
};

/// The sessions of an acceptor by name, with templates for others.
class SessionDirectory {
  public:
    /// Settings with k_any_comp_id as target are templates. A template may have
    /// BeginString::unknown, which matches any version. The other settings are the first sessions,
    /// in this order.
    [[nodiscard]] static std::expected<SessionDirectory, std::string> make(
        const std::vector<SessionSettings>& configured, std::size_t maximum_sessions = 1'024);

    /// The session of a connection that begins with this message; it is live from here on.
    [[nodiscard]] std::expected<std::size_t, NotAdmitted> admit(const fix_codec::Message& first);
    /// The same for the bytes received so far, which the session then has to receive.
    [[nodiscard]] Admission admit(std::span<const std::byte> bytes, fix_codec::Decoder& decoder);
    /// Ends the connection of the session.
    void leave(std::size_t session);
    /// Adds a session that is not live. Returns the existing index if there is such a session.
    [[nodiscard]] std::size_t add(SessionSettings settings, bool by_template);
    /// Removes a session that is not live.
    void forget(std::size_t session);

    /// Number of indices: live sessions, others, and indices free for reuse.
    [[nodiscard]] std::size_t size() const { return sessions_.size(); }
    [[nodiscard]] bool is_known(std::size_t session) const {
        return sessions_[session].settings != nullptr;
    }
    /// Valid until the session is forgotten.
    [[nodiscard]] const SessionSettings& settings(std::size_t session) const {
        return *sessions_[session].settings;
    }
    /// The settings, valid beyond that.
    [[nodiscard]] std::shared_ptr<const SessionSettings> shared_settings(
        std::size_t session) const {
        return sessions_[session].settings;
    }
    [[nodiscard]] bool is_live(std::size_t session) const { return sessions_[session].live; }
    [[nodiscard]] bool is_by_template(std::size_t session) const {
        return sessions_[session].by_template;
    }
    /// No more sessions are made from templates.
    [[nodiscard]] bool is_full() const {
        return sessions_.size() - free_.size() >= maximum_sessions_;
    }

  private:
    struct Entry {
        std::shared_ptr<const SessionSettings> settings;  ///< null if it was forgotten
        bool live = false;
        bool by_template = false;
    };

    std::vector<Entry> sessions_;
    std::vector<std::size_t> free_;  ///< indices of forgotten sessions
    std::vector<SessionSettings> templates_;
    std::size_t maximum_sessions_ = 0;
};

/// A folder name for a session's files: escapes characters of comp ids that are unsafe in file
/// names.
[[nodiscard]] std::string folder_name(const SessionName& name);

}  // namespace damrak::session::fix
