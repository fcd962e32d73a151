// The administration of FIX sessions over HTTP, server's side: GET /fix/sessions lists them, POST
// with a JSON object changes one. Only for processes of the same machine, and for no page in a
// browser there. On the thread of the HTTP server, which waits for the thread that trades.
//
//   {"action": "set", "session": "CLIENT1", "next_outgoing": 5, "next_incoming": 7}
#pragma once

#include <cstdint>
#include <string_view>

#include <damrak/fix_gateway/admin.hpp>
#include <damrak/http/server.hpp>

namespace damrak::app {

inline constexpr std::string_view k_fix_sessions_path = "/fix/sessions";
inline constexpr std::uint32_t k_admin_body_bytes = 4'096;

/// Whether it comes from this machine, and not from a page in a browser.
[[nodiscard]] bool may_administer(const http::Request& request);
/// `admin` is null while the FIX door is closed.
[[nodiscard]] http::Answer answer_fix_admin(gateway::FixAdmin* admin, const http::Request& request);

}  // namespace damrak::app
