// A market in virtual time for Python: a market file, what is added to it, and its runs.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <nanobind/nanobind.h>

#include <damrak/market_runs/market_file.hpp>
#include <damrak/participants/kind.hpp>

#include "errors.hpp"
#include "market_fills.hpp"
#include "market_script.hpp"

namespace damrak::python {

/// A kind of participant that is written in Python: one of it is in a market.
struct ScriptKind {
    std::string name;
    participants::Kind kind;
    std::shared_ptr<Script> script;  ///< of the run that is in progress
};

struct RunRequest {
    std::uint64_t seed = 1;
    std::int64_t duration_ns = 0;  ///< zero: that of the file
    std::string keep;
    std::string explain;  ///< group whose orders are followed; empty: none
    std::uint64_t explained = 0;
};

/// A recorded day as the market.
struct BacktestRequest {
    std::uint64_t seed = 1;
    std::string day;  ///< the path of an archived day
    std::string symbol;
    std::int64_t from_ns = 0;  ///< since midnight
    std::int64_t until_ns = 0;
    std::int64_t tick = 100;  ///< of the participants, in price units
};

class MarketOfPython {
  public:
    MarketOfPython(std::string text, std::string where)
        : text_(std::move(text)), where_(std::move(where)) {}
    MarketOfPython(const MarketOfPython&) = delete;
    MarketOfPython& operator=(const MarketOfPython&) = delete;

    /// A table [[participants]], of the kind `script` if that is not empty; `is_checked`: with all
    /// of the market.
    void add(const std::string& table, const std::string& script, bool is_checked);

    [[nodiscard]] market_runs::MarketFile read(
        const market_runs::GivenMarket* given = nullptr) const;
    /// As a market file, with all defaults.
    [[nodiscard]] std::string text() const { return market_runs::describe(read()); }

    nanobind::dict run(const RunRequest& request, const nanobind::dict& scripts,
                       const std::vector<std::string>& kept, const nanobind::object& progress);
    nanobind::dict backtest(const BacktestRequest& request, const nanobind::dict& scripts,
                            const std::vector<std::string>& kept, const nanobind::object& progress);

  private:
    class Use {
      public:
        explicit Use(MarketOfPython& market) : market_(&market) {
            if (std::exchange(market.in_use_, true)) {
                market_ = nullptr;
                throw InUseError{"the market is running: make one for each thread"};
            }
        }
        ~Use() {
            if (market_ != nullptr) market_->in_use_ = false;
        }
        Use(const Use&) = delete;
        Use& operator=(const Use&) = delete;

      private:
        MarketOfPython* market_;
    };
    /// The scripts of a run; what they hold of Python goes with it.
    class Scripts {
      public:
        Scripts(MarketOfPython& market, const market_runs::MarketFile& file,
                const nanobind::dict& callbacks, ScriptedRun& run);
        ~Scripts();
        Scripts(const Scripts&) = delete;
        Scripts& operator=(const Scripts&) = delete;

      private:
        MarketOfPython* market_;
    };

    /// The first participant and the size of each group; those of `kept` are kept by the watcher.
    static nanobind::dict groups_of(const market_runs::MarketFile& file,
                                    const std::vector<std::string>& kept, RunWatcher& watcher);

    std::string text_;
    std::string where_;
    std::vector<std::unique_ptr<ScriptKind>> kinds_;
    bool in_use_ = false;
};

/// The part of the class that is about recorded days.
void bind_backtests(nanobind::class_<MarketOfPython>& market);

}  // namespace damrak::python
