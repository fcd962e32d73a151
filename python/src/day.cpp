// Recorded days. A plain ITCH file gives its tables as it is; other days that are not archived are
// archived first, into a temporary file without a name.
#include <damrak/archive/day.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <damrak/archive/day_date.hpp>
#include <damrak/archive/day_file.hpp>
#include <damrak/archive/day_json.hpp>
#include <damrak/archive/day_search.hpp>
#include <damrak/archive/heatmap.hpp>
#include <damrak/archive/import.hpp>
#include <damrak/files/day_kind.hpp>
#include <damrak/files/temporary_folder.hpp>
#include <damrak/tables/itch_day.hpp>
#include <damrak/tables/table_reader.hpp>

#include "bind.hpp"
#include "errors.hpp"
#include "table.hpp"
#include "watch.hpp"

namespace nb = nanobind;

namespace damrak::python {

namespace {

struct ImportOptions {
    std::int32_t date = 0;
    std::string symbol;
    std::optional<std::string> book;
    bool trust_messages = false;
};

/// Call it without the interpreter's lock.
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

class DayOfPython {
  public:
    DayOfPython(const std::string& path, const ImportOptions& options, nb::object progress)
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
    }
    /// With the name of the file that was opened, where it has that of the archive.
    [[nodiscard]] std::vector<std::string> told(std::vector<std::string> texts) const {
        const std::scoped_lock lock{mutexes_->of_name};
        for (std::string& text : texts)
            if (text.starts_with(archived_)) text.replace(0, archived_.size(), path_);
        return texts;
    }

    [[nodiscard]] const tables::DaySource& source() const {
        return itch_ ? static_cast<const tables::DaySource&>(*itch_) : *source_;
    }
    /// For what needs books in the day's course: a file that was only looked through is archived
    /// now. Call it with the interpreter's lock.
    [[nodiscard]] const archive::Day& day() const {
        Watch watch{nb::none()};
        const Unlocked unlocked;
        const std::scoped_lock lock{mutexes_->of_day};
        if (!day_) const_cast<DayOfPython*>(this)->archive_what_was_looked_through(watch);
        return *day_;
    }
    [[nodiscard]] std::string kind() const {
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
        return "archive";
    }
    [[nodiscard]] const std::vector<std::string>& notes() const { return notes_; }
    [[nodiscard]] std::vector<std::string> faults() const { return told(faults_); }

  private:
    static std::string file_of(const std::string& path) {
        std::error_code error;
        if (!std::filesystem::exists(path, error)) throw DayError{path + ": there is no such file"};
        const auto file = archive::day_file(path);
        if (!file) throw DayError{file.error()};
        if (!std::filesystem::is_regular_file(*file, error))
            throw DayError{file->string() + ": no regular file: a day is read more than once"};
        return file->string();
    }
    void open_archived() {
        if (options_.date != 0 || !options_.symbol.empty() || options_.book)
            throw DayError{path_ + ": an archived day has its own date and symbols"};
        open(path_);
        faults_ = day_->damage();
    }
    void look_through(const nb::object& progress) {
        Watch watch{progress};
        const Unlocked unlocked;
        const std::int32_t date = options_.date != 0 ? options_.date : archive::date_in_name(path_);
        itch_ = tables::ItchDay::open(path_, date,
                                      [&](std::uint64_t messages) { watch.look(messages); });
    }
    void archive_what_was_looked_through(Watch& watch) {
        ImportOptions options = options_;
        options.date = itch_->date();
        const std::string from = fmt::format("/proc/self/fd/{}", itch_->descriptor());
        if (!archive(from, options, watch).cut.empty())
            throw DayError{path_ + ": the file changed after it was opened"};
    }
    void archive_first(const nb::object& progress) {
        Watch watch{progress};
        const Unlocked unlocked;
        auto imported = archive(path_, options_, watch);
        notes_ = std::move(imported.notes);
        faults_ = std::move(imported.faults);
        if (!imported.cut.empty()) faults_.push_back(std::move(imported.cut));
        faults_.insert(faults_.end(), day_->damage().begin(), day_->damage().end());
    }
    /// Into a folder that is gone once the day is open: nobody else needs its name.
    archive::Imported archive(const std::string& from, const ImportOptions& options, Watch& watch) {
        const files::TemporaryFolder folder{"python"};
        if (folder.path().empty()) throw DayError{"no place for temporary files: set TMPDIR"};
        const std::string archived = (folder.path() / "day.dar").string();
        auto imported = import_file(from, archived, options, true, watch);
        open(archived);
        return imported;
    }
    void open(const std::string& archived) {
        auto day = archive::Day::open(archived);
        if (!day) throw DayError{day.error()};
        day_ = std::make_unique<archive::Day>(*std::move(day));
        source_ = std::make_unique<tables::ArchivedDay>(*day_);
        const std::scoped_lock lock{mutexes_->of_name};
        archived_ = archived;
    }

    files::DayKind kind_{};
    std::string path_;
    ImportOptions options_;
    std::string archived_;
    std::unique_ptr<tables::ItchDay> itch_;  ///< a file that needs no archive for its tables
    std::unique_ptr<archive::Day> day_;
    std::unique_ptr<tables::ArchivedDay> source_;
    struct Mutexes {
        std::mutex of_day;
        std::mutex of_name;
    };
    std::unique_ptr<Mutexes> mutexes_ = std::make_unique<Mutexes>();
    std::vector<std::string> notes_;
    std::vector<std::string> faults_;
};

/// A table's name, levels, interval and times.
using Wanted = std::tuple<std::string, std::size_t, std::int64_t, std::vector<std::int64_t>>;

tables::Table table_named(const std::string& name) {
    using tables::Table;
    constexpr std::array k_all{Table::trades,  Table::bbo,      Table::depth, Table::messages,
                               Table::candles, Table::auctions, Table::halts};
    static_assert(k_all.size() == tables::k_tables);
    std::string names;
    for (const Table table : k_all) {
        if (tables::name_of(table) == name) return table;
        names += fmt::format("{}{}", names.empty() ? "" : ", ", tables::name_of(table));
    }
    throw DayError{fmt::format("there is no table '{}': a day has {}", name, names)};
}

std::vector<tables::TableQuery> queries_of(std::vector<Wanted> wanted) {
    std::vector<tables::TableQuery> queries;
    for (auto& [name, levels, every_ns, at_ns] : wanted)
        queries.push_back({.table = table_named(name),
                           .levels = levels,
                           .every_ns = every_ns,
                           .at_ns = std::move(at_ns)});
    return queries;
}

/// Rows of tables of a day, all of them or some at a time.
class ReaderOfPython {
  public:
    ReaderOfPython(std::shared_ptr<DayOfPython> day, std::vector<Wanted> wanted,
                   tables::DayWindow window, std::string zone, bool has_date)
        : day_(std::move(day)), count_(wanted.size()), zone_(std::move(zone)), has_date_(has_date) {
        window.on_block = [this] {
            if (watch_ != nullptr) watch_->look(reader_ ? reader_->messages() : 0);
        };
        const Unlocked unlocked;
        auto reader =
            tables::TableReader::open(day_->source(), queries_of(std::move(wanted)), window);
        if (!reader) throw DayError{reader.error()};
        reader_ = std::make_unique<tables::TableReader>(*std::move(reader));
    }
    ReaderOfPython(const ReaderOfPython&) = delete;
    ReaderOfPython& operator=(const ReaderOfPython&) = delete;

    /// The next rows of each table, or all that are left; nothing at the end, unless all are
    /// wanted.
    std::optional<std::vector<TableOfPython>> read(bool all, nb::object progress) {
        Watch watch{std::move(progress)};
        const Unlocked unlocked;
        const std::scoped_lock lock{mutex_};
        watch_ = &watch;
        const Unset unset{watch_};
        auto chunks = reader_->new_chunks();
        const bool has_rows = reader_->append(chunks);
        if (!has_rows && !all) return std::nullopt;
        while (all && reader_->append(chunks)) {
        }
        std::vector<TableOfPython> made;
        auto completeness = reader_->completeness();
        completeness.missing = day_->told(std::move(completeness.missing));
        for (std::size_t i = 0; i < count_; ++i)
            made.emplace_back(std::make_shared<tables::MemoryTable>(
                                  tables::MemoryTable{.columns = reader_->columns(i),
                                                      .symbols = reader_->symbols(),
                                                      .zone = zone_,
                                                      .has_date = has_date_,
                                                      .rows = std::move(chunks[i])}),
                              completeness);
        return made;
    }
    /// What is missing, once all rows were read.
    [[nodiscard]] std::vector<std::string> missing() const {
        return day_->told(reader_->completeness().missing);
    }

  private:
    struct Unset {
        Watch*& watch;
        ~Unset() { watch = nullptr; }
    };

    std::shared_ptr<DayOfPython> day_;
    std::size_t count_;  ///< of tables
    std::string zone_;
    bool has_date_;
    std::mutex mutex_;
    Watch* watch_ = nullptr;
    std::unique_ptr<tables::TableReader> reader_;
};

using Level = std::tuple<std::uint32_t, std::uint64_t, std::optional<std::uint32_t>>;
using Levels = std::vector<Level>;
using BookTuple = std::tuple<std::int64_t, std::uint64_t, Levels, Levels, std::vector<std::string>>;

Levels levels_of(const std::vector<archive::BookOrder>& orders) {
    Levels side;
    for (const archive::BookLevel& level : archive::Book::levels(orders))
        side.emplace_back(level.price_e4, level.shares, level.orders);
    return side;
}

BookTuple book_at(const DayOfPython& of, std::uint16_t locate, std::int64_t time_ns) {
    const archive::Day& day = of.day();
    const Unlocked unlocked;
    if (const std::string why = archive::why_not_known(day.depth(), time_ns); !why.empty())
        throw DayError{why};
    const auto [book, completeness] = day.book_known_at(locate, time_ns);
    return {book.time_ns, book.sequence, levels_of(book.bids), levels_of(book.asks),
            of.told(completeness.missing)};
}

using Order = std::tuple<std::uint64_t, std::uint32_t, std::uint32_t>;

std::tuple<std::vector<Order>, std::vector<Order>> orders_at(const DayOfPython& of,
                                                             std::uint16_t locate,
                                                             std::int64_t time_ns) {
    const archive::Day& day = of.day();
    const Unlocked unlocked;
    const archive::DayDepth& depth = day.depth();
    if (const std::string why = archive::why_no_orders(depth); !why.empty()) throw DayError{why};
    if (const std::string why = archive::why_not_known(depth, time_ns); !why.empty())
        throw DayError{why};
    const auto answer = day.book_known_at(locate, time_ns);
    if (!answer.completeness.is_complete())
        throw IncompleteError{of.told(answer.completeness.missing).front()};
    const auto list = [](const std::vector<archive::BookOrder>& side) {
        std::vector<Order> orders;
        for (const archive::BookOrder& order : side)
            orders.emplace_back(archive::known_reference(order).value_or(0), order.price_e4,
                                order.shares);
        return orders;
    };
    return {list(answer.value.bids), list(answer.value.asks)};
}

using Step = std::tuple<std::uint64_t, std::int64_t, std::string, bool, std::uint64_t,
                        std::uint32_t, std::uint32_t, std::optional<std::uint64_t>, std::uint64_t>;

std::tuple<std::uint16_t, bool, std::vector<Step>, std::vector<std::string>> order_life(
    const DayOfPython& of, std::uint64_t reference) {
    const archive::Day& day = of.day();
    const Unlocked unlocked;
    if (const std::string why = archive::why_no_orders(day.depth()); !why.empty())
        throw DayError{why};
    const auto [life, completeness] = archive::order_life(day, reference);
    std::vector<Step> steps;
    for (const archive::OrderStep& step : life.steps)
        steps.emplace_back(step.sequence, step.time_ns, std::string{step.type}, step.made_by_view,
                           step.reference, step.price_e4, step.shares, step.orders_ahead,
                           step.shares_ahead);
    return {life.locate, life.side == damrak::Side::buy, std::move(steps),
            of.told(completeness.missing)};
}

template <class T>
nb::object array_of(std::vector<T> values, std::initializer_list<std::size_t> shape) {
    auto* const owned = new std::vector<T>(std::move(values));
    nb::capsule owner{owned, [](void* one) noexcept { delete static_cast<std::vector<T>*>(one); }};
    return nb::cast(nb::ndarray<nb::numpy, T>{owned->data(), shape, owner});
}

/// Average displayed shares of each cell, prices of each column in the currency (NaN: none), and
/// traded shares.
nb::dict heatmap_of(const DayOfPython& of, std::uint16_t locate, std::int64_t from_ns,
                    std::int64_t until_ns, std::uint32_t columns, std::uint32_t rows) {
    archive::Heatmap map;
    {
        const archive::Day& day = of.day();
        const Unlocked unlocked;
        if (const std::string why = archive::why_no_book(day.depth()); !why.empty())
            throw DayError{why};
        map = archive::heatmap(
            day, locate,
            {.from_ns = from_ns, .until_ns = until_ns, .columns = columns, .rows = rows});
    }
    const archive::HeatmapGrid& grid = map.grid;
    const auto averages = [&](const std::vector<Uint128>& cells) {
        std::vector<double> shares;
        for (const Uint128 cell : cells)
            shares.push_back(static_cast<double>(cell) / static_cast<double>(grid.column_ns));
        return array_of(std::move(shares), {grid.columns, grid.rows});
    };
    std::vector<double> bid, ask;
    std::vector<std::uint64_t> bought, sold, other;
    const auto price = [](std::uint32_t price_e4) {
        return price_e4 == 0 ? std::numeric_limits<double>::quiet_NaN() : price_e4 / 10'000.0;
    };
    for (const archive::HeatmapColumn& column : map.columns) {
        bid.push_back(price(column.bid_e4));
        ask.push_back(price(column.ask_e4));
        bought.push_back(column.bought);
        sold.push_back(column.sold);
        other.push_back(column.other);
    }
    nb::dict answer;
    answer["begin_ns"] = grid.begin_ns;
    answer["column_ns"] = grid.column_ns;
    answer["low"] = static_cast<double>(grid.low_e4) / 10'000;
    answer["step"] = static_cast<double>(grid.step_e4) / 10'000;
    answer["bids"] = averages(map.bids);
    answer["asks"] = averages(map.asks);
    answer["bid"] = array_of(std::move(bid), {map.columns.size()});
    answer["ask"] = array_of(std::move(ask), {map.columns.size()});
    answer["bought"] = array_of(std::move(bought), {map.columns.size()});
    answer["sold"] = array_of(std::move(sold), {map.columns.size()});
    answer["other"] = array_of(std::move(other), {map.columns.size()});
    answer["damage"] = map.damage;
    return answer;
}

}  // namespace

void bind_days(nb::module_& module) {
    nb::class_<ReaderOfPython>(module, "Reader")
        .def(
            "__init__",
            [](ReaderOfPython* self, std::shared_ptr<DayOfPython> day, std::vector<Wanted> wanted,
               std::optional<std::uint16_t> locate, std::int64_t from_ns, std::int64_t until_ns,
               std::size_t rows, std::optional<std::int64_t> midnight_ns, std::string zone,
               bool has_date, bool has_exact_prices) {
                new (self) ReaderOfPython{std::move(day),
                                          std::move(wanted),
                                          {.locate = locate,
                                           .from_ns = from_ns,
                                           .until_ns = until_ns,
                                           .chunk_rows = rows,
                                           .midnight_ns = midnight_ns,
                                           .has_exact_prices = has_exact_prices},
                                          std::move(zone),
                                          has_date};
            },
            nb::arg("day"), nb::arg("tables"), nb::kw_only(), nb::arg("locate") = nb::none(),
            nb::arg("from_ns") = 0, nb::arg("until_ns") = std::numeric_limits<std::int64_t>::max(),
            nb::arg("rows") = 65'536, nb::arg("midnight_ns") = nb::none(), nb::arg("zone") = "",
            nb::arg("has_date") = false, nb::arg("has_exact_prices") = false)
        .def("read", &ReaderOfPython::read, nb::arg("all") = false,
             nb::arg("progress") = nb::none())
        .def_prop_ro("missing", &ReaderOfPython::missing);

    nb::class_<DayOfPython>(module, "Day")
        .def(
            "__init__",
            [](DayOfPython* self, const std::string& path, std::int32_t date, std::string symbol,
               std::optional<std::string> book, bool trust_messages, nb::object progress) {
                new (self) DayOfPython{path,
                                       {.date = date,
                                        .symbol = std::move(symbol),
                                        .book = std::move(book),
                                        .trust_messages = trust_messages},
                                       std::move(progress)};
            },
            nb::arg("path"), nb::kw_only(), nb::arg("date") = 0, nb::arg("symbol") = "",
            nb::arg("book") = nb::none(), nb::arg("trust_messages") = false,
            nb::arg("progress") = nb::none())
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
        .def_prop_ro("instruments",
                     [](const DayOfPython& of) {
                         std::vector<std::tuple<std::string, std::uint16_t>> all;
                         for (const archive::Instrument& one : of.source().instruments())
                             all.emplace_back(one.symbol, one.locate);
                         return all;
                     })
        .def("book_at", book_at, nb::arg("locate"), nb::arg("time_ns"))
        .def("orders_at", orders_at, nb::arg("locate"), nb::arg("time_ns"))
        .def("heatmap", heatmap_of, nb::arg("locate"), nb::arg("from_ns"), nb::arg("until_ns"),
             nb::arg("columns") = 400, nb::arg("rows") = 200,
             nb::sig("def heatmap(self, locate: int, from_ns: int, until_ns: int, columns: int = "
                     "400, rows: int = 200) -> dict[str, typing.Any]"))
        .def("order_life", order_life, nb::arg("reference"));

    module.def(
        "import_file",
        [](const std::string& from, const std::string& to, std::int32_t date, std::string symbol,
           std::optional<std::string> book, bool trust_messages, nb::object progress) {
            const ImportOptions options{.date = date,
                                        .symbol = std::move(symbol),
                                        .book = std::move(book),
                                        .trust_messages = trust_messages};
            Watch watch{std::move(progress)};
            archive::Imported imported;
            {
                const Unlocked unlocked;
                imported = import_file(from, to, options, false, watch);
            }
            std::vector<std::string> files;
            for (const archive::ImportedDay& day : imported.days)
                files.push_back(day.file.string());
            std::vector<std::string> notes = imported.notes;
            notes.insert(notes.end(), imported.faults.begin(), imported.faults.end());
            if (!imported.cut.empty()) notes.push_back(imported.cut);
            return std::tuple{std::move(files), std::move(notes)};
        },
        nb::arg("source"), nb::arg("target"), nb::kw_only(), nb::arg("date") = 0,
        nb::arg("symbol") = "", nb::arg("book") = nb::none(), nb::arg("trust_messages") = false,
        nb::arg("progress") = nb::none());
}

}  // namespace damrak::python
