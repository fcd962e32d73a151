// Which session a connection belongs to: asked by an acceptor with the first message of each. Knows
// the sessions of the configuration, makes new ones by template, and lets nobody in twice. Sessions
// are told by an index, under which their owner keeps what belongs to them. One thread; a look
// through the configured sessions for each logon.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <expected>
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

    /// Sessions, live or not; those made by template come behind the configured ones.
    [[nodiscard]] std::size_t size() const { return sessions_.size(); }
    /// Stays where it is.
    [[nodiscard]] const SessionSettings& settings(std::size_t session) const {
        return sessions_[session].settings;
    }
    [[nodiscard]] bool is_live(std::size_t session) const { return sessions_[session].live; }

  private:
    struct Entry {
        SessionSettings settings;
        bool live = false;
    };

    std::deque<Entry> sessions_;
    std::vector<SessionSettings> templates_;
    std::size_t maximum_sessions_ = 0;
};

/// A name for the folder of a session's files: what others chose is made harmless.
[[nodiscard]] std::string folder_name(const SessionName& name);

}  // namespace damrak::session::fix
