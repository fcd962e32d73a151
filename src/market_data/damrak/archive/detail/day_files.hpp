// The days that one input becomes, a file each, one after the other. If there is one, it gets the
// name that was asked for; of several, each has its date in its name, or its number if the date is
// not known. One thread.
#pragma once

#include <cstdint>
#include <expected>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <damrak/archive/day_writer.hpp>
#include <damrak/archive/import.hpp>

namespace damrak::archive {

class DayFiles {
  public:
    explicit DayFiles(const Import& import) : import_{&import} {}

    /// Ends the day before, and begins the next. The date is yyyymmdd, or zero: not known.
    [[nodiscard]] std::expected<void, std::string> begin(std::int32_t date,
                                                         const DayDepth& depth = {});
    /// Of the day that was begun last.
    [[nodiscard]] DayWriter& writer() { return *writer_; }
    [[nodiscard]] bool has_begun() const { return writer_.has_value(); }
    void set_depth(const DayDepth& depth);
    /// The input was cut short within the last day.
    void note_cut() { writer_->note_cut(); }
    /// Ends the last day. An error if there was none.
    [[nodiscard]] std::expected<std::vector<ImportedDay>, std::string> close();

  private:
    [[nodiscard]] std::expected<void, std::string> end_day();
    [[nodiscard]] std::filesystem::path name_of(std::int32_t date) const;

    const Import* import_;
    std::optional<DayWriter> writer_;
    std::vector<ImportedDay> days_;
};

}  // namespace damrak::archive
