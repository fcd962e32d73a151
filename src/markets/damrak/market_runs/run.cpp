#include <damrak/market_runs/run.hpp>

#include <algorithm>
#include <atomic>
#include <ctime>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include <damrak/base/duration_text.hpp>
#include <damrak/market_runs/detail/day_keeper.hpp>
#include <damrak/market_runs/detail/kept_run.hpp>
#include <damrak/market_runs/detail/run_export.hpp>
#include <damrak/market_runs/timeline.hpp>

namespace damrak::market_runs {
namespace {

double thread_cpu_s() {
    timespec time{};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

std::vector<std::string> group_names(const MarketFile& file) {
    std::vector<std::string> names;
    for (const GroupDescription& group : file.groups)
        names.insert(names.end(), group.count, group.name);
    return names;
}

std::string fault_text(const market_kernel::MarketFault& fault, const market_kernel::Market& market,
                       Timestamp begin) {
    const market_kernel::Seat& seat = market.seat(fault.participant);
    return fmt::format("{} {} of {} at {}: {}", seat.group, seat.member + 1, seat.members,
                       duration_text((fault.time - begin).value), fault.what);
}

/// One run, step by step.
class Run {
  public:
    Run(const MarketFile& file, const RunOptions& options) : file_(&file), options_(&options) {}

    [[nodiscard]] std::expected<RunResult, std::string> operator()() {
        market_kernel::MarketSetup setup = make_setup(*file_, options_->seed);
        const std::vector<std::string> names = group_names(*file_);
        std::vector<market_kernel::MarketWatcher*> watchers = options_->watchers;
        for (const InstrumentDescription& instrument : file_->instruments) {
            const measures::Settings settings{
                .tick = instrument.definition.tick_bands[0].tick_size.value};
            measures_.push_back(std::make_unique<market_runs::MarketMeasures>(
                instrument.definition.id, settings, names, setup.exchange));
            for (const measures::Obligation& obligation : file_->obligations)
                if (trades(obligation.group, instrument.definition.id))
                    measures_.back()->oblige(obligation, setup.begin);
            watchers.push_back(measures_.back().get());
        }
        if (!options_->keep.empty()) {
            if (auto opened = keep(setup); !opened) return std::unexpected{opened.error()};
            watchers.push_back(day_ ? static_cast<market_kernel::MarketWatcher*>(day_.get())
                                    : kept_.get());
        }
        if (!options_->tables.empty()) {
            auto tables = detail::RunExport::create(options_->tables);
            if (!tables) return std::unexpected{tables.error()};
            tables_ = *std::move(tables);
            watchers.push_back(tables_.get());
        }
        const Timestamp begin = setup.begin;
        const double began_s = thread_cpu_s();
        market_kernel::Market market{std::move(setup), std::move(watchers),
                                     kept_ ? kept_->journal() : market_kernel::OptionalJournal{}};
        if (kept_) kept_->name(market);
        if (tables_) tables_->name(market);
        plan_news(*file_, market);
        advance(market, begin);
        return finish(market, begin, began_s);
    }

  private:
    [[nodiscard]] bool trades(const std::string& group, InstrumentId instrument) const {
        const GroupDescription* const found = file_->find_group(group);
        return found != nullptr &&
               std::ranges::find(found->instruments, instrument) != found->instruments.end();
    }

    [[nodiscard]] std::expected<void, std::string> keep(const market_kernel::MarketSetup& setup) {
        if (options_->keep.extension() == ".dar") {
            auto day = detail::DayKeeper::create(options_->keep, setup.begin);
            if (!day) return std::unexpected{day.error()};
            day_ = *std::move(day);
            return {};
        }
        auto kept = detail::KeptRun::create(
            {.folder = options_->keep, .file = file_, .setup = &setup, .files = options_->files});
        if (!kept) return std::unexpected{kept.error()};
        kept_ = *std::move(kept);
        return {};
    }

    // In a hundred steps, and to each action of the timeline.
    void advance(market_kernel::Market& market, Timestamp begin) {
        constexpr std::int64_t k_steps = 100;
        const std::vector<TimelineAction> actions = actions_of(*file_);
        std::size_t next = 0;
        for (std::int64_t step = 1; step <= k_steps; ++step) {
            const std::int64_t until_ns =
                step == k_steps ? file_->duration_ns : file_->duration_ns / k_steps * step;
            for (; next < actions.size() && actions[next].at_ns <= until_ns; ++next) {
                goes_on_ = market.run_until(begin + Timestamp{actions[next].at_ns});
                if (!goes_on_) return;
                act(market, actions[next], file_->exchange);
            }
            goes_on_ = market.run_until(begin + Timestamp{until_ns});
            if (kept_ && !kept_->failure().empty()) goes_on_ = false;
            if (!goes_on_) return;
            if (options_->progress)
                options_->progress(static_cast<double>(step) / k_steps, market.counts().messages);
            if (options_->stop && options_->stop()) return;
        }
    }

    [[nodiscard]] std::expected<RunResult, std::string> finish(market_kernel::Market& market,
                                                               Timestamp begin, double began_s) {
        RunResult result{.seed = options_->seed,
                         .identity = identity_of(*file_),
                         .hash = market.hash(),
                         .counts = market.counts(),
                         .cpu_s = thread_cpu_s() - began_s,
                         .ran_ns = (market.now() - begin).value,
                         .is_complete = false,
                         .instruments = {},
                         .faults = {}};
        result.is_complete = goes_on_ && result.ran_ns == file_->duration_ns;
        for (std::size_t i = 0; i < measures_.size(); ++i) {
            measures::Results found = measures_[i]->finish(market.now());
            measures_[i]->add_price_discovery(market.fundamentals(), found);
            result.instruments.push_back(
                {std::string{file_->instruments[i].definition.symbol.view()}, std::move(found),
                 measures_[i]->groups()});
        }
        for (const market_kernel::MarketFault& fault : market.faults())
            result.faults.push_back(fault_text(fault, market, begin));
        const auto note = [&](const std::expected<void, std::string>& closed) {
            if (closed) return;
            result.is_complete = false;
            result.faults.push_back(fmt::format("kept until {:.3f}s: {}",
                                                static_cast<double>(result.ran_ns) / 1e9,
                                                closed.error()));
        };
        if (day_) note(day_->close(market.now()));
        if (kept_) note(kept_->close(market));
        if (tables_) note(tables_->close(market));
        return result;
    }

    const MarketFile* file_;
    const RunOptions* options_;
    std::vector<std::unique_ptr<market_runs::MarketMeasures>> measures_;
    std::unique_ptr<detail::DayKeeper> day_;
    std::unique_ptr<detail::KeptRun> kept_;
    std::unique_ptr<detail::RunExport> tables_;
    bool goes_on_ = true;
};

}  // namespace

std::expected<RunResult, std::string> run_market(const MarketFile& file,
                                                 const RunOptions& options) {
    return Run{file, options}();
}

std::vector<RunResult> run_seeds(const MarketFile& file, std::uint64_t first_seed,
                                 std::uint32_t count, std::uint32_t jobs,
                                 const std::function<void(std::uint32_t)>& done,
                                 const std::function<bool()>& stop) {
    std::vector<RunResult> results(count);
    std::atomic<std::uint32_t> next{0};
    std::mutex telling;
    std::uint32_t finished = 0;
    const auto work = [&] {
        for (std::uint32_t i = next++; i < count; i = next++) {
            if (stop && stop()) return;
            results[i] = *run_market(file, {.seed = first_seed + i, .stop = stop});
            const std::lock_guard lock{telling};
            ++finished;
            if (done) done(finished);
        }
    };
    std::vector<std::jthread> threads;
    for (std::uint32_t i = 1; i < std::min(jobs, count); ++i) threads.emplace_back(work);
    work();
    threads.clear();
    std::erase_if(results,
                  [](const RunResult& run) { return !run.is_complete && run.faults.empty(); });
    return results;
}

}  // namespace damrak::market_runs
