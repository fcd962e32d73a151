// Sends the orders of a list in the market file, each at its time: a participant whose behaviour is
// known to the last order, for studies of one event and for tests of the others.
//
//   orders = ["1s buy 100 limit 99.98 for 10s",      # cancelled after 10 s if it still rests
//             "2s sell 500 market",
//             "3s buy 100 limit 100.02 ioc",         # or fok, post-only, hidden
//             "4s sell 1000 limit 100.1 show 100",   # an iceberg order
//             "60s cancel"]                          # whatever still rests
#pragma once

#include <cstdint>
#include <expected>
#include <string>
#include <string_view>
#include <vector>

#include <damrak/market_kernel/participant.hpp>
#include <damrak/participants/kind.hpp>

namespace damrak::participants {

/// A row of the list.
struct ScriptedOrder {
    std::int64_t at_ns = 0;
    bool cancels = false;             ///< everything; there is no order
    market_kernel::NewOrder order{};  ///< without its instrument
    std::int64_t for_ns = 0;          ///< zero: it may rest
};
/// Or what is wrong with the text.
[[nodiscard]] std::expected<ScriptedOrder, std::string> parse_scripted_order(std::string_view text);

class ScriptedTrader final : public market_kernel::Participant {
  public:
    struct Parameters {
        std::vector<std::string> orders{};
    };
    static constexpr std::string_view k_name = "scripted";
    static constexpr std::string_view k_summary = "Sends the orders of a list at their times";
    static constexpr std::string_view k_source = "the market file itself";
    static std::vector<Parameter<Parameters>> parameters();
    static std::string check(const Parameters& parameters);

    ScriptedTrader(const Parameters& parameters, const Assignment& assignment);

    void on_start(market_kernel::MarketAccess& access) override;
    void on_timer(market_kernel::MarketAccess& access, std::uint64_t key) override;

  private:
    void send(market_kernel::MarketAccess& access, const ScriptedOrder& row);

    std::vector<InstrumentId> instruments_;
    std::vector<ScriptedOrder> script_;
    std::vector<market_kernel::OrderHandle> sent_;
};

}  // namespace damrak::participants
