// Columns of a table: values of one plain type one after the other in memory, as NumPy and Arrow
// take them without a copy, and which of them are null. One thread.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <damrak/base/assert.hpp>

namespace damrak::tables {

/// What the values are, and the C++ type that holds one.
enum class Type : std::uint8_t {
    time,         ///< std::int64_t, nanoseconds; see TableReader::epoch_ns()
    uint64,       ///< std::uint64_t
    uint32,       ///< std::uint32_t
    number,       ///< double, in the unit of the column; null is NaN
    price,        ///< double, in the currency, of a share; null is NaN
    exact_price,  ///< std::int64_t, the same in billionths; null is the largest number
    letter,       ///< char, an ASCII letter
    code,         ///< Code, up to four ASCII letters
    boolean,      ///< std::uint8_t, 0 or 1
    symbol,       ///< std::uint32_t, a place in TableReader::symbols()
};

[[nodiscard]] std::string_view name_of(Type type);

/// Zeros after its letters.
struct Code {
    std::array<char, 4> letters{};

    [[nodiscard]] std::string_view text() const {
        const std::string_view all{letters.data(), letters.size()};
        return all.substr(0, all.find('\0'));
    }
    friend bool operator==(const Code&, const Code&) = default;
};

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
    /// Memory for the expected rows is asked for at once, and used as they come.
    explicit Column(Type type, std::size_t expected_rows = 0);
    /// Of values that are there already. `is_there` has a 1 for each row that is not null, and null
    /// rows have the value of one; null: all rows have a value.
    template <class T>
    [[nodiscard]] static Column of(Type type, std::vector<T> values,
                                   const std::vector<std::uint8_t>* is_there = nullptr) {
        Column column{type};
        DAMRAK_ASSERT(sizeof(T) == column.width_);
        auto owned = std::make_shared<std::vector<T>>(std::move(values));
        column.rows_ = column.capacity_ = owned->size();
        column.memory_ = Memory{owned->data(), Release{.owner = owned, .mapped_bytes = 0}};
        if (is_there != nullptr) column.mark_nulls(*is_there);
        return column;
    }

    /// `T` is that of the column's type.
    template <class T>
    void push(T value) {
        DAMRAK_ASSERT(sizeof(T) == width_);
        if (rows_ == capacity_) [[unlikely]]
            grow();
        static_cast<T*>(memory_.get())[rows_++] = value;
    }
    /// The value in memory is zero, or that of a null price.
    void push_null() {
        if (rows_ == capacity_) [[unlikely]]
            grow();
        make_null(rows_++);
    }
    /// As many rows at once, whose values the caller writes; valid until the next row comes.
    template <class T>
    [[nodiscard]] T* extend(std::size_t rows) {
        DAMRAK_ASSERT(sizeof(T) == width_);
        while (rows_ + rows > capacity_) [[unlikely]]
            grow();
        T* const first = static_cast<T*>(memory_.get()) + rows_;
        rows_ += rows;
        return first;
    }
    /// Nulls up to this number of rows.
    void pad(std::size_t rows);
    /// A row that had a value.
    void make_null(std::size_t row) {
        if (valid_.empty()) [[unlikely]]
            valid_.assign((capacity_ + 7) / 8, k_all_valid);
        valid_[row / 8] &= static_cast<std::uint8_t>(~(1U << row % 8));
        ++nulls_;
        std::byte* const at = static_cast<std::byte*>(memory_.get()) + row * width_;
        if (width_ == sizeof(std::uint64_t))
            std::memcpy(at, &null_, sizeof(std::uint64_t));
        else if (width_ == sizeof(std::uint32_t))
            std::memset(at, 0, sizeof(std::uint32_t));
        else
            *at = std::byte{};
    }
    /// Keeps the memory.
    void clear();

    [[nodiscard]] Type type() const { return type_; }
    [[nodiscard]] std::size_t rows() const { return rows_; }
    template <class T>
    [[nodiscard]] std::span<const T> values() const {
        DAMRAK_ASSERT(sizeof(T) == width_);
        return {static_cast<const T*>(memory_.get()), rows_};
    }
    /// The first value in memory.
    [[nodiscard]] const void* data() const { return memory_.get(); }
    /// A bit for each row, lowest first: it has a value. Empty if all rows have one.
    [[nodiscard]] std::span<const std::uint8_t> validity() const {
        return std::span{valid_}.first(valid_.empty() ? 0 : (rows_ + 7) / 8);
    }
    [[nodiscard]] std::size_t nulls() const { return nulls_; }
    [[nodiscard]] bool is_null(std::size_t row) const {
        return !valid_.empty() && (unsigned{valid_[row / 8]} >> row % 8 & 1U) == 0;
    }

  private:
    /// Of a vector that was handed over, of a mapping, or of malloc.
    struct Release {
        std::shared_ptr<void> owner;
        std::size_t mapped_bytes;  ///< zero: not a mapping
        void operator()(void* memory) const;
    };
    using Memory = std::unique_ptr<void, Release>;

    void grow();
    static Memory memory_of(std::size_t bytes);
    void mark_nulls(const std::vector<std::uint8_t>& is_there);

    static constexpr std::uint8_t k_all_valid = 0xFF;
    static constexpr std::size_t k_large = std::size_t{4} << 20U;  ///< bytes

    Type type_;
    std::uint8_t width_;  ///< bytes of a value
    std::size_t rows_ = 0;
    std::size_t capacity_ = 0;
    std::size_t expected_ = 0;
    std::size_t nulls_ = 0;
    Memory memory_;
    std::uint64_t null_;               ///< in memory, if values have eight bytes
    std::vector<std::uint8_t> valid_;  ///< see validity(); for the capacity
};

/// Rows of a table, in columns.
using Chunk = std::vector<Column>;

/// What a null exact price is in memory.
inline constexpr std::int64_t k_no_exact_price = std::numeric_limits<std::int64_t>::max();

}  // namespace damrak::tables
