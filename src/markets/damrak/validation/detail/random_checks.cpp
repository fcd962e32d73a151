// Streams of random numbers: their distribution, and that neighbours are independent.
#include <cmath>
#include <cstdint>
#include <vector>

#include <damrak/validation/detail/checks.hpp>

namespace damrak::validation::detail {
namespace {

using market_kernel::Draws;

constexpr std::uint64_t k_draws = 1'000'000;

std::vector<Finding> uniform_numbers(const Subjects& subjects) {
    Draws draws{market_kernel::key_of(1, "validation", 0, "uniform")};
    std::vector<double> sample;
    measures::Moments moments;
    measures::Autocorrelation memory{{1}};
    for (std::uint64_t i = 0; i < k_draws; ++i) {
        sample.push_back(subjects.uniform(draws));
        moments.add(sample.back());
        memory.add(sample.back());
    }
    const double n = k_draws;
    const double kolmogorov = kolmogorov_distance(sample, [](double x) { return x; });
    return {equals("mean", 0.5, moments.mean(), std::sqrt(1 / 12. / n), 0, k_draws, "draws"),
            equals("variance", 1 / 12., moments.variance(), std::sqrt(1 / 180. / n), 0, k_draws,
                   "draws"),
            {"kolmogorov", 0, k_kolmogorov_most, kolmogorov, 0, 0, k_draws, "draws"},
            equals("autocorrelation_1", 0, memory.of(0).correlation(), 1 / std::sqrt(n), 0, k_draws,
                   "draws")};
}

std::vector<Finding> neighbouring_streams(const Subjects& subjects) {
    measures::Regression members;
    measures::Regression purposes;
    for (std::uint64_t stream = 0; stream < 1'000; ++stream) {
        Draws one{market_kernel::key_of(1, "validation", stream, "a")};
        Draws next{market_kernel::key_of(1, "validation", stream + 1, "a")};
        Draws other{market_kernel::key_of(1, "validation", stream, "b")};
        for (int i = 0; i < 200; ++i) {
            const double x = subjects.uniform(one);
            members.add(x, subjects.uniform(next));
            purposes.add(x, subjects.uniform(other));
        }
    }
    const double error = 1 / std::sqrt(static_cast<double>(members.count()));
    return {equals("correlation_of_members", 0, members.correlation(), error, 0, members.count(),
                   "pairs"),
            equals("correlation_of_purposes", 0, purposes.correlation(), error, 0, purposes.count(),
                   "pairs")};
}

std::vector<Finding> other_distributions(const Subjects& /*subjects*/) {
    Draws draws{market_kernel::key_of(1, "validation", 0, "other")};
    measures::Moments exponential;
    measures::Moments normal;
    std::vector<double> normals;
    for (std::uint64_t i = 0; i < k_draws; ++i) {
        exponential.add(draws.exponential(2));
        normals.push_back(draws.normal());
        normal.add(normals.back());
    }
    const double n = k_draws;
    const double kolmogorov =
        kolmogorov_distance(normals, [](double x) { return std::erfc(-x / std::sqrt(2.)) / 2; });
    return {equals("exponential_mean", 0.5, exponential.mean(), 0.5 / std::sqrt(n), 0, k_draws,
                   "draws"),
            equals("normal_variance", 1, normal.variance(), std::sqrt(2 / n), 0, k_draws, "draws"),
            equals("normal_excess_kurtosis", 0, normal.excess_kurtosis(), std::sqrt(24 / n), 0,
                   k_draws, "draws"),
            {"normal_kolmogorov", 0, k_kolmogorov_most, kolmogorov, 0, 0, k_draws, "draws"}};
}

}  // namespace

std::vector<Check> random_checks() {
    return {{"uniform-numbers", "Kolmogorov (1933)", Tested::formula, uniform_numbers},
            {"neighbouring-streams", "independence: no correlation", Tested::formula,
             neighbouring_streams},
            {"other-distributions", "moments of the exponential and normal laws", Tested::formula,
             other_distributions}};
}

}  // namespace damrak::validation::detail
