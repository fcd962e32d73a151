// A run as tables for other programs: every event of the exchange with the group of its
// participant, and what each participant has in the end. CSV (RFC 4180); prices in currency, times
// in nanoseconds since the Unix epoch. One thread; about a microsecond an event.
//
//   events.csv        sequence, time, event, what it was about and whose it was
//   participants.csv  one row a participant and instrument: position, and cash, fees, messages and
//                     trades over all instruments
#pragma once

#include <cstdint>
#include <expected>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <damrak/files/byte_sink.hpp>
#include <damrak/market_kernel/market.hpp>

namespace damrak::market_runs::detail {

class RunExport final : public market_kernel::MarketWatcher {
  public:
    /// Makes the folder if it is not there.
    [[nodiscard]] static std::expected<std::unique_ptr<RunExport>, std::string> create(
        const std::filesystem::path& folder);

    explicit RunExport(const std::filesystem::path& folder, files::ByteSink events)
        : folder_(folder), events_(std::move(events)) {}

    /// events.csv has its name from now on, and what was written when a run ends early.
    void show() { events_.show(); }
    [[nodiscard]] bool failed() const { return events_.failed(); }

    /// Names for the rows; before the market runs.
    void name(const market_kernel::Market& market);
    void on_event(const Event& event, const CommandStamp& stamp) override;
    /// Writes what the participants have, and gives both files their names.
    [[nodiscard]] std::expected<void, std::string> close(const market_kernel::Market& market);

  private:
    std::filesystem::path folder_;
    files::ByteSink events_;
    std::string rows_;
    std::vector<std::string> symbols_;
    std::vector<std::string> groups_;  ///< by participant
};

}  // namespace damrak::market_runs::detail
