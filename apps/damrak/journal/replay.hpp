// The events that the records of a journal make, from applying them again: for `damrak journal
// export|order` and `damrak replay`. Costs the memory of the engine that the journal was begun for.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>

#include <damrak/domain/event.hpp>
#include <damrak/domain/origin.hpp>
#include <damrak/journal/folder.hpp>
#include <damrak/journal/record.hpp>
#include <damrak/views/market_depth.hpp>
#include <damrak/views/queue_position.hpp>

namespace damrak::app {

class JournalReplay {
  public:
    using Hearer = std::function<void(const Event&, const CommandStamp&)>;

    /// From the first record, or behind the newest snapshot where the journal begins later; an
    /// error where neither can be.
    [[nodiscard]] static journal::Result<JournalReplay> open(const std::filesystem::path& directory,
                                                             const journal::JournalFolder& contents,
                                                             Hearer hearer);
    JournalReplay(JournalReplay&&) noexcept;
    JournalReplay& operator=(JournalReplay&&) = delete;
    ~JournalReplay();

    /// The record that apply() begins with.
    [[nodiscard]] std::uint64_t first() const { return first_; }
    void apply(std::span<const journal::Record> records);

    /// Null if there is no such instrument.
    [[nodiscard]] const InstrumentDefinition* definition(InstrumentId id) const;
    /// Of an order, as views::queue_position() has it.
    [[nodiscard]] std::optional<views::QueuePosition> queue_position(InstrumentId instrument,
                                                                     OrderId id) const;
    [[nodiscard]] std::uint64_t state_hash() const;
    [[nodiscard]] std::uint64_t commands() const;
    /// Current depth of the books, as a start for following the events.
    [[nodiscard]] views::MarketDepth depth() const;

  private:
    struct State;
    explicit JournalReplay(std::unique_ptr<State> state);

    std::unique_ptr<State> state_;
    std::uint64_t first_ = 1;
};

}  // namespace damrak::app
