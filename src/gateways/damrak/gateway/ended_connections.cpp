#include <damrak/gateway/ended_connections.hpp>

#include <fmt/format.h>

namespace damrak::gateway {

std::string EndedConnections::metrics(std::string_view gateway) const {
    const std::string name = fmt::format("damrak_{}_ended_total", gateway);
    std::string text = fmt::format(
        "# HELP {0} Connections that the exchange ended or refused.\n# TYPE {0} counter\n", name);
    for (std::size_t i = 1; i < counts_.size(); ++i)
        text += fmt::format("{}{{reason=\"{}\"}} {}\n", name, session::k_end_causes[i],
                            counts_[i].load(std::memory_order_relaxed));
    return text;
}

}  // namespace damrak::gateway
