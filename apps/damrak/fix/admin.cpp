// `damrak fix admin`: asks a running exchange for its FIX sessions, or to change one.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <expected>
#include <string>
#include <thread>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <damrak/http/client.hpp>
#include <damrak/net/address.hpp>

#include "cli.hpp"
#include "fix/jobs.hpp"
#include "serve/fix_admin.hpp"

namespace damrak::app {

namespace {

using Json = nlohmann::ordered_json;

/// The object that the exchange answered with, one that says "ok"; or what is wrong.
std::expected<Json, std::string> ask(const FixAdminOptions& options, const Json& change) {
    const auto answer = http::ask({.address = options.address,
                                   .port = options.http_port,
                                   .path = std::string{k_fix_sessions_path},
                                   .json = change.is_null() ? "" : change.dump()});
    if (!answer)
        return std::unexpected{fmt::format(
            "{}; is an exchange running, and is this its --http-port?", answer.error())};
    Json object = Json::parse(answer->body, nullptr, false);
    if (!object.is_object() || !object.contains("ok"))
        return std::unexpected{
            fmt::format("the server at {} is not an exchange with FIX sessions (HTTP status {})",
                        net::host_and_port(options.address, options.http_port), answer->status)};
    if (object["ok"] != true)
        return std::unexpected{object.value("error", std::string{"no reason"})};
    return object;
}

Json change_of(const FixAdminOptions& options) {
    Json change{{"action", options.action}, {"session", options.session}};
    if (options.next_outgoing) change["next_outgoing"] = *options.next_outgoing;
    if (options.next_incoming) change["next_incoming"] = *options.next_incoming;
    return change;
}

std::string cell(const Json& session, const char* key) {
    const auto found = session.find(key);
    if (found == session.end()) return "-";
    return found->is_string() ? found->get<std::string>() : found->dump();
}

std::string notes_of(const Json& session) {
    std::string notes;
    if (session.value("has_gap", false)) notes += "  has a gap";
    if (session.value("is_resending", false)) notes += "  receives a resend";
    return notes;
}

void print_table(const Json& sessions) {
    if (sessions.empty()) {
        fmt::print("no sessions: none is configured by name, and no client has logged on\n");
        return;
    }
    std::size_t width = 7;
    for (const Json& each : sessions) width = std::max(width, cell(each, "session").size());
    fmt::print("{:<{}}  {:<11} {:>11} {:>12} {:>12}\n", "session", width, "state", "participant",
               "next out", "next in");
    for (const Json& each : sessions)
        fmt::print("{:<{}}  {:<11} {:>11} {:>12} {:>12}{}\n", cell(each, "session"), width,
                   cell(each, "state"), cell(each, "participant"), cell(each, "next_outgoing"),
                   cell(each, "next_incoming"), notes_of(each));
}

/// A Logout is answered by the client, or after a while is taken as answered: the caller wants to
/// know when the session is free. A client may well be back by then.
std::expected<Json, std::string> await_end(const FixAdminOptions& options, Json answer) {
    constexpr std::chrono::milliseconds k_pause{20};
    constexpr int k_tries = 500;
    const std::string name = cell(answer["sessions"].at(0), "session");
    for (int i = 0; i < k_tries && cell(answer["sessions"].at(0), "state") == "logging out"; ++i) {
        std::this_thread::sleep_for(k_pause);
        auto all = ask(options, {});
        if (!all) return all;
        for (const Json& each : (*all)["sessions"])
            if (cell(each, "session") == name) answer["sessions"] = Json::array({each});
    }
    return answer;
}

}  // namespace

int administer_fix(const FixAdminOptions& options) {
    const bool is_list = options.action == "list";
    auto answer = ask(options, is_list ? Json{} : change_of(options));
    if (answer && options.action == "disconnect") answer = await_end(options, *std::move(answer));
    if (!answer) {
        if (options.json) print_json({{"ok", false}, {"error", answer.error()}});
        return fail(answer.error());
    }
    if (options.json) {
        print_json(*answer);
    } else if (options.action == "remove") {
        fmt::print("{} is removed\n", options.session);
    } else {
        print_table((*answer)["sessions"]);
    }
    return k_exit_success;
}

}  // namespace damrak::app
