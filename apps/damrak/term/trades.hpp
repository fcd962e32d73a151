// The trades of the market, asked of the HTTP gateway of an exchange, as the binary protocol tells
// a client of its own only. Blocks for a second at most.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <damrak/client/term_gateway.hpp>

namespace damrak::app {

class TradeQuery {
  public:
    TradeQuery(std::string host, std::uint16_t http_port)
        : host_(std::move(host)), http_port_(http_port) {}

    /// Trades since the last call; empty optional if the exchange does not report them.
    [[nodiscard]] std::optional<std::vector<client::TapeTrade>> ask();

  private:
    std::string host_;
    std::uint16_t http_port_;
    std::uint64_t traded_ = 0;  ///< number of the last reported trade
};

}  // namespace damrak::app
