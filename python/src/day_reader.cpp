// Rows of tables of a recorded day, all of them or some at a time.
#include <array>
#include <cstddef>
#include <cstdint>
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
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <damrak/tables/table_reader.hpp>

#include "bind.hpp"
#include "day.hpp"
#include "errors.hpp"
#include "table.hpp"
#include "watch.hpp"

namespace nb = nanobind;

namespace damrak::python {

namespace {

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
        auto chunks = reader_->new_chunks(all);
        const bool has_rows = reader_->append(chunks);
        if (!has_rows && !all) return std::nullopt;
        while (all && reader_->append(chunks)) watch.look(reader_->messages());
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

}  // namespace

void bind_day_reader(nb::module_& module) {
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
}

}  // namespace damrak::python
