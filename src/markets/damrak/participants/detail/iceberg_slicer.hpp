// Shows a large order slice by slice: one slice rests at the best price of its side, and the next
// follows when it is filled. An iceberg order that the exchange does not know about; each slice
// joins the end of the queue. A slice that the market has left is moved up at the next look.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <damrak/participants/detail/execution.hpp>

namespace damrak::participants {

class IcebergSlicer final : public market_kernel::Participant {
  public:
    struct Parameters : detail::ParentParameters {
        std::int64_t slice = 100;
        std::int64_t interval_ns = market_kernel::k_second_ns;
    };
    static constexpr std::string_view k_name = "iceberg-slicer";
    static constexpr std::string_view k_summary =
        "Executes a parent order by small limit orders, the next when one is filled";
    static constexpr std::string_view k_source =
        "Esser and Mönch (2007), The navigation of an iceberg: the optimal use of hidden orders";
    static std::vector<Parameter<Parameters>> parameters();
    static std::string check(const Parameters& parameters) { return check_parent(parameters); }

    IcebergSlicer(const Parameters& parameters, const Assignment& assignment);

    void on_start(market_kernel::MarketAccess& access) override;
    void on_timer(market_kernel::MarketAccess& access, std::uint64_t key) override;
    void on_report(market_kernel::MarketAccess& access,
                   const market_kernel::Report& report) override;

  private:
    struct Parent {
        InstrumentId instrument{};
        std::int64_t done = 0;
        market_kernel::OrderHandle slice{};
    };
    [[nodiscard]] Price price(market_kernel::MarketAccess& access, InstrumentId instrument) const;
    void show(market_kernel::MarketAccess& access, Parent& parent);

    Parameters is_;
    Side side_;
    Timestamp end_{};
    std::vector<Parent> parents_;
};

}  // namespace damrak::participants
