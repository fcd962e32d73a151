// The administration of FIX sessions over HTTP, server's side: GET /fix/sessions lists them, POST
// with a JSON object changes one. For processes of the same machine, but no page in a browser
// there, and for who has logged in with the operator's token. On the thread of the HTTP server,
// which waits for the thread that trades.
//
//   {"action": "set", "session": "CLIENT1", "next_outgoing": 5, "next_incoming": 7}
#pragma once

#include <cstdint>
#include <string_view>

#include <damrak/gateway/fix/admin.hpp>
#include <damrak/http/server.hpp>

namespace damrak::app {

inline constexpr std::string_view k_fix_sessions_path = "/fix/sessions";
inline constexpr std::uint32_t k_admin_body_bytes = 4'096;

/// Whether it comes from this machine and from no page in a browser, or is the operator's, from no
/// page but the service's own.
[[nodiscard]] bool may_administer(const http::Request& request, bool is_operator);
/// `admin` is null while the FIX gateway is closed.
[[nodiscard]] http::Answer answer_fix_admin(gateway::fix::FixAdmin* admin,
                                            const http::Request& request, bool is_operator);

}  // namespace damrak::app
