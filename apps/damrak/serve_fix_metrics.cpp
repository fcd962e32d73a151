#include "serve_fix_metrics.hpp"

#include <array>
#include <cstdint>
#include <string_view>

#include <fmt/format.h>

#include <damrak/session/fix/settings.hpp>

namespace damrak::app {

namespace {

using gateway::FixSessionState;

struct Metric {
    std::string_view name;
    std::string_view help;
    std::uint64_t (*value)(const FixSessionState&);
};

constexpr std::array k_metrics{
    Metric{"logged_on", "Whether the client is logged on.",
           [](const FixSessionState& state) -> std::uint64_t {
               return state.connection == FixSessionState::Connection::logged_on ? 1 : 0;
           }},
    Metric{"next_outgoing", "MsgSeqNum of the next message to the client.",
           [](const FixSessionState& state) { return state.next_outgoing; }},
    Metric{"next_incoming", "MsgSeqNum that is expected of the client next.",
           [](const FixSessionState& state) { return state.next_incoming; }},
    Metric{"misses_messages", "Whether messages of the client are missing.",
           [](const FixSessionState& state) -> std::uint64_t { return state.has_gap ? 1 : 0; }},
    Metric{
        "resending", "Whether the client is sent what it missed.",
        [](const FixSessionState& state) -> std::uint64_t { return state.is_resending ? 1 : 0; }}};

// A value of a label, as the format wants it.
std::string escaped(std::string_view text) {
    std::string safe;
    for (const char c : text) {
        if (c == '\\' || c == '"') safe += '\\';
        safe += c;
    }
    return safe;
}

}  // namespace

std::string fix_metrics(gateway::FixAdmin* admin) {
    if (admin == nullptr) return {};
    const gateway::FixAdminAnswer all = admin->list();
    if (all.outcome != gateway::FixAdminAnswer::Outcome::done) return {};
    std::string text;
    for (const Metric& metric : k_metrics) {
        text += fmt::format(
            "# HELP damrak_fix_session_{0} {1}\n# TYPE damrak_fix_session_{0} "
            "gauge\n",
            metric.name, metric.help);
        for (const FixSessionState& state : all.sessions)
            text += fmt::format("damrak_fix_session_{}{{session=\"{}\"}} {}\n", metric.name,
                                escaped(session::fix::printable(session::fix::text(*state.name))),
                                metric.value(state));
    }
    return text;
}

}  // namespace damrak::app
