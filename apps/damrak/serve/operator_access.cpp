#include "serve/operator_access.hpp"

#include <chrono>
#include <filesystem>
#include <thread>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include <damrak/archive/event_log.hpp>
#include <damrak/gateway/udp/udp_settings.hpp>
#include <damrak/http/origin.hpp>
#include <damrak/market_data_api/query.hpp>
#include <damrak/net/address.hpp>

#include "say.hpp"

namespace damrak::app {

namespace {

// Waits for the thread that follows the journal and for the one that writes: some hundredths of a
// second.
std::string write_events(archive::EventLog* log) {
    using namespace std::chrono_literals;
    if (log == nullptr) return {};
    const std::uint64_t wanted = log->want_written();
    constexpr int k_tries = 400;
    for (int tries = 0; !log->is_written(wanted); ++tries) {
        if (tries == k_tries) return "the last events are not written yet: ask again in a second";
        std::this_thread::sleep_for(5ms);
    }
    return log->leaves_out() ? "events are left out at present: /health has the reason" : "";
}

// Whether every address that the exchange listens on is one of this machine alone.
bool listens_on_loopback(const ServeSettings& settings) {
    const std::string& interface = settings.of<gateway::udp::UdpSettings>().interface;
    const auto address = net::resolve(settings.numeric_address, 0);
    return address && address->is_loopback() &&
           (interface.empty() || interface == "lo" || !settings.port("udp"));
}

}  // namespace

journal::Result<void> OperatorAccess::open(const ServeSettings& settings, std::uint16_t port) {
    if (token_) return {};
    logins_.emplace(fmt::format("damrak_{}", port), !settings.http_tls.certificate.empty());
    if (!settings.operator_token.empty()) {
        token_.emplace(http::BearerToken::of(settings.operator_token));
        say("operator     the token of the configuration lets the page trade, opens /v1/private "
            "and shows figures\n");
        return {};
    }
    is_this_machine_ = listens_on_loopback(settings);
    const std::filesystem::path file = settings.data / "operator-token";
    auto token = http::BearerToken::open(file);
    if (!token) return std::unexpected{std::move(token.error())};
    token_.emplace(*std::move(token));
    say("operator     the token in {} lets the page trade{} opens /v1/private{}\n",
        std::filesystem::absolute(file).string(), is_this_machine_ ? " and" : ",",
        is_this_machine_ ? "" : " and shows figures");
    // Not into a log.
    if (token_->is_new() && ::isatty(STDERR_FILENO) == 1)
        say("token        {} (shown this once)\n", token_->text());
    return {};
}

market_data_api::PrivateAccess OperatorAccess::of(exchange::Exchange& exchange,
                                                  market_data_api::FeesNow fees) const {
    return {
        .admits = [this](const http::Request& request) { return admits(request); },
        .write_events = [&exchange] { return write_events(exchange.order_feed().event_log.get()); },
        .submit = [&exchange](
                      const Command& command,
                      const Tag& tag) { return exchange.operator_desk().ask(command, tag); },
        .definition =
            [&exchange](std::string_view symbol) { return exchange.statuses().definition(symbol); },
        .fees = std::move(fees)};
}

bool OperatorAccess::admits(const http::Request& request) const {
    if (!token_) return false;
    if (token_->admits(request.authorization)) return true;
    const std::lock_guard lock{mutex_};
    return logins_->admits(request.cookie);
}

bool OperatorAccess::shows_figures(const http::Request& request) const {
    const bool is_local =
        is_this_machine_ && request.is_local && http::is_of_own_page(request) && !is_wrong(request);
    return is_local || admits(request);
}

http::Answer OperatorAccess::answer_login(const http::Request& request) {
    const auto refused = [](unsigned status, std::string_view code, std::string_view why) {
        return market_data_api::answer_of(
            {.status = status, .code = std::string{code}, .message = std::string{why}});
    };
    if (!request.is_post) return refused(405, "method", "use POST");
    if (!http::is_of_own_page(request))
        return refused(403, "forbidden", "only pages of this service may log in");
    const std::lock_guard lock{mutex_};
    if (request.path == k_logout_path)
        return {.status = 204, .set_cookie = logins_->close(request.cookie)};
    if (!request.content_type.starts_with("application/json"))
        return refused(415, "content_type", "Content-Type must be application/json");
    const auto body = nlohmann::json::parse(request.body, nullptr, false);
    if (!body.is_object() || !body.contains("token") || !body["token"].is_string())
        return refused(400, "invalid_body", R"(the body is {"token": "..."})");
    if (!token_->is_token(body["token"].get<std::string>())) {
        wrong_.fetch_add(1, std::memory_order_relaxed);
        return refused(403, "wrong_token",
                       fmt::format("this is not the {}", market_data_api::k_where_the_token_is));
    }
    auto cookie = logins_->open();
    if (!cookie) return refused(500, "no_random", cookie.error());
    return {.status = 204, .set_cookie = *std::move(cookie)};
}

std::string OperatorAccess::metrics() const {
    return fmt::format(
        "# HELP damrak_http_wrong_tokens_total Requests and logins with a wrong token.\n"
        "# TYPE damrak_http_wrong_tokens_total counter\n"
        "damrak_http_wrong_tokens_total {}\n",
        wrong_.load(std::memory_order_relaxed));
}

}  // namespace damrak::app
