#include <damrak/gateway/fix/detail/metrics.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include <damrak/session/fix/settings.hpp>

namespace damrak::gateway::fix {

namespace {

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
    Metric{"next_incoming", "MsgSeqNum expected next from the client.",
           [](const FixSessionState& state) { return state.next_incoming; }},
    Metric{"misses_messages", "Whether messages of the client are missing.",
           [](const FixSessionState& state) -> std::uint64_t { return state.has_gap ? 1 : 0; }},
    Metric{
        "resending", "Whether the client is sent what it missed.",
        [](const FixSessionState& state) -> std::uint64_t { return state.is_resending ? 1 : 0; }}};

// Escapes the value of a label.
std::string escaped(std::string_view text) {
    std::string safe;
    for (const char c : text) {
        if (c == '\\' || c == '"') safe += '\\';
        safe += c;
    }
    return safe;
}

// The lines of one metric, which differ in their labels.
class Lines {
  public:
    Lines(std::string& text, std::string_view name, std::string_view help, std::string_view type)
        : text_(&text), name_(fmt::format("damrak_fix_{}", name)) {
        text += fmt::format("# HELP {0} {1}\n# TYPE {0} {2}\n", name_, help, type);
    }
    void put(std::string_view labels, std::uint64_t value) {
        *text_ += labels.empty() ? fmt::format("{} {}\n", name_, value)
                                 : fmt::format("{}{{{}}} {}\n", name_, labels, value);
    }

  private:
    std::string* text_;
    std::string name_;
};

struct Counter {
    std::string_view name;
    std::string_view labels;
    std::string_view help;  ///< empty: another line of the previous metric
    std::uint64_t session::fix::SessionCounters::* value;
};

using session::fix::SessionCounters;
constexpr std::array k_counters{
    Counter{"logons_total", "", "Accepted Logons.", &SessionCounters::logons},
    Counter{"garbled_total", "", "Malformed messages, ignored.", &SessionCounters::garbled},
    Counter{"rejects_total", "direction=\"in\",type=\"session\"",
            "Reject and BusinessMessageReject.", &SessionCounters::rejects_in},
    Counter{"rejects_total", "direction=\"out\",type=\"session\"", "",
            &SessionCounters::rejects_out},
    Counter{"rejects_total", "direction=\"out\",type=\"business\"", "",
            &SessionCounters::business_rejects_out},
    Counter{"resend_requests_total", "direction=\"in\"", "ResendRequests.",
            &SessionCounters::resend_requests_in},
    Counter{"resend_requests_total", "direction=\"out\"", "",
            &SessionCounters::resend_requests_out},
    Counter{"messages_resent_total", "", "Resent messages.", &SessionCounters::messages_resent},
    Counter{"gaps_total", "", "Gaps found in a client's messages.", &SessionCounters::gaps},
    Counter{"sequence_resets_total", "direction=\"in\"", "SequenceResets, gap fills among them.",
            &SessionCounters::sequence_resets_in},
    Counter{"sequence_resets_total", "direction=\"out\"", "",
            &SessionCounters::sequence_resets_out},
    Counter{"heartbeats_missed_total", "", "TestRequests sent to silent clients.",
            &SessionCounters::heartbeats_missed},
    Counter{"timeouts_total", "", "Connections closed because the client was silent.",
            &SessionCounters::timeouts}};

void put_sessions(std::string& text, const FixAdminAnswer& all) {
    const auto in = [&](FixSessionState::Connection connection) {
        return static_cast<std::uint64_t>(
            std::ranges::count(all.sessions, connection, &FixSessionState::connection));
    };
    const std::uint64_t never = in(FixSessionState::Connection::never);
    const std::uint64_t away = in(FixSessionState::Connection::none);
    Lines lines{text, "sessions", "Known sessions by state.", "gauge"};
    lines.put("state=\"known\"", all.sessions.size());
    lines.put("state=\"connected\"", all.sessions.size() - never - away);
    lines.put("state=\"logged_on\"", in(FixSessionState::Connection::logged_on));
    lines.put("state=\"unknown\"", all.unknown_sessions);
}

std::string counters_text(const FixAdminAnswer& all) {
    using session::fix::LogonRefusal;
    using session::fix::MessageClass;
    std::string text;
    put_sessions(text, all);
    Lines refused{text, "logons_refused_total",
                  "Connections that did not become sessions, by reason.", "counter"};
    for (std::size_t i = 0; i < session::fix::k_logon_refusals; ++i)
        refused.put(fmt::format("reason=\"{}\"", session::fix::text(static_cast<LogonRefusal>(i))),
                    all.counters.logons_refused[i]);
    Lines messages{text, "messages_total", "Messages by type.", "counter"};
    for (std::size_t i = 0; i < session::fix::k_message_classes; ++i) {
        const std::string_view kind = session::fix::text(static_cast<MessageClass>(i));
        messages.put(fmt::format("direction=\"in\",type=\"{}\"", kind),
                     all.counters.messages_in[i]);
        messages.put(fmt::format("direction=\"out\",type=\"{}\"", kind),
                     all.counters.messages_out[i]);
    }
    std::optional<Lines> lines;
    for (const Counter& one : k_counters) {
        if (!one.help.empty()) lines.emplace(text, one.name, one.help, "counter");
        lines->put(one.labels, all.counters.*one.value);
    }
    return text;
}

}  // namespace

std::string fix_metrics(FixAdmin& admin) {
    const FixAdminAnswer all = admin.list();
    if (all.outcome != FixAdminAnswer::Outcome::done) return {};
    std::string text = counters_text(all);
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

}  // namespace damrak::gateway::fix
