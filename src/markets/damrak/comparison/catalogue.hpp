// The catalogue of runs: a file of SQLite with a row for each finished run and one for each value
// that it measured. A run is found again by its market, its seed and the build of the program,
// which decide its result; so a comparison that was killed continues where it was, and a later one
// takes from it what it needs.
//
//   auto catalogue = Catalogue::open("damrak-results.db");
//   run_markets(files, {.store = &*catalogue});
//
// A run is written in one transaction. Several processes may use one catalogue; one thread each at
// a time. Tables: markets, runs, results (docs/how-to/compare-markets.md).
#pragma once

#include <cstdint>
#include <expected>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <damrak/comparison/detail/database.hpp>
#include <damrak/comparison/runs.hpp>

namespace damrak::comparison {

class Catalogue final : public RunStore {
  public:
    /// Makes it if there is none.
    [[nodiscard]] static std::expected<Catalogue, std::string> open(
        const std::filesystem::path& path);
    [[nodiscard]] static std::expected<Catalogue, std::string> open_existing(
        const std::filesystem::path& path);

    [[nodiscard]] std::expected<std::optional<MeasuredRun>, std::string> find(
        const market_runs::MarketFile& market, std::uint64_t seed) override;
    [[nodiscard]] std::expected<void, std::string> keep(const market_runs::MarketFile& market,
                                                        const MeasuredRun& run) override;

    /// The runs of one market by one build of the program.
    struct Entry {
        std::string market;  ///< its identity, in hexadecimal
        std::string name;
        std::string version;
        std::string build;
        std::uint64_t runs = 0;
        std::uint64_t first_seed = 0;
        std::uint64_t last_seed = 0;
        std::int64_t latest = 0;  ///< larger: kept later

        [[nodiscard]] std::uint64_t identity() const;
        /// By the beginning of the identity, or a part of the name.
        [[nodiscard]] bool answers_to(std::string_view word) const;
    };
    /// In the order in which they were kept.
    [[nodiscard]] std::expected<std::vector<Entry>, std::string> entries();
    /// By seed.
    [[nodiscard]] std::expected<std::vector<MeasuredRun>, std::string> runs_of(const Entry& entry);

  private:
    explicit Catalogue(detail::Database database);
    [[nodiscard]] static std::expected<Catalogue, std::string> open(
        const std::filesystem::path& path, bool must_exist);
    [[nodiscard]] std::expected<void, std::string> write(const market_runs::MarketFile& market,
                                                         const MeasuredRun& run);
    [[nodiscard]] std::expected<MeasuredRun, std::string> run_in(const detail::Statement& row);
    [[nodiscard]] std::unexpected<std::string> error() const;

    detail::Database database_;
    std::string build_;
};

}  // namespace damrak::comparison
