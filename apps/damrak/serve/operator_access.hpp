// The operator of the exchange at its HTTP service: the token in DATA/operator-token, which opens
// /v1/private and lets viewers of the live page trade and control a replay; logins with it, which
// last as long as the program; and the file of events up to the last moment. On the thread of the
// HTTP service, but for what is said to be for any.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include <damrak/exchange/exchange.hpp>
#include <damrak/http/bearer_token.hpp>
#include <damrak/http/server.hpp>
#include <damrak/http/session_cookies.hpp>
#include <damrak/market_data_api/api.hpp>

namespace damrak::app {

inline constexpr std::string_view k_login_path = "/v1/login";
inline constexpr std::string_view k_logout_path = "/v1/logout";

class OperatorAccess {
  public:
    /// The first time: reads or makes the token, and says where it is; a new one is shown. Before
    /// the service at this port starts; `is_secure`: with TLS.
    [[nodiscard]] journal::Result<void> open(const std::filesystem::path& data, std::uint16_t port,
                                             bool is_secure);
    /// For the service, which must not outlive this. Nor must the `fees` of the exchange.
    [[nodiscard]] market_data_api::PrivateAccess of(exchange::Exchange& exchange,
                                                    market_data_api::FeesNow fees) const;
    /// A request was refused. Any thread.
    void count_refused(const http::Request& request) {
        if (!request.authorization.empty()) wrong_.fetch_add(1, std::memory_order_relaxed);
    }
    /// Whether it shows the token, or comes from a page that has logged in. Any thread.
    [[nodiscard]] bool admits(const http::Request& request) const;
    /// POST /v1/login and /v1/logout.
    [[nodiscard]] http::Answer answer_login(const http::Request& request);
    [[nodiscard]] std::string metrics() const;

  private:
    std::optional<http::BearerToken> token_;
    mutable std::mutex mutex_;
    std::optional<http::SessionCookies> logins_;
    std::atomic<std::uint64_t> wrong_{0};
};

}  // namespace damrak::app
