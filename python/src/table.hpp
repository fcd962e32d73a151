// Tables for Python: their columns as read-only NumPy views and as Arrow streams, without a copy.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <utility>

#include <damrak/archive/completeness.hpp>
#include <damrak/tables/arrow.hpp>

namespace damrak::python {

struct TableOfPython {
    TableOfPython(std::shared_ptr<const tables::MemoryTable> rows, archive::Completeness of_rows)
        : table(std::move(rows)), completeness(std::move(of_rows)) {}

    std::shared_ptr<const tables::MemoryTable> table;
    archive::Completeness completeness;

    /// Made when it is first needed; any thread.
    [[nodiscard]] const tables::ArrowTable& arrow() const;

  private:
    struct Made {
        std::once_flag once;
        std::optional<tables::ArrowTable> arrow;
    };
    std::shared_ptr<Made> made_ = std::make_shared<Made>();
};

}  // namespace damrak::python
