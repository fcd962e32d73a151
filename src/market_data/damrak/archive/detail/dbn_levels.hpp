// Records of levels (MBP, BBO) and of trades, without orders, as ITCH messages
// (convert/visible_book.hpp). One thread; some hundred nanoseconds a record.
#pragma once

#include <cstdint>
#include <expected>
#include <map>
#include <span>
#include <string>
#include <vector>

#include <damrak/archive/detail/dbn_days.hpp>
#include <damrak/convert/visible_book.hpp>

namespace damrak::archive {

class DbnLevels {
  public:
    using Result = std::expected<void, std::string>;

    explicit DbnLevels(DbnDays& days) : days_{&days} {}

    /// A trade or a change of a level, and the best levels after it, with the empty ones.
    [[nodiscard]] Result on_change(const wire::dbn::LevelRecord& change,
                                   std::span<const wire::dbn::LevelPair> levels);
    /// The best levels at a time, since the epoch.
    [[nodiscard]] Result on_instant(const wire::dbn::BboRecord& record);
    /// A trade without a book.
    [[nodiscard]] Result on_trade(const wire::dbn::LevelRecord& trade);

  private:
    struct Instrument {
        convert::VisibleBook book;
        std::vector<lobster::BookLevel> row;  ///< the last one
    };
    using Instruments = std::map<std::uint32_t, Instrument>;

    [[nodiscard]] Result move_to(std::uint64_t time_ns);
    void show(std::uint32_t instrument, std::span<const wire::dbn::LevelPair> levels);
    void show(Instrument& instrument);
    /// Empty, and counted, if a price does not fit.
    [[nodiscard]] std::optional<std::vector<lobster::BookLevel>> row_of(
        std::span<const wire::dbn::LevelPair> levels);

    DbnDays* days_;
    Instruments books_;
};

}  // namespace damrak::archive
