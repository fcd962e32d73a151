// Columns of a table: values of one plain type one after the other in memory, as NumPy and Arrow
// take them without a copy, and which of them are null. One thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace damrak::tables {

/// What the values are, and the C++ type that holds one.
enum class Type : std::uint8_t {
    time,         ///< std::int64_t, nanoseconds; see DayTable::epoch_ns()
    uint64,       ///< std::uint64_t
    uint32,       ///< std::uint32_t
    price,        ///< double, in the currency, of a share; null is NaN
    exact_price,  ///< std::int64_t, the same in billionths; null is the largest number
    letter,       ///< char, an ASCII letter
    boolean,      ///< std::uint8_t, 0 or 1
    symbol,       ///< std::uint32_t, a place in DayTable::symbols()
};

[[nodiscard]] std::string_view name_of(Type type);

/// What a column is, for readers and for the documents.
struct ColumnInfo {
    std::string name;
    Type type{};
    bool can_be_null = false;
    std::string_view unit;     ///< empty: none
    std::string_view meaning;  ///< a sentence
};

class Column {
  public:
    explicit Column(Type type);
    /// Of values that are there already. `is_there` has a 1 for each row that is not null, and null
    /// rows have the value of one; null: all rows have a value.
    template <class T>
    [[nodiscard]] static Column of(Type type, std::vector<T> values,
                                   const std::vector<std::uint8_t>* is_there = nullptr) {
        Column column{type};
        column.rows_ = values.size();
        std::get<std::vector<T>>(column.values_) = std::move(values);
        if (is_there != nullptr) column.mark_nulls(*is_there);
        return column;
    }

    /// `T` is that of the column's type.
    template <class T>
    void push(T value) {
        if (!valid_.empty()) mark(true);
        std::get<std::vector<T>>(values_).push_back(value);
        ++rows_;
    }
    /// The value in memory is zero, or that of a null price.
    void push_null();
    /// Keeps the memory.
    void clear();

    [[nodiscard]] Type type() const { return type_; }
    [[nodiscard]] std::size_t rows() const { return rows_; }
    template <class T>
    [[nodiscard]] std::span<const T> values() const {
        return std::get<std::vector<T>>(values_);
    }
    /// A bit for each row, lowest first: it has a value. Empty if all rows have one.
    [[nodiscard]] std::span<const std::uint8_t> validity() const { return valid_; }
    [[nodiscard]] std::size_t nulls() const { return nulls_; }
    [[nodiscard]] bool is_null(std::size_t row) const {
        return !valid_.empty() && (unsigned{valid_[row / 8]} >> row % 8 & 1U) == 0;
    }

  private:
    void mark_nulls(const std::vector<std::uint8_t>& is_there);
    void mark(bool is_valid) {
        if (rows_ % 8 == 0) valid_.push_back(0);
        valid_.back() |= static_cast<std::uint8_t>((is_valid ? 1U : 0U) << rows_ % 8);
    }

    Type type_;
    std::size_t rows_ = 0;
    std::size_t nulls_ = 0;
    std::variant<std::vector<std::int64_t>, std::vector<std::uint64_t>, std::vector<std::uint32_t>,
                 std::vector<double>, std::vector<char>, std::vector<std::uint8_t>>
        values_;
    std::vector<std::uint8_t> valid_;  ///< see validity()
};

/// Rows of a table, in columns.
using Chunk = std::vector<Column>;

/// What a null exact price is in memory.
inline constexpr std::int64_t k_no_exact_price = std::numeric_limits<std::int64_t>::max();

}  // namespace damrak::tables
