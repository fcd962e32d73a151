#include <damrak/score/sample_market.hpp>

#include <filesystem>
#include <iterator>
#include <utility>

#include <fmt/format.h>

#include <damrak/files/temporary_folder.hpp>
#include <damrak/market_runs/run.hpp>

namespace damrak::score {
namespace {

std::expected<SampleSet, std::string> sample_seed(const market_runs::MarketFile& file,
                                                  const MarketSampling& sampling,
                                                  std::uint32_t place, const std::string& symbol) {
    const files::TemporaryFolder folder{"score"};
    if (folder.path().empty())
        return std::unexpected{"there is no place for temporary files, which TMPDIR can name"};
    const std::filesystem::path day = folder.path() / "run.dar";
    const auto run = market_runs::run_market(
        file, {.seed = sampling.first_seed + place,
               .keep = day,
               .progress =
                   [&](double share, std::uint64_t messages) {
                       if (sampling.progress)
                           sampling.progress((place + share) / sampling.seeds, messages);
                   },
               .stop = sampling.stop});
    if (!run) return std::unexpected{run.error()};
    if (!run->is_complete)
        return std::unexpected{
            fmt::format("{}, seed {}: {}", file.name, run->seed,
                        run->faults.empty() ? "stopped before its end" : run->faults.front())};
    return sample_day({.path = day, .symbol = symbol}, {}, sampling.block_ns);
}

}  // namespace

std::expected<SampleSet, std::string> sample_market(const market_runs::MarketFile& file,
                                                    const MarketSampling& sampling) {
    const std::string symbol = sampling.symbol.empty()
                                   ? std::string{file.instruments.front().definition.symbol.view()}
                                   : sampling.symbol;
    if (!file.find_instrument(symbol))
        return std::unexpected{fmt::format("{} has no instrument {}", file.name, symbol)};
    SampleSet all{.symbol = symbol};
    for (std::uint32_t place = 0; place < sampling.seeds; ++place) {
        auto one = sample_seed(file, sampling, place, symbol);
        if (!one) return one;
        all.anomalies += one->anomalies;
        all.blocks.insert(all.blocks.end(), std::make_move_iterator(one->blocks.begin()),
                          std::make_move_iterator(one->blocks.end()));
    }
    return all;
}

}  // namespace damrak::score
