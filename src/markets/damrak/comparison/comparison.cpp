#include <damrak/comparison/comparison.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <utility>

#include <fmt/format.h>

#include <damrak/base/assert.hpp>
#include <damrak/market_kernel/draws.hpp>

namespace damrak::comparison {
namespace {

/// The values of a measure in runs where both markets have it.
struct Pairs {
    MeasureName name;
    std::string unit;
    std::vector<double> a;
    std::vector<double> b;
};

constexpr std::string_view k_tick_size = "tick_size";

bool is_asked_for(const MeasureName& name, const CompareOptions& options) {
    return name.answers_to(options.primary) ||
           std::ranges::any_of(options.measures,
                               [&](const std::string& word) { return name.answers_to(word); });
}

bool is_wanted(const MeasureName& name, const CompareOptions& options) {
    if (is_asked_for(name, options)) return true;
    return options.measures.empty() && !name.measure.ends_with("_currency") &&
           name.measure != k_tick_size;
}

/// By instrument; empty where the runs do not say it.
std::optional<double> tick_of(const MeasuredRun& run, const std::string& instrument) {
    for (const Measured& value : run.values)
        if (value.name.instrument == instrument && value.name.measure == k_tick_size)
            return value.value;
    return std::nullopt;
}

class PairTable {
  public:
    explicit PairTable(const CompareOptions& options) : options_(&options) {}

    void add(const MeasuredRun& a, const MeasuredRun& b) {
        std::map<MeasureName, double> values_b;
        for (const Measured& value : b.values) values_b.emplace(value.name, value.value);
        for (const Measured& value : a.values) {
            Pairs* const pairs = row(value);
            if (pairs == nullptr) continue;
            const auto other = values_b.find(value.name);
            if (other == values_b.end()) continue;
            pairs->a.push_back(value.value);
            pairs->b.push_back(other->second);
        }
        for (const Measured& value : b.values) row(value);
    }

    [[nodiscard]] std::vector<Pairs>& rows() { return rows_; }

  private:
    Pairs* row(const Measured& value) {
        if (!is_wanted(value.name, *options_)) return nullptr;
        const auto [at, is_new] = places_.emplace(value.name, rows_.size());
        if (is_new) rows_.push_back({value.name, value.unit, {}, {}});
        return &rows_[at->second];
    }

    const CompareOptions* options_;
    std::vector<Pairs> rows_;
    std::map<MeasureName, std::size_t> places_;
};

std::optional<std::uint64_t> seeds_for(const Difference& difference,
                                       const CompareOptions& options) {
    if (!options.effect) return std::nullopt;
    const Effect& effect = *options.effect;
    if (!effect.is_share && !difference.name.answers_to(options.primary)) return std::nullopt;
    const double size = effect.is_share ? effect.size * difference.mean_a : effect.size;
    if (size == 0) return std::nullopt;
    return pairs_needed(difference.deviation, size);
}

Difference difference_of(Pairs& pairs, const CompareOptions& options) {
    std::vector<double> differences(pairs.a.size());
    std::ranges::transform(pairs.b, pairs.a, differences.begin(), std::minus{});
    Difference result{.name = std::move(pairs.name),
                      .unit = std::move(pairs.unit),
                      .pairs = differences.size(),
                      .mean_a = mean_of(pairs.a),
                      .mean_b = mean_of(pairs.b),
                      .deviation_a = std::sqrt(variance_of(pairs.a)),
                      .mean = mean_of(differences),
                      .deviation = std::sqrt(variance_of(differences))};
    // By name: another choice of measures does not change the drawings of this one.
    result.interval =
        mean_interval(differences, market_kernel::key_of(0, result.name.text(), 0, "bootstrap"));
    result.p = paired_p_value(differences);
    result.p_corrected = result.p;
    result.correlation = correlation_of(pairs.a, pairs.b);
    const double unrelated = variance_of(pairs.a) + variance_of(pairs.b);
    if (unrelated > 0) result.variance_ratio = variance_of(differences) / unrelated;
    result.detectable = detectable_effect(result.deviation, result.pairs);
    result.seeds_needed = seeds_for(result, options);
    return result;
}

}  // namespace

std::expected<Effect, std::string> parse_effect(std::string_view text) {
    Effect effect{};
    std::string_view number = text;
    effect.is_share = number.ends_with('%');
    if (effect.is_share) number.remove_suffix(1);
    const auto [end, error] =
        std::from_chars(number.data(), number.data() + number.size(), effect.size);
    if (error != std::errc{} || end != number.data() + number.size() ||
        !std::isfinite(effect.size) || effect.size <= 0)
        return std::unexpected{
            fmt::format("{}: expected a number above zero, or a share such as 5%", text)};
    if (effect.is_share) effect.size /= 100;
    return effect;
}

const Difference* Comparison::find(std::string_view name) const {
    const auto at = std::ranges::find_if(
        differences, [&](const Difference& one) { return one.name.answers_to(name); });
    return at == differences.end() ? nullptr : &*at;
}

Comparison compare(std::span<const MeasuredRun> a, std::span<const MeasuredRun> b,
                   const CompareOptions& options) {
    DAMRAK_ASSERT(a.size() == b.size());
    Comparison comparison{.pairs = a.size(),
                          .equal_hashes = 0,
                          .differences = {},
                          .left_out = {},
                          .in_other_ticks = {}};
    PairTable table{options};
    const auto has_other_ticks = [&](const std::string& instrument) {
        return !a.empty() && tick_of(a[0], instrument) != tick_of(b[0], instrument);
    };
    for (std::size_t i = 0; i < a.size(); ++i) {
        if (a[i].hash == b[i].hash) ++comparison.equal_hashes;
        table.add(a[i], b[i]);
    }
    for (Pairs& pairs : table.rows())
        if (pairs.unit == "ticks" && !is_asked_for(pairs.name, options) &&
            has_other_ticks(pairs.name.instrument))
            comparison.in_other_ticks.push_back(pairs.name);
        else if (pairs.a.size() < 2)
            comparison.left_out.push_back(pairs.name);
        else
            comparison.differences.push_back(difference_of(pairs, options));
    return comparison;
}

void correct(std::span<Comparison> comparisons, std::string_view primary) {
    std::vector<Difference*> family;
    for (Comparison& comparison : comparisons) {
        const Difference* const alone = primary.empty() ? nullptr : comparison.find(primary);
        for (Difference& difference : comparison.differences)
            if (&difference != alone) family.push_back(&difference);
    }
    std::vector<double> p_values;
    p_values.reserve(family.size());
    for (const Difference* difference : family) p_values.push_back(difference->p);
    const std::vector<double> adjusted = holm(p_values);
    for (std::size_t i = 0; i < family.size(); ++i) family[i]->p_corrected = adjusted[i];
}

}  // namespace damrak::comparison
