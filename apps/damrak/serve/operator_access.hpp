// The operator of the exchange at its HTTP service: the token in DATA/operator-token, which opens
// /v1/private, and the file of events up to the last moment.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include <damrak/exchange/exchange.hpp>
#include <damrak/http/bearer_token.hpp>
#include <damrak/http/server.hpp>
#include <damrak/market_data_api/api.hpp>

namespace damrak::app {

class OperatorAccess {
  public:
    /// Reads or makes the token, and says where it is. Before the service starts.
    [[nodiscard]] journal::Result<void> open(const std::filesystem::path& data);
    /// For the service, which must not outlive this.
    [[nodiscard]] market_data_api::PrivateAccess of(const exchange::Exchange& exchange) const;
    /// A request was refused. Any thread.
    void count_refused(const http::Request& request) {
        if (!request.authorization.empty()) wrong_.fetch_add(1, std::memory_order_relaxed);
    }
    [[nodiscard]] std::string metrics() const;

  private:
    [[nodiscard]] bool admits(std::string_view authorization) const {
        return token_ && token_->admits(authorization);
    }

    std::optional<http::BearerToken> token_;
    std::atomic<std::uint64_t> wrong_{0};
};

}  // namespace damrak::app
