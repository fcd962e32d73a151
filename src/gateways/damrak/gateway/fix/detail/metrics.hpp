// FIX sessions as Prometheus metrics. On the thread of the HTTP server, which waits for the trading
// thread, as does the list of sessions.
#pragma once

#include <string>

#include <damrak/gateway/fix/admin.hpp>

namespace damrak::gateway::fix {

/// Empty if the trading thread does not answer.
[[nodiscard]] std::string fix_metrics(FixAdmin& admin);

}  // namespace damrak::gateway::fix
