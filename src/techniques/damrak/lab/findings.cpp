#include <damrak/lab/findings.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <utility>

#include <fmt/format.h>

namespace damrak::lab {

namespace {

constexpr double k_warm_up_shows = 0.1;
// A smaller published difference counts as none.
constexpr double k_published_difference = 0.02;

Verdict published_verdict(double ratio) {
    if (std::abs(ratio - 1) < k_published_difference) return Verdict::unknown;
    return ratio < 1 ? Verdict::faster : Verdict::slower;
}

bool is_different(Verdict verdict) {
    return verdict == Verdict::faster || verdict == Verdict::slower;
}

std::string in_words(double ratio) {
    if (published_verdict(ratio) == Verdict::unknown) return "no difference";
    return fmt::format("{} by {:.0f}%", ratio < 1 ? "faster" : "slower", 100 * std::abs(ratio - 1));
}

std::string_view reproduced(Verdict published, Verdict here) {
    if (!is_different(published))
        return is_different(here) ? "Not reproduced: measured a difference here."
                                  : "Reproduced: no difference here either.";
    if (!is_different(here)) return "Not reproduced: no significant difference here.";
    return published == here ? "Reproduced in direction." : "Reversed here.";
}

const Published* published_baseline(const Trial& trial, const Published& claim) {
    const auto found = std::ranges::find_if(trial.published, [&](const Published& other) {
        return other.variant == trial.variants.front().name && other.measure == claim.measure &&
               other.source == claim.source;
    });
    return found == trial.published.end() ? nullptr : &*found;
}

std::string claim_in_words(const TrialResult& result, const Published& claim) {
    const Trial& trial = result.trial;
    const VariantResult* const variant = result.find(claim.variant);
    if (variant == nullptr || !variant->has(claim.measure)) return {};
    const double here = median(variant->of(claim.measure));
    std::string text =
        fmt::format("{}, {}: {:.4g} ns published ({}), {:.4g} ns here.", claim.variant,
                    name(claim.measure), claim.figure, claim.source, here);
    const Published* const baseline = published_baseline(trial, claim);
    const auto& comparison = variant->comparison(claim.measure);
    if (baseline == nullptr || baseline == &claim || !comparison) return text;
    const double ratio = claim.figure / baseline->figure;
    return text + fmt::format(" Against {}: published {}, here {}. {}", baseline->variant,
                              in_words(ratio), statement(*comparison),
                              reproduced(published_verdict(ratio), comparison->verdict));
}

void add_comparisons(const TrialResult& result, const VariantResult& variant,
                     std::vector<std::string>& lines) {
    const std::string& baseline = result.variants.front().name;
    for (std::size_t i = 0; i < k_measures; ++i) {
        const auto measure = static_cast<Measure>(i);
        const auto& comparison = variant.comparison(measure);
        if (!comparison) continue;
        const std::string what =
            measure == Measure::time_ns ? "" : fmt::format(" by its {}", name(measure));
        lines.push_back(fmt::format("{} against {}{}: {}.", variant.name, baseline, what,
                                    statement(*comparison)));
    }
}

void add_warm_up(const VariantResult& variant, std::vector<std::string>& lines) {
    const auto& rounds = variant.of(Measure::time_ns);
    if (rounds.empty()) return;
    const double settled = median(rounds);
    const double first = variant.warm_up.front();
    if (settled <= 0 || std::abs(first / settled - 1) < k_warm_up_shows) return;
    lines.push_back(
        fmt::format("{}: the first repetition took {:.4g} ns an operation, later ones "
                    "{:.4g} (median).",
                    variant.name, first, settled));
}

}  // namespace

std::string_view name(Measure measure) {
    static constexpr std::array<std::string_view, k_measures> k_names{"time", "p50", "p99",
                                                                      "p99.9"};
    return k_names.at(std::to_underlying(measure));
}

std::string with_article(const std::string& operation) {
    const bool vowel = std::string_view{"aeiou"}.contains(operation.front());
    return (vowel ? "an " : "a ") + operation;
}

std::vector<std::string> findings_of(const TrialResult& result) {
    std::vector<std::string> lines;
    for (const VariantResult& variant : result.variants)
        if (&variant != &result.variants.front()) add_comparisons(result, variant, lines);
    add_comparisons(result, result.control, lines);
    if (!result.control_holds())
        lines.emplace_back(
            "The control differs from its copy: ignore differences of that size in this "
            "trial.");
    for (const VariantResult& variant : result.variants) add_warm_up(variant, lines);
    return lines;
}

std::vector<std::string> claims_of(const TrialResult& result) {
    std::vector<std::string> lines;
    for (const Published& claim : result.trial.published)
        if (std::string line = claim_in_words(result, claim); !line.empty())
            lines.push_back(std::move(line));
    return lines;
}

std::string summary_of(const RunResult& run) {
    int comparisons = 0;
    int different = 0;
    int trials = 0;
    int held = 0;
    for (const ExperimentResult& experiment : run.experiments) {
        for (const TrialResult& trial : experiment.trials) {
            ++trials;
            held += trial.control_holds() ? 1 : 0;
            for (const VariantResult& variant : trial.variants) {
                const auto& comparison = variant.comparison(Measure::time_ns);
                if (!comparison) continue;
                ++comparisons;
                different += is_different(comparison->verdict) ? 1 : 0;
            }
        }
    }
    return fmt::format(
        "{} trials with {} comparisons of time, of which {} show a difference. The control "
        "came "
        "out equal in {} of {} trials.",
        trials, comparisons, different, held, trials);
}

}  // namespace damrak::lab
