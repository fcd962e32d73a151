// The market of Glosten and Milgrom (1985), Bid, ask and transaction prices in a specialist market
// with heterogeneously informed traders. The value is `low` or `high`. `glosten-milgrom` is the
// maker: it quotes what the value is expected to be given that the next trader buys, or sells, and
// learns from each trade. `glosten-milgrom-traders` are its customers: a share of them knows the
// value, the others buy or sell by chance. models/asymmetric_information.hpp has the quotes.
//
// Quotes are rounded away from each other to whole ticks, which leaves the maker a small profit.
// Prices are at least a tick. Each instrument has a value of its own.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <damrak/market_kernel/participant.hpp>
#include <damrak/participants/detail/quotes.hpp>
#include <damrak/participants/kind.hpp>
#include <damrak/participants/models/asymmetric_information.hpp>

namespace damrak::participants {

class GlostenMilgromMaker final : public market_kernel::Participant {
  public:
    struct Parameters {
        double low = 990'000;
        double high = 1'010'000;
        double probability = 0.5;
        double informed_share = 0.3;
        std::int64_t quantity = 100;
    };
    static constexpr std::string_view k_name = "glosten-milgrom";
    static constexpr std::string_view k_summary =
        "Quotes the expected value given that the next trader buys or sells";
    static constexpr std::string_view k_source =
        "Glosten and Milgrom (1985), Bid, ask and transaction prices in a specialist market";
    static std::vector<Parameter<Parameters>> parameters();
    static std::string check(const Parameters& parameters);

    GlostenMilgromMaker(const Parameters& parameters, const Assignment& assignment);

    void on_start(market_kernel::MarketAccess& access) override;
    void on_report(market_kernel::MarketAccess& access,
                   const market_kernel::Report& report) override;
    void on_timer(market_kernel::MarketAccess& access, std::uint64_t key) override;

  private:
    struct Book {
        InstrumentId instrument{};
        models::GlostenMilgrom belief{};
        detail::Quotes quotes;
    };
    void quote(market_kernel::MarketAccess& access, Book& book);

    Parameters is_;
    std::vector<Book> books_;
};

class GlostenMilgromTraders final : public market_kernel::Participant {
  public:
    struct Parameters {
        double probability = 0.5;
        double informed_share = 0.3;
        double orders_per_s = 1;
        std::int64_t quantity = 100;
    };
    static constexpr std::string_view k_name = "glosten-milgrom-traders";
    static constexpr std::string_view k_summary =
        "Customers one by one, a share of which knows whether the value is low or high";
    static constexpr std::string_view k_source = GlostenMilgromMaker::k_source;
    static std::vector<Parameter<Parameters>> parameters();
    static std::string check(const Parameters& /*parameters*/) { return {}; }

    GlostenMilgromTraders(const Parameters& parameters, const Assignment& assignment)
        : is_(parameters), instruments_(assignment.instruments) {}

    void on_start(market_kernel::MarketAccess& access) override;
    void on_timer(market_kernel::MarketAccess& access, std::uint64_t key) override;
    /// After the start, for measures of welfare and price discovery.
    [[nodiscard]] bool is_high(std::size_t place) const { return is_high_[place]; }

  private:
    Parameters is_;
    std::vector<InstrumentId> instruments_;
    std::vector<bool> is_high_;  ///< by instrument
    market_kernel::Draws arrivals_;
    market_kernel::Draws terms_;
};

}  // namespace damrak::participants
