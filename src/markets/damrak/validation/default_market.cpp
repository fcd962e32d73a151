#include <damrak/validation/default_market.hpp>

#include <damrak/base/assert.hpp>

namespace damrak::validation {
namespace {

// examples/markets/stylised_facts.toml says what each part is for; a test compares the two.
constexpr std::string_view k_text = R"(
name = "default market"
about = "Flows that excite themselves, makers and noise: near the stylised facts of real markets."
duration = "1h"

[exchange]
maker_fee = -0.002
taker_fee = 0.003
service_time = "5us"

[[instrument]]
symbol = "VAL"
price = 100.0
tick = 0.01
volatility = 0.00012
jumps_per_s = 0.02
jump_size = 0.0006

[[participants]]
kind = "hawkes"
name = "fast flow"
latency = "100us"
quantity = 100
most_ticks_away = 5
decay_per_s = 10.0
base_per_s = [0.12, 0.12, 1.2, 1.2, 1.5, 1.5]
branching = [
  0.7, 0.0, 0.0, 0.0, 0.0, 0.0,
  0.0, 0.7, 0.0, 0.0, 0.0, 0.0,
  0.2, 0.3, 0.3, 0.0, 0.0, 0.0,
  0.3, 0.2, 0.0, 0.3, 0.0, 0.0,
  0.1, 0.15, 0.2, 0.0, 0.3, 0.0,
  0.15, 0.1, 0.0, 0.2, 0.0, 0.3,
]

[[participants]]
kind = "hawkes"
name = "medium flow"
latency = "100us"
quantity = 100
most_ticks_away = 5
decay_per_s = 0.5
base_per_s = [0.096, 0.096, 0.96, 0.96, 1.2, 1.2]
branching = [
  0.7, 0.0, 0.0, 0.0, 0.0, 0.0,
  0.0, 0.7, 0.0, 0.0, 0.0, 0.0,
  0.2, 0.3, 0.3, 0.0, 0.0, 0.0,
  0.3, 0.2, 0.0, 0.3, 0.0, 0.0,
  0.1, 0.15, 0.2, 0.0, 0.3, 0.0,
  0.15, 0.1, 0.0, 0.2, 0.0, 0.3,
]

[[participants]]
kind = "hawkes"
name = "slow flow"
latency = "100us"
quantity = 100
most_ticks_away = 5
decay_per_s = 0.05
base_per_s = [0.012, 0.012, 0.12, 0.12, 0.15, 0.15]
branching = [
  0.7, 0.0, 0.0, 0.0, 0.0, 0.0,
  0.0, 0.7, 0.0, 0.0, 0.0, 0.0,
  0.2, 0.3, 0.3, 0.0, 0.0, 0.0,
  0.3, 0.2, 0.0, 0.3, 0.0, 0.0,
  0.1, 0.15, 0.2, 0.0, 0.3, 0.0,
  0.15, 0.1, 0.0, 0.2, 0.0, 0.3,
]

[[participants]]
kind = "noise"
count = 75
orders_per_s = 0.2
market_share = 0.025
lifetime = "10s"
latency = { kind = "lognormal", median = "2ms", sigma = 0.5 }

[[participants]]
kind = "fixed-maker"
name = "makers"
count = 3
anchor = "fundamental"
half_spread_ticks = 1.8
skew_ticks = 0.012
quantity = 250
levels = 5
most_position = 1000000
interval = "100ms"
latency = "200us"
)";

}  // namespace

market_runs::MarketFile default_market() {
    auto file = market_runs::parse_market_file(k_text, "the default market");
    DAMRAK_ASSERT(file.has_value());
    return *std::move(file);
}

}  // namespace damrak::validation
