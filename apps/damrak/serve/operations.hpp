// How the exchange does: /health, and the `exchange` channel of the live stream. Called by the
// thread of the HTTP server.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

#include <damrak/exchange/capacity.hpp>
#include <damrak/exchange/exchange.hpp>
#include <damrak/exchange/surroundings.hpp>
#include <damrak/http/server.hpp>
#include <damrak/market_stream/market_stream.hpp>
#include <damrak/telemetry/collector.hpp>

#include "serve/settings.hpp"

namespace damrak::app {

inline constexpr std::string_view k_subscribers_path = "/v1/private/subscribers";

/// A text for clients: files are named as below the exchange's folder, whose place is for its
/// operator only.
[[nodiscard]] std::string without_folder(std::string text, const std::filesystem::path& data);

class Operations {
  public:
    /// All must outlive this; the collector may come later. `usages`: of all that is finite;
    /// `loss_warning`: of the run's logs.
    Operations(const ServeSettings& settings, exchange::Exchange& exchange,
               const exchange::Surroundings& surroundings, std::function<exchange::Usages()> usages,
               std::function<std::string()> loss_warning);

    /// The levels, and figures for who may see them.
    [[nodiscard]] http::Answer health(bool has_figures);
    /// The same as members of an `exchange` message, each with a comma before it.
    [[nodiscard]] std::string stream_levels();
    [[nodiscard]] std::string stream_members(const telemetry::Collector& collector,
                                             const market_stream::MarketStream& stream);
    /// Who does not take what is sent to it, and by how much.
    [[nodiscard]] http::Answer subscribers(const market_stream::MarketStream& stream) const;
    [[nodiscard]] double uptime_s() const;

  private:
    struct Condition {
        bool is_well = true;
        std::string_view status;  ///< ok, warning or failing
        std::string reason;       ///< empty if it is ok
    };

    [[nodiscard]] Condition condition(const telemetry::Counters& counters);
    [[nodiscard]] bool is_stalled(std::uint64_t turns);
    [[nodiscard]] telemetry::Counters counters() const;

    const ServeSettings* settings_;
    exchange::Exchange* exchange_;
    const exchange::Surroundings* surroundings_;
    std::function<exchange::Usages()> usages_;
    std::function<std::string()> loss_warning_;
    std::int64_t begin_ns_;
    std::uint64_t turns_seen_ = 0;
    std::int64_t turns_seen_at_ns_ = 0;
    // For the rates, what the last message told:
    std::int64_t last_ns_;
    std::uint64_t last_commands_ = 0;
    std::uint64_t last_messages_ = 0;
};

}  // namespace damrak::app
