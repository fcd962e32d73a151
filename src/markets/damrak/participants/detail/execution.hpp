// What execution algorithms share: a parent order of a side and a quantity that is worked from a
// start to an end, in slots of equal length, by child orders. A kind adds how much should have
// traded by the end of each slot.
//
// Marketable children trade what a slot asks for at its beginning. Passive children rest at the
// best price of their side until the end of the slot; then what is left is taken. What could not
// trade, because the other side was empty or beyond the limit, is tried again in the next slot;
// what is left at the end is given up. The children together never exceed the parent.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <damrak/market_kernel/participant.hpp>
#include <damrak/participants/kind.hpp>

namespace damrak::participants::detail {

struct ParentParameters {
    std::string side = "sell";
    std::int64_t quantity = 10'000;
    std::int64_t start_ns = 0;
    std::int64_t end_ns = 600 * market_kernel::k_second_ns;
    double limit_price = 0;
};
struct ExecutionParameters : ParentParameters {
    ExecutionParameters();  // out of line, because GCC 12 warns of its strings otherwise
    std::int64_t interval_ns = 10 * market_kernel::k_second_ns;
    std::string children = "marketable";
};

template <class P>
[[nodiscard]] ParameterRows<P> parent_rows() {
    constexpr std::int64_t k_most_ns = 100 * 86'400 * market_kernel::k_second_ns;
    ParameterRows<P> rows;
    rows.word("side", &P::side, {"buy", "sell"}, "Side of the parent order");
    rows.whole("quantity", &P::quantity, "shares", 1, 1'000'000'000,
               "Quantity of the parent order, in each instrument");
    rows.duration("start", &P::start_ns, 0, k_most_ns, "Begins this long after the opening");
    rows.duration("end", &P::end_ns, 1, k_most_ns, "Gives up this long after the opening");
    rows.price("limit_price", &P::limit_price, "No child trades at a worse price; 0 for none");
    return rows;
}
template <class P>
[[nodiscard]] ParameterRows<P> execution_rows() {
    ParameterRows<P> rows = parent_rows<P>();
    rows.duration("interval", &P::interval_ns, 1'000, 86'400 * market_kernel::k_second_ns,
                  "Length of a slot");
    rows.word("children", &P::children, {"marketable", "passive"},
              "Take at once, or rest at the best price until the end of the slot and then take");
    return rows;
}

[[nodiscard]] std::string check_parent(const ParentParameters& parameters);
/// At the best price of the side, within the limit, and not at a price of the other side.
[[nodiscard]] Price passive_price(market_kernel::MarketAccess& access, InstrumentId id, Side side,
                                  double limit_price);
/// Of the limit price, on a tick; zero: there is no limit.
[[nodiscard]] Price limit_of(const market_kernel::MarketAccess& access, InstrumentId id, Side side,
                             double limit_price);

class Execution : public market_kernel::Participant {
  public:
    Execution(const ExecutionParameters& parameters, const Assignment& assignment);

    void on_start(market_kernel::MarketAccess& access) override;
    void on_timer(market_kernel::MarketAccess& access, std::uint64_t key) override;
    void on_report(market_kernel::MarketAccess& access,
                   const market_kernel::Report& report) override;

  protected:
    /// The parent order in one instrument.
    struct Parent {
        InstrumentId instrument{};
        std::int64_t slot = 0;    ///< next one
        std::int64_t done = 0;    ///< by the reports
        std::int64_t due = 0;     ///< should have traded by now
        std::int64_t target = 0;  ///< should have traded by the end of the slot
        std::uint64_t volume_before = 0;
        market_kernel::OrderHandle resting{};
        market_kernel::OrderHandle taking{};
        std::vector<market_kernel::OrderHandle> late{};  ///< passive, being cancelled
    };
    /// What should have traded when this share of the time has passed, at the beginning of whose
    /// last slot it is asked. Less than before counts as nothing more.
    [[nodiscard]] virtual double wanted(market_kernel::MarketAccess& access, const Parent& parent,
                                        double share) = 0;
    [[nodiscard]] std::int64_t period_ns() const { return is_.end_ns - is_.start_ns; }
    [[nodiscard]] std::int64_t quantity() const { return is_.quantity; }

  private:
    void begin_slot(market_kernel::MarketAccess& access, Parent& parent);
    [[nodiscard]] std::int64_t next_target(market_kernel::MarketAccess& access,
                                           const Parent& parent);
    void withdraw(market_kernel::MarketAccess& access, Parent& parent);
    void take(market_kernel::MarketAccess& access, Parent& parent);
    void rest(market_kernel::MarketAccess& access, Parent& parent);

    ExecutionParameters is_;
    Side side_;
    std::int64_t slots_;
    Timestamp begin_{};
    std::vector<Parent> parents_;
};

}  // namespace damrak::participants::detail
