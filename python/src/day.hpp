// A recorded day, as Python holds it. A plain ITCH file gives its tables as it is; other days that
// are not archived are archived first, into a temporary file without a name. Any number of threads
// may read it.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include <nanobind/nanobind.h>

#include <damrak/archive/day.hpp>
#include <damrak/archive/import.hpp>
#include <damrak/files/day_kind.hpp>
#include <damrak/tables/day_source.hpp>
#include <damrak/tables/itch_day.hpp>

#include "watch.hpp"

namespace damrak::python {

struct ImportOptions {
    std::int32_t date = 0;
    std::string symbol;
    std::optional<std::string> book;
    bool trust_messages = false;
    /// The journal that the archive was made of: the day goes by its name.
    std::string journal{};
};

class DayOfPython {
  public:
    DayOfPython(const std::string& path, const ImportOptions& options,
                const nanobind::object& progress);
    DayOfPython(const DayOfPython&) = delete;
    DayOfPython& operator=(const DayOfPython&) = delete;

    /// With the name of the file that was opened, where it has that of the archive.
    [[nodiscard]] std::vector<std::string> told(std::vector<std::string> texts) const;
    [[nodiscard]] const tables::DaySource& source() const {
        return itch_ ? static_cast<const tables::DaySource&>(*itch_) : *source_;
    }
    /// For what needs books in the day's course: a file that was only looked through is archived
    /// now. Call it with the interpreter's lock.
    [[nodiscard]] const archive::Day& day() const;
    [[nodiscard]] std::string kind() const;
    [[nodiscard]] const std::vector<std::string>& notes() const { return notes_; }
    [[nodiscard]] std::vector<std::string> faults() const { return told(faults_); }

  private:
    void open_archived();
    void look_through(const nanobind::object& progress);
    void archive_first(const nanobind::object& progress);
    // What follows makes the archive, once; its caller holds the lock of it, or is the only one.
    void archive_what_was_looked_through(Watch& watch) const;
    archive::Imported archive(const std::string& from, const ImportOptions& options,
                              Watch& watch) const;
    void open(const std::string& archived) const;

    files::DayKind kind_{};
    std::string path_;
    ImportOptions options_;
    std::unique_ptr<tables::ItchDay> itch_;        ///< a file that needs no archive for its tables
    std::unique_ptr<tables::ArchivedDay> source_;  ///< of others
    std::vector<std::string> notes_;
    std::vector<std::string> faults_;
    mutable std::mutex of_day_;
    mutable std::unique_ptr<archive::Day> day_;
    mutable std::mutex of_name_;
    mutable std::string archived_;  ///< the name that the archive has or had
};

/// Call it without the interpreter's lock.
[[nodiscard]] archive::Imported import_file(const std::string& from, const std::string& to,
                                            const ImportOptions& options, bool only_one,
                                            Watch& watch);

void bind_day_answers(nanobind::class_<DayOfPython>& day);

}  // namespace damrak::python
