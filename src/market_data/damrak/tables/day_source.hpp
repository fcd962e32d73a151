// What tables are read from: the messages of a day in order, and what is known of the day as a
// whole. An archived day and an ITCH file as it is (itch_day.hpp) are such.
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <damrak/archive/completeness.hpp>
#include <damrak/archive/day.hpp>
#include <damrak/archive/day_cursor.hpp>
#include <damrak/order_flow/broken_trades.hpp>

namespace damrak::tables {

/// Messages one after the other, each after its length in two bytes, big-endian.
struct Piece {
    std::uint64_t first_message = 0;      ///< its number in the day, from 1
    std::span<const std::byte> frames{};  ///< valid until the next one is read
};

/// Reads messages in order. One thread.
class PieceReader {
  public:
    PieceReader() = default;
    PieceReader(const PieceReader&) = delete;
    PieceReader& operator=(const PieceReader&) = delete;
    virtual ~PieceReader() = default;

    /// Nothing: there are no more.
    [[nodiscard]] virtual std::expected<std::optional<Piece>, archive::Gap> next() = 0;
    /// After the last piece.
    [[nodiscard]] virtual archive::Completeness at_end() const = 0;
    /// That the message with this number is invalid.
    [[nodiscard]] virtual archive::Gap invalid(std::uint64_t message) const = 0;
};

/// Any number of threads may read it, each with a reader of its own, which what is read must
/// outlive: the day or the file, and of an ITCH file this object.
class DaySource {
  public:
    using TakeBooks = archive::DayCursor::TakeBooks;

    DaySource() = default;
    DaySource(const DaySource&) = delete;
    DaySource& operator=(const DaySource&) = delete;
    virtual ~DaySource() = default;

    [[nodiscard]] virtual std::int32_t date() const = 0;  ///< zero: not known
    [[nodiscard]] virtual std::vector<archive::Instrument> instruments() const = 0;
    [[nodiscard]] virtual const archive::DayDepth& depth() const = 0;
    [[nodiscard]] virtual std::uint64_t messages() const = 0;
    // Of the first and the last message; zero if there is none.
    [[nodiscard]] virtual std::int64_t first_time_ns() const = 0;
    [[nodiscard]] virtual std::int64_t last_time_ns() const = 0;
    [[nodiscard]] virtual archive::Answer<order_flow::BrokenTrades> broken_trades() const = 0;
    /// The messages of the range, and maybe others. If `take` is there, they may begin at books in
    /// the day's course, whose messages it is given.
    [[nodiscard]] virtual std::unique_ptr<PieceReader> read(const archive::DayRange& range,
                                                            const TakeBooks& take) const = 0;
};

/// An archived day as the source of tables.
class ArchivedDay final : public DaySource {
  public:
    /// The day must outlive it, and the readers.
    explicit ArchivedDay(const archive::Day& day) : day_(&day) {}

    [[nodiscard]] std::int32_t date() const override;
    [[nodiscard]] std::vector<archive::Instrument> instruments() const override;
    [[nodiscard]] const archive::DayDepth& depth() const override;
    [[nodiscard]] std::uint64_t messages() const override;
    [[nodiscard]] std::int64_t first_time_ns() const override;
    [[nodiscard]] std::int64_t last_time_ns() const override;
    [[nodiscard]] archive::Answer<order_flow::BrokenTrades> broken_trades() const override;
    [[nodiscard]] std::unique_ptr<PieceReader> read(const archive::DayRange& range,
                                                    const TakeBooks& take) const override;

  private:
    const archive::Day* day_;
};

}  // namespace damrak::tables
