// The events of many orders as a table, a column at a time.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <damrak/domain/event.hpp>
#include <damrak/tables/arrow.hpp>

#include "engine.hpp"
#include "watch.hpp"

namespace damrak::python {

/// Takes events as they are, and makes columns of them later.
class EventTable {
  public:
    /// Some `events` are expected, which need not be right.
    EventTable(const Market& market, std::string zone, bool has_exact_prices, std::size_t events);

    void add(std::span<const Event> events, std::int64_t time, std::uint32_t line) {
        while (events.size() > free_) [[unlikely]] {
            put(events.first(free_), time, line);
            events = events.subspan(free_);
            take_more();
        }
        put(events, time, line);
        free_ -= events.size();
    }
    [[nodiscard]] std::size_t size() const;
    /// All but the rows.
    [[nodiscard]] std::shared_ptr<tables::MemoryTable> head() const;
    /// Goes on after `watch` ended it. The events are gone after that.
    [[nodiscard]] std::shared_ptr<const tables::MemoryTable> finish(Watch& watch);

  private:
    struct Freed {
        std::size_t bytes;
        void operator()(std::byte* memory) const;
    };
    /// Events one after the other, then their times, then their lines.
    struct Chunk {
        explicit Chunk(std::size_t events_at_most);
        std::unique_ptr<std::byte, Freed> memory;
        Event* events;
        std::int64_t* times;
        std::uint32_t* lines;
        std::size_t capacity;
    };
    /// Some events of a chunk.
    struct Some {
        const Event* events;
        const std::int64_t* times;
        const std::uint32_t* lines;
        std::size_t count;
    };
    using Keys = std::array<std::uint32_t, 256>;  ///< of the texts of an enumeration

    void put(std::span<const Event> events, std::int64_t time, std::uint32_t line) {
        Event* event_at = event_at_;
        std::int64_t* time_at = time_at_;
        std::uint32_t* line_at = line_at_;
        for (const Event& event : events) {
            *event_at++ = event;
            *time_at++ = time;
            *line_at++ = line;
        }
        event_at_ = event_at;
        time_at_ = time_at;
        line_at_ = line_at;
    }
    void take_more();
    void reserve(std::size_t rows);
    void append(const Some& some);
    std::uint32_t key_of(std::string_view text);
    template <class Enum>
    Keys keys_of();

    std::vector<std::string> texts_;
    std::string zone_;
    std::vector<std::uint32_t> symbols_;  ///< by instrument id, from 1; keys
    Keys events_, commands_, sides_, types_, tifs_, reasons_;
    struct Scale {
        double units = 1e4;
        std::int64_t billionths = 100'000;
        bool has_zero = false;  ///< zero may be a price
    };
    std::vector<Scale> scales_;  ///< by instrument id, from 0: none
    bool has_exact_prices_;

    std::vector<Chunk> chunks_;
    std::size_t free_ = 0;  ///< places in the last one, and where they begin
    Event* event_at_ = nullptr;
    std::int64_t* time_at_ = nullptr;
    std::uint32_t* line_at_ = nullptr;
    std::size_t next_size_;
    std::size_t done_ = 0;  ///< chunks that are in the columns

    // The columns.
    std::vector<std::int64_t> times_, exact_prices_;
    std::vector<std::uint32_t> lines_, event_, command_, symbol_, participant_, side_, type_, tif_,
        reason_, flags_;
    std::vector<std::uint64_t> order_, reference_, quantity_, remaining_, displayed_;
    std::vector<double> prices_;
    std::vector<std::uint8_t> has_line_, has_symbol_, has_reason_, has_price_, has_quantity_;
};

}  // namespace damrak::python
