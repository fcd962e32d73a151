// FIX sessions as Prometheus reads them. On the thread of the HTTP server, which waits for the
// thread that trades, as a list of sessions does.
#pragma once

#include <string>

#include <damrak/fix_gateway/admin.hpp>

namespace damrak::exchange {

/// Nothing while the FIX door is closed, or if nobody answers.
[[nodiscard]] std::string fix_metrics(gateway::FixAdmin* admin);

}  // namespace damrak::exchange
