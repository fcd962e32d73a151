#include "table.hpp"

#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "bind.hpp"

namespace nb = nanobind;

namespace damrak::python {

const tables::ArrowTable& TableOfPython::arrow() const {
    std::call_once(made_->once, [&] { made_->arrow.emplace(table); });
    return *made_->arrow;
}

namespace {

/// A capsule that releases what nobody took out of it.
template <class Arrow>
nb::object capsule_of(const char* name, const auto& make) {
    auto owned = std::make_unique<Arrow>();
    make(owned.get());
    const auto drop = [](PyObject* capsule) noexcept {
        auto* const one =
            static_cast<Arrow*>(PyCapsule_GetPointer(capsule, PyCapsule_GetName(capsule)));
        if (one->release != nullptr) one->release(one);
        delete one;
    };
    PyObject* const capsule = PyCapsule_New(owned.get(), name, drop);
    if (capsule == nullptr) throw nb::python_error{};
    static_cast<void>(owned.release());
    return nb::steal(capsule);
}

std::size_t index_of(const TableOfPython& of, std::string_view name) {
    const auto& columns = of.table->columns;
    for (std::size_t i = 0; i < columns.size(); ++i)
        if (columns[i].name == name) return i;
    throw nb::key_error(std::string{name}.c_str());
}

using Owner = std::shared_ptr<const tables::MemoryTable>;

/// `T` has as many bytes as the values.
template <class T>
nb::object view_of(const Owner& table, const tables::Column& column) {
    nb::capsule owner{new Owner{table},
                      [](void* one) noexcept { delete static_cast<Owner*>(one); }};
    return nb::cast(nb::ndarray<nb::numpy, const T, nb::ndim<1>>{
        static_cast<const T*>(column.data()), {column.rows()}, owner});
}

/// Letters and codes come as numbers, which the package views as text.
nb::object values_of(const TableOfPython& of, std::string_view name) {
    using tables::Type;
    const tables::Column& column = of.table->rows[index_of(of, name)];
    switch (column.type()) {
        case Type::time:
        case Type::exact_price:
            return view_of<std::int64_t>(of.table, column);
        case Type::uint64:
            return view_of<std::uint64_t>(of.table, column);
        case Type::uint32:
        case Type::symbol:
        case Type::code:
            return view_of<std::uint32_t>(of.table, column);
        case Type::number:
        case Type::price:
            return view_of<double>(of.table, column);
        case Type::boolean:
        case Type::letter:
            return view_of<std::uint8_t>(of.table, column);
    }
    return nb::none();
}

/// None if the column has no nulls.
nb::object nulls_of(const TableOfPython& of, std::string_view name) {
    const tables::Column& column = of.table->rows[index_of(of, name)];
    if (column.nulls() == 0) return nb::none();
    auto* const nulls = new std::vector<std::uint8_t>(column.rows());
    nb::capsule owner{
        nulls, [](void* one) noexcept { delete static_cast<std::vector<std::uint8_t>*>(one); }};
    for (std::size_t row = 0; row < column.rows(); ++row)
        (*nulls)[row] = column.is_null(row) ? 1 : 0;
    return nb::cast(nb::ndarray<nb::numpy, const std::uint8_t, nb::ndim<1>>{
        nulls->data(), {nulls->size()}, owner});
}

/// A table that Python made, and the texts to which its columns refer.
struct OwnTable {
    tables::MemoryTable table;
    std::list<std::string> texts;

    [[nodiscard]] std::string_view keep(std::string text) {
        return texts.emplace_back(std::move(text));
    }
};

/// None is null.
template <class T>
tables::Column column_of(tables::Type type, const nb::list& values) {
    tables::Column column{type};
    for (const nb::handle value : values)
        if (value.is_none())
            column.push_null();
        else
            column.push(nb::cast<T>(value));
    return column;
}

/// Texts as their places in `symbols`, which gets those that it does not have.
class Places {
  public:
    explicit Places(std::vector<std::string>& symbols) : symbols_(&symbols) {}

    nb::list of(const nb::list& texts) {
        nb::list places;
        for (const nb::handle text : texts)
            places.append(text.is_none() ? nb::none() : nb::object{nb::int_(place_of(text))});
        return places;
    }

  private:
    std::uint32_t place_of(nb::handle text) {
        const auto [at, is_new] = places_.emplace(nb::cast<std::string>(text), symbols_->size());
        if (is_new) symbols_->push_back(at->first);
        return at->second;
    }

    std::vector<std::string>* symbols_;
    std::unordered_map<std::string, std::uint32_t> places_;
};

/// Of columns that have a name, a type, a unit, a meaning and values.
TableOfPython table_of(const nb::list& columns) {
    using tables::Type;
    const auto own = std::make_shared<OwnTable>();
    tables::MemoryTable& table = own->table;
    Places places{table.symbols};
    const auto column = [&](const std::string& type, const nb::list& values) {
        if (type == "number") return column_of<double>(Type::number, values);
        if (type == "uint64") return column_of<std::uint64_t>(Type::uint64, values);
        if (type == "boolean") return column_of<std::uint8_t>(Type::boolean, values);
        if (type == "symbol") return column_of<std::uint32_t>(Type::symbol, places.of(values));
        throw nb::value_error("a column of Python is number, uint64, boolean or symbol");
    };
    for (const nb::handle one : columns) {
        table.rows.push_back(column(nb::cast<std::string>(one[1]), nb::cast<nb::list>(one[4])));
        table.columns.push_back(
            {nb::cast<std::string>(one[0]), table.rows.back().type(), table.rows.back().nulls() > 0,
             own->keep(nb::cast<std::string>(one[2])), own->keep(nb::cast<std::string>(one[3]))});
    }
    return {std::shared_ptr<const tables::MemoryTable>{own, &table}, {}};
}

using Info = std::tuple<std::string, std::string, bool, std::string, std::string>;

std::vector<Info> columns_of(const TableOfPython& of) {
    std::vector<Info> columns;
    for (const tables::ColumnInfo& column : of.table->columns)
        columns.emplace_back(column.name, std::string{name_of(column.type)}, column.can_be_null,
                             column.unit, column.meaning);
    return columns;
}

}  // namespace

void bind_tables(nb::module_& module) {
    nb::class_<TableOfPython>(module, "Table", "Rows in columns of plain memory; see damrak.Table.")
        .def("__len__", [](const TableOfPython& of) { return of.table->size(); })
        .def_prop_ro("columns", columns_of,
                     "Name, type, whether it can be null, unit and meaning of each column.")
        .def_prop_ro("symbols", [](const TableOfPython& of) { return of.table->symbols; })
        .def_prop_ro("zone", [](const TableOfPython& of) { return of.table->zone; })
        .def_prop_ro("has_date", [](const TableOfPython& of) { return of.table->has_date; })
        .def_prop_ro("missing", [](const TableOfPython& of) { return of.completeness.missing; })
        .def("values", values_of, nb::arg("name"),
             nb::sig("def values(self, name: str) -> typing.Any"))
        .def("nulls", nulls_of, nb::arg("name"),
             nb::sig("def nulls(self, name: str) -> typing.Any"))
        .def("__arrow_c_schema__",
             [](const TableOfPython& of) {
                 return capsule_of<tables::ArrowSchema>(
                     "arrow_schema", [&](auto* out) { of.arrow().make_schema(out); });
             })
        .def(
            "__arrow_c_stream__",
            [](const TableOfPython& of, const nb::object& /*requested_schema*/) {
                return capsule_of<tables::ArrowArrayStream>(
                    "arrow_array_stream", [&](auto* out) { of.arrow().make_stream(out); });
            },
            nb::arg("requested_schema") = nb::none());
    module.def(
        "table_of", table_of, nb::arg("columns"),
        "Of each column: name, type, unit, meaning, and values, of which None is null.",
        nb::sig("def table_of(columns: list[tuple[str, str, str, str, list[typing.Any]]]) -> "
                "Table"));
}

}  // namespace damrak::python
