#include "serve/fix_admin.hpp"

#include <expected>
#include <optional>
#include <string>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <damrak/http/origin.hpp>
#include <damrak/session/fix/settings.hpp>

namespace damrak::app {

namespace {

using gateway::fix::FixAdminAction;
using gateway::fix::FixAdminAnswer;
using gateway::fix::FixSessionState;
using Json = nlohmann::ordered_json;

/// Numbers beyond are a slip of the finger; any session that counts by one is far below.
constexpr std::uint64_t k_largest_number = 1'000'000'000'000;

http::Answer json_answer(unsigned status, const Json& object) {
    return {.status = status,
            .content_type = "application/json",
            .body = object.dump(2, ' ', false, Json::error_handler_t::replace) + "\n"};
}

http::Answer refusal(unsigned status, std::string_view why) {
    return json_answer(status, {{"ok", false}, {"error", why}});
}

std::string_view text(FixSessionState::Connection connection) {
    using Connection = FixSessionState::Connection;
    switch (connection) {
        case Connection::none:
            return "away";
        case Connection::never:
            return "never came";
        case Connection::logging_on:
            return "logging on";
        case Connection::logged_on:
            return "logged on";
        case Connection::logging_out:
            return "logging out";
    }
    return {};
}

Json json_of(const FixSessionState& state) {
    const session::fix::SessionName& name = *state.name;
    Json object{{"session", text(name)},
                {"begin_string", fix_codec::text(name.begin_string)},
                {"sender_comp_id", name.sender_comp_id},
                {"target_comp_id", name.target_comp_id},
                {"state", text(state.connection)},
                {"next_outgoing", state.next_outgoing},
                {"next_incoming", state.next_incoming},
                {"has_gap", state.has_gap},
                {"is_resending", state.is_resending}};
    if (state.participant) object["participant"] = state.participant.value;
    return object;
}

http::Answer answer_of(const FixAdminAnswer& answer) {
    using Outcome = FixAdminAnswer::Outcome;
    switch (answer.outcome) {
        case Outcome::done:
            break;
        case Outcome::unknown_session:
            return refusal(404, answer.trouble);
        case Outcome::impossible:
            return refusal(409, answer.trouble);
        case Outcome::unavailable:
            return refusal(503, answer.trouble);
    }
    Json sessions = Json::array();
    for (const FixSessionState& state : answer.sessions) sessions.push_back(json_of(state));
    return json_answer(200, {{"ok", true}, {"sessions", std::move(sessions)}});
}

struct Change {
    FixAdminAction action{};
    std::string session;
    gateway::fix::FixNumbers numbers;
};

std::optional<FixAdminAction> action_named(std::string_view name) {
    if (name == "connect") return FixAdminAction::connect;
    if (name == "disconnect") return FixAdminAction::disconnect;
    if (name == "set") return FixAdminAction::set_numbers;
    if (name == "reset") return FixAdminAction::reset;
    if (name == "add") return FixAdminAction::add;
    if (name == "remove") return FixAdminAction::remove;
    return std::nullopt;
}

std::expected<std::optional<std::uint64_t>, std::string> number_in(const Json& object,
                                                                   const char* key) {
    const auto found = object.find(key);
    if (found == object.end()) return std::nullopt;
    if (found->is_number_unsigned())
        if (const auto value = found->get<std::uint64_t>(); value >= 1 && value <= k_largest_number)
            return value;
    return std::unexpected{
        fmt::format("{} must be a whole number from 1 to {}", key, k_largest_number)};
}

std::expected<Change, std::string> read_change(std::string_view body) {
    const Json object = Json::parse(body, nullptr, false);
    if (!object.is_object()) return std::unexpected{"a JSON object is wanted"};
    const auto text_in = [&](const char* key) {
        const auto found = object.find(key);
        return found != object.end() && found->is_string() ? found->get<std::string>()
                                                           : std::string{};
    };
    const auto action = action_named(text_in("action"));
    if (!action)
        return std::unexpected{"\"action\" must be connect, disconnect, set, reset, add or remove"};
    Change change{.action = *action, .session = text_in("session"), .numbers = {}};
    if (change.session.empty())
        return std::unexpected{"\"session\" must name a session, as in the list, or a comp id"};
    if (*action != FixAdminAction::set_numbers) return change;
    const auto outgoing = number_in(object, "next_outgoing");
    if (!outgoing) return std::unexpected{outgoing.error()};
    const auto incoming = number_in(object, "next_incoming");
    if (!incoming) return std::unexpected{incoming.error()};
    if (!*outgoing && !*incoming)
        return std::unexpected{"give \"next_outgoing\", \"next_incoming\", or both"};
    change.numbers = {.next_outgoing = *outgoing, .next_incoming = *incoming};
    return change;
}

}  // namespace

bool may_administer(const http::Request& request, bool is_operator) {
    const bool is_local_program =
        request.is_local && http::names_this_machine(request.host) && request.origin.empty();
    return is_local_program || (is_operator && http::is_of_own_page(request));
}

http::Answer answer_fix_admin(gateway::fix::FixAdmin* admin, const http::Request& request,
                              bool is_operator) {
    if (!may_administer(request, is_operator))
        return refusal(403,
                       "sessions are administered by programs of this machine, which ask "
                       "localhost, and by who has logged in with the operator's token");
    if (admin == nullptr)
        return refusal(503, "the FIX gateway of this exchange is closed; see serve --fix-port");
    if (!request.is_post) return answer_of(admin->list());
    if (!request.content_type.starts_with("application/json"))
        return refusal(415, "Content-Type must be application/json");
    const auto change = read_change(request.body);
    if (!change) return refusal(400, change.error());
    return answer_of(admin->ask(change->action, change->session, change->numbers));
}

}  // namespace damrak::app
