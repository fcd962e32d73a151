// A participant of one's own in a market with others: buys ten times a hundred shares, one order a
// second, at the best price of the buyers, and prints what it paid.
//
//   build/release/examples/own_participant
#include <cstdint>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include <damrak/market_kernel/market.hpp>
#include <damrak/participants/kind.hpp>

namespace {

using namespace damrak;
using market_kernel::k_second_ns;
using market_kernel::MarketAccess;

constexpr InstrumentId k_share{1};

class PatientBuyer final : public market_kernel::Participant {
  public:
    void on_start(MarketAccess& access) override {
        access.wake_at({access.now().value + k_second_ns});
    }
    void on_timer(MarketAccess& access, std::uint64_t /*key*/) override {
        if (++orders_ < 10) access.wake_at({access.now().value + k_second_ns});
        const views::PublicChange& view = access.view(k_share);  // as old as its market data
        if (view.has_bid())
            access.enter({.instrument = k_share,
                          .side = Side::buy,
                          .price = view.bid,
                          .quantity = Quantity{100}});
    }
    void on_report(MarketAccess& /*access*/, const market_kernel::Report& report) override {
        if (report.kind != market_kernel::Report::Kind::filled) return;
        bought += report.quantity.value;
        paid += report.quantity.value * report.price.value;
    }

    std::int64_t bought = 0;
    std::int64_t paid = 0;  // price units times shares

  private:
    int orders_ = 0;
};

market_kernel::Seat seat_of(const char* kind, std::uint32_t member) {
    market_kernel::Seat seat;
    seat.participant = participants::find_kind(kind)->make({}, {{k_share}});
    seat.group = kind;
    seat.member = member;
    seat.connection.orders.base_ns = 1'000'000;
    return seat;
}

}  // namespace

int main() {
    market_kernel::MarketSetup setup;
    InstrumentDefinition share;
    share.id = k_share;
    share.symbol = Symbol::of("AAA");
    setup.instruments = {share};
    setup.fundamentals = {{.start = 100 * 10'000.0}};  // in price units of 0.0001
    for (std::uint32_t i = 0; i < 3; ++i) setup.seats.push_back(seat_of("fixed-maker", i));
    for (std::uint32_t i = 0; i < 50; ++i) setup.seats.push_back(seat_of("noise", i));
    auto own = std::make_unique<PatientBuyer>();
    const PatientBuyer& buyer = *own;
    setup.seats.push_back({.participant = std::move(own), .group = "buyer"});

    market_kernel::Market market{std::move(setup)};
    market.run_until({market.now().value + 60 * k_second_ns});
    if (buyer.bought == 0) return 1;
    fmt::print("bought {} shares at {:.4f} on average, hash {:016x}\n", buyer.bought,
               static_cast<double>(buyer.paid) / static_cast<double>(buyer.bought) / 10'000,
               market.hash());
    return 0;
}
