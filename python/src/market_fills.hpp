// Watches a run of a market for Python: the trades of some participants, Ctrl-C, progress.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include <nanobind/nanobind.h>

#include <damrak/market_kernel/market.hpp>
#include <damrak/market_runs/market_file.hpp>

#include "market_script.hpp"
#include "watch.hpp"

namespace damrak::python {

/// Keeps the trades of some participants, and lets Ctrl-C and progress in between two commands.
class RunWatcher final : public market_kernel::MarketWatcher {
  public:
    struct Fill {
        std::int64_t time = 0;
        std::uint32_t participant = 0;
        std::uint32_t instrument = 0;
        std::uint64_t order = 0;
        std::int64_t price = 0;
        std::int64_t quantity = 0;  ///< bought; below zero: sold
        std::int64_t fee = 0;
        bool is_maker = false;
    };

    RunWatcher(const market_runs::MarketFile& file, Timestamp begin, Watch& watch,
               const ScriptedRun& run)
        : file_(&file), begin_(begin), watch_(&watch), run_(&run) {}

    void keep(std::uint32_t participant) {
        if (kept_.size() <= participant) kept_.resize(participant + 1);
        kept_[participant] = true;
    }
    void on_command(const Command& command, const CommandStamp& stamp) override;
    void on_event(const Event& event, const CommandStamp& stamp) override;
    void on_change(InstrumentId /*instrument*/, const views::PublicChange& change) override {
        if (change.has_both()) mid_ = change.mid();
    }
    /// The last one, of a market with one instrument; in price units.
    [[nodiscard]] std::optional<double> mid() const { return mid_; }
    [[nodiscard]] const std::vector<Fill>& fills() const { return fills_; }

  private:
    const market_runs::MarketFile* file_;
    Timestamp begin_;
    Watch* watch_;
    const ScriptedRun* run_;
    std::uint32_t commands_ = 0;
    std::vector<bool> kept_;  ///< by participant
    std::vector<Fill> fills_;
    std::optional<double> mid_;
};

/// As columns, by name; `instrument` and `participant` are numbers, sold quantities below zero.
[[nodiscard]] nanobind::dict fills_of(const std::vector<RunWatcher::Fill>& fills,
                                      const market_runs::MarketFile& file);

}  // namespace damrak::python
