// Recorded days: how they are opened, and what they are.
#include "day.hpp"

#include <cstdint>
#include <filesystem>
#include <system_error>
#include <tuple>
#include <utility>

#include <fmt/format.h>
#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <damrak/archive/day_date.hpp>
#include <damrak/archive/day_depth.hpp>
#include <damrak/archive/day_file.hpp>
#include <damrak/files/temporary_folder.hpp>

#include "bind.hpp"
#include "errors.hpp"

namespace nb = nanobind;

namespace damrak::python {

namespace {

std::string file_of(const std::string& path) {
    std::error_code error;
    if (!std::filesystem::exists(path, error)) throw DayError{path + ": there is no such file"};
    const auto file = archive::day_file(path);
    if (!file) throw DayError{file.error()};
    if (!std::filesystem::is_regular_file(*file, error))
        throw DayError{file->string() + ": no regular file: a day is read more than once"};
    return file->string();
}

}  // namespace

archive::Imported import_file(const std::string& from, const std::string& to,
                              const ImportOptions& options, bool only_one, Watch& watch) {
    auto imported = archive::import_day(
        {.from = from,
         .to = to,
         .date = options.date,
         .symbol = options.symbol,
         .book = options.book ? std::optional<std::filesystem::path>{*options.book} : std::nullopt,
         .trust_messages = options.trust_messages,
         .only_one = only_one},
        [&](std::uint64_t /*bytes*/, std::uint64_t messages) { watch.look(messages); });
    if (!imported) throw DayError{imported.error()};
    return *std::move(imported);
}

DayOfPython::DayOfPython(const std::string& path, const ImportOptions& options,
                         const nb::object& progress)
    : path_(file_of(path)), options_(options) {
    const auto kind = files::day_kind(std::filesystem::path{path_});
    if (!kind) throw DayError{kind.error()};
    kind_ = *kind;
    if (kind_ == files::DayKind::itch && options.symbol.empty() && !options.book)
        look_through(progress);
    if (kind_ == files::DayKind::archived_day)
        open_archived();
    else if (!itch_)
        archive_first(progress);
    if (!itch_) source_ = std::make_unique<tables::ArchivedDay>(*day_);
}

std::vector<std::string> DayOfPython::told(std::vector<std::string> texts) const {
    const std::scoped_lock lock{of_name_};
    for (std::string& text : texts)
        if (text.starts_with(archived_)) text.replace(0, archived_.size(), path_);
    return texts;
}

const archive::Day& DayOfPython::day() const {
    Watch watch{nb::none()};
    const Unlocked unlocked;
    const std::scoped_lock lock{of_day_};
    if (!day_) archive_what_was_looked_through(watch);
    return *day_;
}

std::string DayOfPython::kind() const {
    switch (kind_) {
        case files::DayKind::itch:
            return "itch";
        case files::DayKind::lobster:
            return "lobster";
        case files::DayKind::dbn:
            return "dbn";
        case files::DayKind::archived_day:
            break;
    }
    return options_.journal.empty() ? "archive" : "journal";
}

void DayOfPython::open_archived() {
    if (options_.date != 0 || !options_.symbol.empty() || options_.book)
        throw DayError{path_ + ": an archived day has its own date and symbols"};
    open(path_);
    faults_ = day_->damage();
    if (!options_.journal.empty()) path_ = options_.journal;
}

void DayOfPython::look_through(const nb::object& progress) {
    Watch watch{progress};
    const Unlocked unlocked;
    const std::int32_t date = options_.date != 0 ? options_.date : archive::date_in_name(path_);
    itch_ =
        tables::ItchDay::open(path_, date, [&](std::uint64_t messages) { watch.look(messages); });
}

void DayOfPython::archive_first(const nb::object& progress) {
    Watch watch{progress};
    const Unlocked unlocked;
    auto imported = archive(path_, options_, watch);
    notes_ = std::move(imported.notes);
    faults_ = std::move(imported.faults);
    if (!imported.cut.empty()) faults_.push_back(std::move(imported.cut));
    faults_.insert(faults_.end(), day_->damage().begin(), day_->damage().end());
}

void DayOfPython::archive_what_was_looked_through(Watch& watch) const {
    ImportOptions options = options_;
    options.date = itch_->date();
    const std::string from = fmt::format("/proc/self/fd/{}", itch_->descriptor());
    if (!archive(from, options, watch).cut.empty())
        throw DayError{path_ + ": the file changed after it was opened"};
}

/// Into a folder that is gone once the day is open: nobody else needs its name.
archive::Imported DayOfPython::archive(const std::string& from, const ImportOptions& options,
                                       Watch& watch) const {
    const files::TemporaryFolder folder{"python"};
    if (folder.path().empty()) throw DayError{"no place for temporary files: set TMPDIR"};
    const std::string archived = (folder.path() / "day.dar").string();
    auto imported = import_file(from, archived, options, true, watch);
    open(archived);
    return imported;
}

void DayOfPython::open(const std::string& archived) const {
    auto day = archive::Day::open(archived);
    if (!day) throw DayError{day.error()};
    day_ = std::make_unique<archive::Day>(*std::move(day));
    const std::scoped_lock lock{of_name_};
    archived_ = archived;
}

void bind_days(nb::module_& module) {
    nb::class_<DayOfPython> day(module, "Day");
    day.def(
           "__init__",
           [](DayOfPython* self, const std::filesystem::path& path, std::int32_t date,
              std::string symbol, std::optional<std::filesystem::path> book, bool trust_messages,
              const std::filesystem::path& journal, const nb::object& progress) {
               new (self) DayOfPython{path.string(),
                                      {.date = date,
                                       .symbol = std::move(symbol),
                                       .book = book ? std::optional{book->string()} : std::nullopt,
                                       .trust_messages = trust_messages,
                                       .journal = journal.string()},
                                      progress};
           },
           nb::arg("path"), nb::kw_only(), nb::arg("date") = 0, nb::arg("symbol") = "",
           nb::arg("book") = nb::none(), nb::arg("trust_messages") = false, nb::arg("journal") = "",
           nb::arg("progress") = nb::none(),
           nb::sig("def __init__(self, path: str, *, date: int = 0, symbol: str = '', "
                   "book: str | None = None, trust_messages: bool = False, journal: str = '', "
                   "progress: typing.Any = None) -> None"))
        .def_prop_ro("kind", &DayOfPython::kind)
        .def_prop_ro("date", [](const DayOfPython& of) { return of.source().date(); })
        .def_prop_ro("messages", [](const DayOfPython& of) { return of.source().messages(); })
        .def_prop_ro("first_ns", [](const DayOfPython& of) { return of.source().first_time_ns(); })
        .def_prop_ro("last_ns", [](const DayOfPython& of) { return of.source().last_time_ns(); })
        .def_prop_ro(
            "levels", [](const DayOfPython& of) { return of.source().depth().depth; },
            "How many price levels of each side are known; 0: all.")
        .def_prop_ro("not_known",
                     [](const DayOfPython& of) { return archive::sentences(of.source().depth()); })
        .def_prop_ro("notes", &DayOfPython::notes)
        .def_prop_ro("faults", &DayOfPython::faults)
        .def_prop_ro("instruments", [](const DayOfPython& of) {
            std::vector<std::tuple<std::string, std::uint16_t>> all;
            for (const archive::Instrument& one : of.source().instruments())
                all.emplace_back(one.symbol, one.locate);
            return all;
        });
    bind_day_answers(day);

    module.def(
        "import_file",
        [](const std::filesystem::path& from, const std::filesystem::path& to, std::int32_t date,
           std::string symbol, std::optional<std::filesystem::path> book, bool trust_messages,
           nb::object progress) {
            const ImportOptions options{.date = date,
                                        .symbol = std::move(symbol),
                                        .book = book ? std::optional{book->string()} : std::nullopt,
                                        .trust_messages = trust_messages};
            Watch watch{std::move(progress)};
            archive::Imported imported;
            {
                const Unlocked unlocked;
                imported = import_file(from.string(), to.string(), options, false, watch);
            }
            nb::list files;  // with the names as os.fsdecode has them
            for (const archive::ImportedDay& day : imported.days)
                files.append(nb::steal(PyUnicode_DecodeFSDefault(day.file.c_str())));
            std::vector<std::string> notes = imported.notes;
            notes.insert(notes.end(), imported.faults.begin(), imported.faults.end());
            if (!imported.cut.empty()) notes.push_back(imported.cut);
            return std::tuple{std::move(files), std::move(notes)};
        },
        nb::arg("source"), nb::arg("target"), nb::kw_only(), nb::arg("date") = 0,
        nb::arg("symbol") = "", nb::arg("book") = nb::none(), nb::arg("trust_messages") = false,
        nb::arg("progress") = nb::none(),
        nb::sig("def import_file(source: str, target: str, *, date: int = 0, symbol: str = '', "
                "book: str | None = None, trust_messages: bool = False, "
                "progress: typing.Any = None) -> tuple[list[str], list[str]]"));
}

}  // namespace damrak::python
