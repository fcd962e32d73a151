// The messages of an archived day within a time window, one after another. Begins with the orders
// of the books at the start of the window. One thread. A message costs its decoding; a block of
// 16,384 is read and decompressed when its first message is needed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <limits>
#include <string>
#include <vector>

#include <damrak/archive/completeness.hpp>
#include <damrak/archive/day.hpp>
#include <damrak/archive/day_cursor.hpp>
#include <damrak/wire/itch/messages.hpp>

namespace damrak::recorded_market {

/// The part of a day that is played.
struct Window {
    std::int64_t from_ns = 0;  ///< since midnight; zero: from the first message
    std::int64_t until_ns = std::numeric_limits<std::int64_t>::max();
    /// Only the messages of this locate code, as those of instrument 1; zero: all.
    std::uint16_t only = 0;
};

/// A message of the record.
struct Recorded {
    std::uint64_t sequence = 0;  ///< in the day, from 1; zero: from an initial book
    std::uint16_t locate = 0;
    std::int64_t time_ns = 0;
    wire::itch::Message message{};
    bool made_by_view = false;  ///< see wire/itch/view_mark.hpp
};

class RecordedMessages {
  public:
    [[nodiscard]] static archive::Result<RecordedMessages> make(const archive::Day& day,
                                                                const Window& window);

    /// Null at the end.
    [[nodiscard]] const Recorded* front();
    void pop() { has_front_ = false; }
    /// Whether they were all of the window; for the time after the last one.
    [[nodiscard]] const archive::Completeness& completeness() const { return completeness_; }

  private:
    RecordedMessages(const archive::Day& day, const Window& window);
    [[nodiscard]] archive::Result<void> begin_with_books();
    [[nodiscard]] bool next();
    [[nodiscard]] bool read_block();
    [[nodiscard]] bool has_view() const { return day_->depth().is_limited(); }

    const archive::Day* day_;
    Window window_;
    std::deque<Recorded> first_;
    archive::DayCursor cursor_;
    std::vector<std::byte> frames_;
    std::size_t at_ = 0;
    std::uint64_t sequence_ = 0;
    Recorded front_{};
    bool has_front_ = false;
    archive::Completeness completeness_;
    bool is_over_ = false;
};

}  // namespace damrak::recorded_market
