#include <damrak/comparison/detail/values.hpp>

#include <cmath>

namespace damrak::comparison {
namespace {

constexpr double k_price_units = 10'000;

class Collector {
  public:
    Collector(MeasuredRun& run, const std::string& instrument)
        : run_(&run), instrument_(instrument) {}

    void add(const std::string& group, std::string measure, std::string_view unit, double value,
             std::uint64_t count) {
        if (count == 0 || !std::isfinite(value)) return;
        run_->values.push_back(
            {{instrument_, group, std::move(measure)}, std::string{unit}, value, count});
    }

    void add(const market_runs::GroupResult& result) {
        const std::string& group = result.group;
        const auto total = [&](const char* name, std::string_view unit, auto value) {
            add(group, name, unit, static_cast<double>(value), 1);
        };
        if (result.has_profit)
            total("profit", "currency",
                  static_cast<double>(result.twice_profit) / 2 / k_price_units);
        total("fees", "currency", static_cast<double>(result.fees) / k_price_units);
        total("position", "shares", result.position);
        add(group, "inventory", "shares", result.inventory.mean(), result.inventory.count());
        total("largest_inventory", "shares", result.largest_inventory);
        total("messages", "1", result.messages);
        add(group, "rejected_messages", "share",
            static_cast<double>(result.rejected) / static_cast<double>(result.messages),
            result.messages);
        total("maker_volume", "shares", result.maker_volume);
        total("taker_volume", "shares", result.taker_volume);
        for (std::size_t i = 0; i < result.adverse_selection.size(); ++i)
            add(group,
                "adverse_selection_" + std::to_string(market_runs::MarketMeasures::k_adverse_s[i]) +
                    "s",
                "price units", result.adverse_selection[i].mean(),
                result.adverse_selection[i].count());
        total("races_entered", "1", result.races.entered);
        total("races_won", "1", result.races.won);
        total("race_rent", "currency",
              static_cast<double>(result.races.twice_rent) / 2 / k_price_units);
        const measures::QuotingResult& quoting = result.quoting;
        if (quoting.makers == 0) return;
        add(group, "presence", "share", quoting.present_s / quoting.trading_s,
            quoting.trading_s > 0 ? 1 : 0);
        add(group, "own_spread", "ticks", quoting.spread.mean(), quoting.spread.count());
        add(group, "obligations_met", "share",
            static_cast<double>(quoting.met) / static_cast<double>(quoting.periods),
            quoting.periods);
        total("obligation_payment", "currency",
              static_cast<double>(quoting.payment) / k_price_units);
    }

  private:
    MeasuredRun* run_;
    std::string instrument_;
};

}  // namespace

std::string MeasureName::text() const {
    return group.empty() ? instrument + '/' + measure : instrument + '/' + group + '/' + measure;
}

bool MeasureName::answers_to(std::string_view name) const {
    const std::string whole = text();
    return name == whole || (whole.ends_with(name) && whole[whole.size() - name.size() - 1] == '/');
}

MeasuredRun measured(const market_runs::RunResult& result) {
    MeasuredRun run{.seed = result.seed,
                    .hash = result.hash,
                    .messages = result.counts.messages,
                    .trades = result.counts.trades,
                    .rejects = result.counts.rejects,
                    .faults = result.faults.size(),
                    .values = {}};
    for (const market_runs::InstrumentResult& instrument : result.instruments) {
        Collector collector{run, instrument.symbol};
        for (const measures::Value& value : instrument.measures.values())
            collector.add({}, value.name, value.unit, value.value, value.count);
        for (const market_runs::GroupResult& group : instrument.groups) collector.add(group);
    }
    return run;
}

}  // namespace damrak::comparison
