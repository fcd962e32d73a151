// The events of many orders as Python sees them: a table that is made when it is first read.
#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>

#include <nanobind/nanobind.h>

#include "engine_table.hpp"
#include "table.hpp"

namespace damrak::python {

/// Any thread.
class EventRows {
  public:
    explicit EventRows(EventTable events)
        : size_(events.size()), head_(events.head(), {}), events_(std::move(events)) {}

    [[nodiscard]] std::size_t size() const { return size_; }
    /// The table without its rows.
    [[nodiscard]] const TableOfPython& head() const { return head_; }
    /// Made when it is first asked for.
    [[nodiscard]] const TableOfPython& table();

  private:
    std::size_t size_;
    TableOfPython head_;
    std::recursive_mutex mutex_;  ///< of what follows
    bool is_making_ = false;
    std::optional<EventTable> events_;
    std::optional<TableOfPython> table_;
};

}  // namespace damrak::python
