// Tables in memory, handed to other languages by the Arrow C data and stream interfaces: numbers
// and times without a copy; letters and booleans, which Arrow lays out in another way, are copied
// once for each table. A dictionary has keys of 32 bits. What was handed out keeps the table alive.
//
// Source: https://arrow.apache.org/docs/format/CDataInterface.html, CStreamInterface.html
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <damrak/tables/column.hpp>

namespace damrak::tables {

// The three structures, field by field as Arrow has them.

/// The type of a table or column, as Arrow's C data interface has it.
struct ArrowSchema {
    const char* format;
    const char* name;
    const char* metadata;
    std::int64_t flags;
    std::int64_t n_children;
    ArrowSchema** children;
    ArrowSchema* dictionary;
    void (*release)(ArrowSchema*);
    void* private_data;
};

/// The values of a table or column, as Arrow's C data interface has them.
struct ArrowArray {
    std::int64_t length;
    std::int64_t null_count;
    std::int64_t offset;
    std::int64_t n_buffers;
    std::int64_t n_children;
    const void** buffers;
    ArrowArray** children;
    ArrowArray* dictionary;
    void (*release)(ArrowArray*);
    void* private_data;
};

/// A table in parts, as Arrow's C stream interface has it.
struct ArrowArrayStream {
    int (*get_schema)(ArrowArrayStream*, ArrowSchema* out);
    int (*get_next)(ArrowArrayStream*, ArrowArray* out);
    const char* (*get_last_error)(ArrowArrayStream*);
    void (*release)(ArrowArrayStream*);
    void* private_data;
};

/// A table whose rows are all there.
struct MemoryTable {
    std::vector<ColumnInfo> columns;
    std::vector<std::string> symbols;  ///< the values of columns of type symbol
    /// Of times: a name of the tz database; empty: they are local ones of an unknown zone.
    std::string zone;
    bool has_date = false;  ///< otherwise times are since midnight
    Chunk rows;             ///< a column for each of `columns`

    [[nodiscard]] std::size_t size() const { return rows.front().rows(); }
};

/// Any number of streams, of one batch each, and schemas. Any thread.
class ArrowTable {
  public:
    explicit ArrowTable(std::shared_ptr<const MemoryTable> table);

    void make_schema(ArrowSchema* out) const;
    void make_stream(ArrowArrayStream* out) const;

    struct Layout;  ///< the table, and what it lacks for Arrow

  private:
    std::shared_ptr<const Layout> layout_;
};

}  // namespace damrak::tables
