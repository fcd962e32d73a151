#include <damrak/comparison/runs.hpp>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <numeric>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include <damrak/market_runs/run.hpp>

namespace damrak::comparison {
namespace {

/// The runs of some seeds, in the order of seeds and within a seed of markets.
class Batch {
  public:
    Batch(std::span<const market_runs::MarketFile> markets, const RunsOptions& options, Runs& runs)
        : markets_(markets), options_(&options), runs_(&runs) {}

    /// Seeds [from, until), counted from the first.
    [[nodiscard]] std::expected<void, std::string> run(std::uint32_t from, std::uint32_t until) {
        from_ = from;
        results_.assign((until - from) * markets_.size(), std::nullopt);
        shares_.assign(results_.size(), 0);
        messages_.assign(results_.size(), 0);
        next_ = 0;
        {
            std::vector<std::jthread> threads;
            const std::size_t wanted = std::min<std::size_t>(options_->jobs, results_.size());
            for (std::size_t i = 1; i < wanted; ++i) threads.emplace_back([this] { work(); });
            work();
        }
        if (error_) return std::unexpected{*error_};
        take();
        return {};
    }

  private:
    void work() {
        for (std::size_t task = next_++; task < results_.size(); task = next_++) {
            if (is_over()) return;
            run_one(task);
        }
    }

    void run_one(std::size_t task) {
        const std::size_t place = task % markets_.size();
        const market_runs::MarketFile& market = markets_[place];
        const std::uint64_t seed = seed_of(task);
        const bool is_again = repeats(place);
        if (!options_->fresh && !is_again && take_stored(task, market, seed)) return;
        const auto result =
            market_runs::run_market(market, {.seed = seed,
                                             .progress =
                                                 [&](double share, std::uint64_t messages) {
                                                     const std::lock_guard lock{mutex_};
                                                     show(task, share, messages);
                                                 },
                                             .stop = [this] { return is_over(); }});
        const std::lock_guard lock{mutex_};
        if (!result) return fail(result.error());
        if (!result->is_complete) {
            if (!result->faults.empty())
                fail(fmt::format("{}, seed {}: {}", market.name, seed, result->faults.front()));
            return;
        }
        finish(task, measured(*result));
        ++runs_->ran;
        if (options_->store == nullptr || is_again) return;
        if (auto kept = options_->store->keep(market, *results_[task]); !kept) fail(kept.error());
    }

    // The same market over the same seeds as one before it.
    [[nodiscard]] bool repeats(std::size_t place) const {
        if (options_->other_seeds) return false;
        const std::uint64_t identity = market_runs::identity_of(markets_[place]);
        return std::ranges::any_of(markets_.first(place), [&](const market_runs::MarketFile& one) {
            return market_runs::identity_of(one) == identity;
        });
    }

    bool take_stored(std::size_t task, const market_runs::MarketFile& market, std::uint64_t seed) {
        if (options_->store == nullptr) return false;
        const std::lock_guard lock{mutex_};
        auto stored = options_->store->find(market, seed);
        if (!stored) {
            fail(stored.error());
            return true;
        }
        if (!*stored) return false;
        finish(task, **std::move(stored));
        ++runs_->reused;
        return true;
    }

    // Those below are called with the mutex held.
    void finish(std::size_t task, MeasuredRun run) {
        show(task, 1, run.messages);
        results_[task] = std::move(run);
    }

    void fail(std::string error) {
        if (!error_) error_ = std::move(error);
        failed_ = true;
    }

    void show(std::size_t task, double share, std::uint64_t messages) {
        shares_[task] = share;
        messages_[task] = messages;
        if (!options_->progress) return;
        const double all =
            static_cast<double>(options_->seeds) * static_cast<double>(markets_.size());
        const double before = static_cast<double>(from_) * static_cast<double>(markets_.size());
        options_->progress((before + std::accumulate(shares_.begin(), shares_.end(), 0.0)) / all,
                           messages_before_ + std::accumulate(messages_.begin(), messages_.end(),
                                                              std::uint64_t{0}));
    }

    [[nodiscard]] bool is_over() const { return failed_ || (options_->stop && options_->stop()); }

    [[nodiscard]] std::uint64_t seed_of(std::size_t task) const {
        const std::size_t place = task % markets_.size();
        const std::uint64_t seed = options_->first_seed + from_ + task / markets_.size();
        return options_->other_seeds ? seed + place * options_->seeds : seed;
    }

    // Seeds that all markets completed.
    void take() {
        for (std::size_t at = 0; at < results_.size(); at += markets_.size()) {
            const std::span row{results_.data() + at, markets_.size()};
            if (!std::ranges::all_of(row, [](const auto& run) { return run.has_value(); })) {
                runs_->is_stopped = true;
                continue;
            }
            for (std::size_t place = 0; place < row.size(); ++place)
                runs_->table[place].push_back(*std::move(row[place]));
        }
        messages_before_ += std::accumulate(messages_.begin(), messages_.end(), std::uint64_t{0});
    }

    std::span<const market_runs::MarketFile> markets_;
    const RunsOptions* options_;
    Runs* runs_;
    std::uint32_t from_ = 0;
    std::vector<std::optional<MeasuredRun>> results_;
    std::vector<double> shares_;
    std::vector<std::uint64_t> messages_;
    std::uint64_t messages_before_ = 0;
    std::atomic<std::size_t> next_{0};
    std::atomic<bool> failed_{false};
    std::optional<std::string> error_;
    std::mutex mutex_;
};

}  // namespace

std::expected<Runs, std::string> run_markets(std::span<const market_runs::MarketFile> markets,
                                             const RunsOptions& options) {
    Runs runs;
    runs.table.resize(markets.size());
    Batch batch{markets, options, runs};
    const std::uint32_t step = options.enough ? k_seeds_a_look : options.seeds;
    for (std::uint32_t from = 0; from < options.seeds && !runs.is_stopped; from += step) {
        const std::uint32_t until = std::min(from + step, options.seeds);
        if (auto ran = batch.run(from, until); !ran) return std::unexpected{ran.error()};
        runs.had_enough = !runs.is_stopped && options.enough && options.enough(runs.table);
        if (runs.had_enough) break;
    }
    return runs;
}

}  // namespace damrak::comparison
