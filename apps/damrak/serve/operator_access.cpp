#include "serve/operator_access.hpp"

#include <chrono>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include <damrak/archive/event_log.hpp>

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

}  // namespace

journal::Result<void> OperatorAccess::open(const std::filesystem::path& data) {
    const std::filesystem::path file = data / "operator-token";
    auto token = http::BearerToken::open(file);
    if (!token) return std::unexpected{std::move(token.error())};
    token_.emplace(*std::move(token));
    say("operator     /v1/private takes the token in {}\n",
        std::filesystem::absolute(file).string());
    return {};
}

market_data_api::PrivateAccess OperatorAccess::of(const exchange::Exchange& exchange) const {
    return {.admits = [this](std::string_view authorization) { return admits(authorization); },
            .write_events = [&exchange] { return write_events(exchange.event_log()); }};
}

std::string OperatorAccess::metrics() const {
    return fmt::format(
        "# HELP damrak_http_wrong_tokens_total Requests to /v1/private with a wrong token.\n"
        "# TYPE damrak_http_wrong_tokens_total counter\n"
        "damrak_http_wrong_tokens_total {}\n",
        wrong_.load(std::memory_order_relaxed));
}

}  // namespace damrak::app
