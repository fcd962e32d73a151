// Keeps a run as an exchange keeps its market, in a folder of its own:
//
//   market.toml            the market file with all defaults, and the seed
//   journal-….seg          every command, as of `damrak serve`: its replay gives the run again
//   archive/DATE00.dar     the public day, and
//   archive/DATE00.events  every event with its owner
//   events.csv             the same with the groups of the participants, as of RunExport
//   participants.csv       what each participant has in the end
//
// Watches a market. The journal's helpers do their work between two commands. Whatever ends the
// run, the files have everything up to there; a kill loses the last blocks of the day and of its
// events. A full disk ends the run. One thread, besides that of the event log; a microsecond or two
// a message, half of it for events.csv.
#pragma once

#include <expected>
#include <filesystem>
#include <memory>
#include <mutex>
#include <string>

#include <damrak/archive/event_log.hpp>
#include <damrak/journal/journal.hpp>
#include <damrak/market_kernel/market.hpp>
#include <damrak/market_runs/detail/day_keeper.hpp>
#include <damrak/market_runs/detail/run_export.hpp>
#include <damrak/market_runs/market_file.hpp>

namespace damrak::market_runs::detail {

class KeptRun final : public market_kernel::MarketWatcher {
  public:
    struct Config {
        std::filesystem::path folder;
        const MarketFile* file = nullptr;
        const market_kernel::MarketSetup* setup = nullptr;
        /// Of the journal. It must outlive the run.
        journal::FileSystem* files = &journal::real_files();
    };

    /// Refuses a folder that has something in it: nothing is overwritten.
    [[nodiscard]] static std::expected<std::unique_ptr<KeptRun>, std::string> create(
        const Config& config);

    /// For the market; this must outlive it.
    [[nodiscard]] market_kernel::OptionalJournal journal();
    /// Before the market runs.
    void name(const market_kernel::Market& market) { tables_->name(market); }

    [[nodiscard]] std::expected<void, std::string> begin(const Engine& engine,
                                                         std::uint64_t position) override;
    [[nodiscard]] std::expected<void, std::string> go_live(std::uint64_t last) override;
    void on_command(const Command& command, const CommandStamp& stamp) override;
    void on_event(const Event& event, const CommandStamp& stamp) override;

    /// Why nothing more can be kept; empty: it can.
    [[nodiscard]] std::string failure() const;
    /// Completes all files; an error is the first one of the run. The journal ends with the hash
    /// of the final state, which its replay is compared with.
    [[nodiscard]] std::expected<void, std::string> close(const market_kernel::Market& market);

  private:
    explicit KeptRun(Config config)
        : folder_(std::move(config.folder)), clock_(config.setup->begin) {}
    [[nodiscard]] std::expected<void, std::string> open_journal(const Config& config);
    [[nodiscard]] std::expected<void, std::string> open_files(const Config& config);
    void work();

    std::filesystem::path folder_;
    Timestamp clock_;  ///< of the journal's helpers: a second each time
    std::unique_ptr<journal::Journal> journal_;
    std::unique_ptr<DayKeeper> day_;
    std::unique_ptr<RunExport> tables_;
    mutable std::mutex mutex_;
    std::string event_failure_;  ///< of the thread of the event log
    std::unique_ptr<archive::EventLog> events_;
};

}  // namespace damrak::market_runs::detail
