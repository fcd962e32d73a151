// Manipulators, for studies of surveillance and of how others are deceived by the book; both are
// forbidden on real markets. Each shows large orders on one side, behind the best price and not
// meant to trade, so that those who follow the imbalance of the book trade with its small order on
// the other side; then it cancels them. The next cycle leads its position back. A spoofer shows
// one large order, a layerer several at prices one behind the other.
//
// Sources: Lee, Eom and Park (2013), Microstructure-based manipulation: strategic behavior and
// performance of spoofing traders; Wang, Hoang and Wellman (2021), Spoofing the limit order book.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <damrak/market_kernel/participant.hpp>
#include <damrak/participants/kind.hpp>

namespace damrak::participants {

namespace detail {

struct SpoofParameters {
    double cycles_per_s = 0.1;
    std::int64_t quantity = 100;
    std::int64_t shown_quantity = 2'000;
    std::int64_t levels = 1;
    std::int64_t ticks_away = 1;
    std::int64_t hold_ns = 2 * market_kernel::k_second_ns;
};

class BookDeceiver : public market_kernel::Participant {
  public:
    BookDeceiver(const SpoofParameters& parameters, const Assignment& assignment)
        : is_(parameters), instruments_(assignment.instruments) {}

    void on_start(market_kernel::MarketAccess& access) override;
    void on_timer(market_kernel::MarketAccess& access, std::uint64_t key) override;
    void on_report(market_kernel::MarketAccess& access,
                   const market_kernel::Report& report) override;

  private:
    void begin_cycle(market_kernel::MarketAccess& access);
    void end_cycle(market_kernel::MarketAccess& access);

    SpoofParameters is_;
    std::vector<InstrumentId> instruments_;
    market_kernel::OrderHandle real_{};
    std::vector<market_kernel::OrderHandle> shown_;
    std::uint64_t cycle_ = 0;
    market_kernel::Draws cycles_;
    market_kernel::Draws terms_;
};

}  // namespace detail

class Spoofer final : public detail::BookDeceiver {
  public:
    struct Parameters : detail::SpoofParameters {};
    static constexpr std::string_view k_name = "spoofer";
    static constexpr std::string_view k_summary =
        "Shows a large order that it cancels, to trade a small one on the other side";
    static constexpr std::string_view k_source =
        "Lee, Eom and Park (2013), Microstructure-based manipulation; for surveillance studies";
    static std::vector<Parameter<Parameters>> parameters();
    static std::string check(const Parameters& /*parameters*/) { return {}; }

    Spoofer(const Parameters& parameters, const Assignment& assignment)
        : BookDeceiver(parameters, assignment) {}
};

class Layerer final : public detail::BookDeceiver {
  public:
    struct Parameters : detail::SpoofParameters {
        Parameters() {
            shown_quantity = 500;
            levels = 4;
        }
    };
    static constexpr std::string_view k_name = "layering";
    static constexpr std::string_view k_summary =
        "Shows orders at several prices that it cancels, to trade a small one on the other side";
    static constexpr std::string_view k_source =
        "Wang, Hoang and Wellman (2021), Spoofing the limit order book; for surveillance studies";
    static std::vector<Parameter<Parameters>> parameters();
    static std::string check(const Parameters& /*parameters*/) { return {}; }

    Layerer(const Parameters& parameters, const Assignment& assignment)
        : BookDeceiver(parameters, assignment) {}
};

}  // namespace damrak::participants
