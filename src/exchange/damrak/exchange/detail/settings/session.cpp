#include <damrak/exchange/detail/settings/sections.hpp>

namespace damrak::exchange {

void add_session(Rows<Settings>& rows) {
    using S = Settings;
    rows.section("session");
    rows.number("timeout_s", &S::session_timeout_s, 1, 1'000'000,
                "seconds of silence after which a session ends")
        .by_flag("--session-timeout");
    rows.truth("cancel_on_disconnect", &S::cancel_on_disconnect,
               "cancel the orders of a lost connection")
        .by_flag("--cancel-on-disconnect");
    rows.truth("cancel_on_logout", &S::cancel_on_logout, "cancel the session's orders at a logout")
        .by_flag("--cancel-on-logout");
    rows.number("messages_per_second", &S::messages_per_second, 0, k_most_uint32,
                "limit per session, above which messages are rejected; 0: no limit")
        .by_flag("--messages-per-second");
    rows.number("burst_messages", &S::burst_messages, 0, k_most_uint32,
                "messages at once after a pause; 0: as many as in a second");
}

}  // namespace damrak::exchange
