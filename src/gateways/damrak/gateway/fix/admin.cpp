#include <damrak/gateway/fix/admin.hpp>

#include <thread>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace damrak::gateway::fix {

FixAdminAnswer FixAdmin::ask(FixAdminAction action, std::string_view session,
                             const FixNumbers& numbers, std::chrono::milliseconds patience) {
    if (action == FixAdminAction::add) return add(session, patience);
    // Names are looked for here: the thread of the gateways has better things to do.
    FixAdminAnswer all = list(patience);
    if (all.outcome != FixAdminAnswer::Outcome::done) return all;
    std::shared_ptr<const session::fix::SessionName> meant;
    std::vector<std::string> found;
    for (const FixSessionState& one : all.sessions) {
        const std::string name = text(*one.name);
        if (one.name->target_comp_id != session && name != session) continue;
        meant = one.name;
        found.push_back(name);
    }
    const auto unknown = [](std::string trouble) {
        return FixAdminAnswer{.outcome = FixAdminAnswer::Outcome::unknown_session,
                              .trouble = std::move(trouble)};
    };
    if (found.empty()) {
        if (all.sessions.empty())
            return unknown(fmt::format("there is no session {}, nor any other yet", session));
        return unknown(fmt::format("there is no session {}; there are {}, the first of them {}",
                                   session, all.sessions.size(), text(*all.sessions[0].name)));
    }
    if (found.size() > 1)
        return unknown(fmt::format("{} may be any of {}: give the whole name", session,
                                   fmt::join(found, ", ")));
    return ask({.action = action, .session = meant, .numbers = numbers}, patience);
}

FixAdminAnswer FixAdmin::add(std::string_view session, std::chrono::milliseconds patience) {
    auto name = session::fix::parse_session_name(session);
    if (!name)
        return {.outcome = FixAdminAnswer::Outcome::impossible,
                .trouble = fmt::format("{}: {}", session, name.error())};
    return ask({.action = FixAdminAction::add,
                .session = std::make_shared<const session::fix::SessionName>(*std::move(name))},
               patience);
}

FixAdminAnswer FixAdmin::ask(const FixAdminRequest& request, std::chrono::milliseconds patience) {
    constexpr std::chrono::microseconds k_pause{500};
    const auto give_up = std::chrono::steady_clock::now() + patience;
    Asked asked{.request = request, .answer = {}};
    asked.answer.sessions.reserve(maximum_sessions_);
    asked_.store(&asked, std::memory_order_release);
    while (!asked.answered.load(std::memory_order_acquire)) {
        const bool closed = closed_.load(std::memory_order_relaxed);
        if (closed || std::chrono::steady_clock::now() >= give_up) {
            Asked* expected = &asked;
            // If it was taken meanwhile, the answer is on its way.
            if (asked_.compare_exchange_strong(expected, nullptr, std::memory_order_acq_rel))
                return {.outcome = FixAdminAnswer::Outcome::unavailable,
                        .trouble = closed ? "the exchange is closing"
                                          : "the thread that trades does not answer; nothing was "
                                            "changed"};
        }
        std::this_thread::sleep_for(k_pause);
    }
    return std::move(asked.answer);
}

}  // namespace damrak::gateway::fix
