// The operator of the exchange at its HTTP service: the token of the configuration, or else that in
// DATA/operator-token, which opens /v1/private, shows figures, and lets viewers of the live page
// trade and control a replay; logins with it, which last as long as the program; and the file of
// events up to the last moment. On the thread of the HTTP service, except what is marked as being
// for any.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include <damrak/exchange/exchange.hpp>
#include <damrak/http/bearer_token.hpp>
#include <damrak/http/server.hpp>
#include <damrak/http/session_cookies.hpp>
#include <damrak/market_data_api/api.hpp>

#include "serve/settings.hpp"

namespace damrak::app {

inline constexpr std::string_view k_login_path = "/v1/login";
inline constexpr std::string_view k_logout_path = "/v1/logout";

class OperatorAccess {
  public:
    /// The first time: reads or makes the token, and says where it is; a new one is shown. Before
    /// the service at this port starts.
    [[nodiscard]] journal::Result<void> open(const ServeSettings& settings, std::uint16_t port);
    /// For the service, which must not outlive this. Nor must the `fees` of the exchange.
    [[nodiscard]] market_data_api::PrivateAccess of(exchange::Exchange& exchange,
                                                    market_data_api::FeesNow fees) const;
    /// A request was refused. Any thread.
    void count_refused(const http::Request& request) {
        if (!request.authorization.empty()) wrong_.fetch_add(1, std::memory_order_relaxed);
    }
    /// Whether it shows the token, or comes from a page that has logged in. Any thread.
    [[nodiscard]] bool admits(const http::Request& request) const;
    /// The same of a request for figures of the exchange. If no token is configured and the
    /// exchange listens on loopback alone, they are for any request of this machine. Any thread.
    [[nodiscard]] bool shows_figures(const http::Request& request) const;
    /// Whether it shows a token, and it is not the operator's. Any thread.
    [[nodiscard]] bool is_wrong(const http::Request& request) const {
        return !request.authorization.empty() && !admits(request);
    }
    /// POST /v1/login and /v1/logout.
    [[nodiscard]] http::Answer answer_login(const http::Request& request);
    [[nodiscard]] std::string metrics() const;

  private:
    std::optional<http::BearerToken> token_;
    bool is_this_machine_ = false;  ///< requests from this machine count as the operator's
    mutable std::mutex mutex_;
    std::optional<http::SessionCookies> logins_;
    std::atomic<std::uint64_t> wrong_{0};
};

}  // namespace damrak::app
