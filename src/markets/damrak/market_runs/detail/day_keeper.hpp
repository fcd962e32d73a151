// Keeps a run as an archived day: what its feed would have shown, in the file that `damrak book`,
// `damrak archive` and replays read. Watches a market; a message costs some hundred nanoseconds.
#pragma once

#include <cstdint>
#include <expected>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include <damrak/archive/day_writer.hpp>
#include <damrak/feed/itch/publisher.hpp>
#include <damrak/feed/message_block.hpp>
#include <damrak/market_kernel/market.hpp>

namespace damrak::market_runs::detail {

/// The date in UTC, as yyyymmdd.
[[nodiscard]] std::int32_t date_of(Timestamp time);

class DayKeeper final : public market_kernel::MarketWatcher {
  public:
    [[nodiscard]] static std::expected<std::unique_ptr<DayKeeper>, std::string> create(
        const std::filesystem::path& path, Timestamp begin);
    explicit DayKeeper(archive::DayWriter writer, Timestamp begin)
        : writer_(std::move(writer)), begin_(begin) {}

    /// The file has its name from now on, and what was written when a run ends early.
    void show() { writer_.show(); }
    [[nodiscard]] bool failed() const { return writer_.failed(); }

    [[nodiscard]] std::expected<void, std::string> begin(const Engine& engine,
                                                         std::uint64_t position) override;
    void on_command(const Command& command, const CommandStamp& stamp) override;
    void on_event(const Event& event, const CommandStamp& stamp) override;
    /// The day is over. An error is one of the file.
    [[nodiscard]] std::expected<void, std::string> close(Timestamp end);

  private:
    void write();

    archive::DayWriter writer_;
    Timestamp begin_;
    std::optional<feed::ItchPublisher> publisher_;
    feed::MessageBlock block_;
};

}  // namespace damrak::market_runs::detail
