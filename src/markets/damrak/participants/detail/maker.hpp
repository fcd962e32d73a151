// What market makers share: the price around which they quote, levels, limits of inventory,
// obligations, and when they look again. A kind adds how far its quotes are from that price.
//
// A maker looks again every `interval`, and at its own fills. The mid price that it uses is that of
// the orders of others: with its own in it, its skew would move the price that it skews from.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <damrak/market_kernel/participant.hpp>
#include <damrak/participants/detail/quotes.hpp>
#include <damrak/participants/kind.hpp>
#include <damrak/participants/models/market_making.hpp>

namespace damrak::participants::detail {

struct MakerParameters {
    std::string anchor = "mid";
    std::int64_t quantity = 100;
    std::int64_t levels = 1;
    std::int64_t level_step_ticks = 1;
    std::int64_t most_position = 1'000;
    std::int64_t interval_ns = 100 * market_kernel::k_millisecond_ns;
    std::int64_t most_spread_ticks = 0;
    std::int64_t least_quantity = 1;
};

template <class P>
[[nodiscard]] ParameterRows<P> maker_rows() {
    ParameterRows<P> rows;
    rows.word("anchor", &P::anchor, {"mid", "last", "fundamental"},
              "Price around which it quotes: mid price of the others, last trade, or value");
    rows.whole("quantity", &P::quantity, "shares", 1, 1'000'000,
               "Quantity of a quote, and the unit of inventory");
    rows.whole("levels", &P::levels, "orders", 1, 20, "Quotes of each side");
    rows.whole("level_step_ticks", &P::level_step_ticks, "ticks", 1, 10'000,
               "Distance from one quote of a side to the next");
    rows.whole("most_position", &P::most_position, "shares", 1, 1'000'000'000,
               "A side whose fill would lead beyond this position is not quoted");
    rows.duration("interval", &P::interval_ns, 1'000, 3'600 * market_kernel::k_second_ns,
                  "Time between two looks at the market");
    rows.whole("most_spread_ticks", &P::most_spread_ticks, "ticks", 0, 1'000'000,
               "Obligation: its best quotes are at most this far apart; 0 for none");
    rows.whole("least_quantity", &P::least_quantity, "shares", 1, 1'000'000,
               "Obligation: no quote is smaller");
    return rows;
}

[[nodiscard]] std::string check_maker(const MakerParameters& parameters);

class Maker : public market_kernel::Participant {
  public:
    Maker(const MakerParameters& parameters, const Assignment& assignment);

    void on_start(market_kernel::MarketAccess& access) override;
    void on_report(market_kernel::MarketAccess& access,
                   const market_kernel::Report& report) override;
    void on_timer(market_kernel::MarketAccess& access, std::uint64_t key) override;

  protected:
    /// In ticks from the anchor, with this many `quantity` in hand.
    [[nodiscard]] virtual models::Distances distances(market_kernel::MarketAccess& access,
                                                      double inventory) = 0;

  private:
    struct Book {
        InstrumentId instrument{};
        Quotes quotes;
    };
    /// Best prices of others.
    struct Others {
        std::optional<Price> bid;
        std::optional<Price> ask;
    };
    [[nodiscard]] Others others(market_kernel::MarketAccess& access, const Book& book) const;
    [[nodiscard]] double anchor(market_kernel::MarketAccess& access, const Book& book,
                                const Others& others) const;
    void quote(market_kernel::MarketAccess& access, Book& book);

    MakerParameters maker_;
    std::vector<Book> books_;
};

}  // namespace damrak::participants::detail
