#include "engine_columns.hpp"

#include <algorithm>
#include <cstring>
#include <string_view>

#include <fmt/format.h>
#include <nanobind/stl/string.h>

#include <damrak/base/did_you_mean.hpp>

#include "errors.hpp"

namespace nb = nanobind;

namespace damrak::python {

namespace {

std::size_t field_named(std::string_view name) {
    const auto found = std::ranges::find(k_specs, name, &Spec::name);
    if (found != k_specs.end()) return static_cast<std::size_t>(found - k_specs.begin());
    std::vector<std::string> known;
    for (const Spec& spec : k_specs) known.emplace_back(spec.name);
    throw OrderError{
        fmt::format("there is no column '{}' of orders; {}", name, did_you_mean(name, known))};
}

void check_kind(std::size_t field, std::optional<Kind> kind, std::string_view found) {
    const Spec& spec = k_specs[field];
    if (kind == spec.kind || (spec.is_price && kind == Kind::int64)) return;
    throw OrderError{fmt::format("column '{}' is {}: it must be {}{}, and is not converted",
                                 spec.name, found,
                                 k_kind_names[static_cast<std::size_t>(spec.kind)],
                                 spec.is_price ? ", or int64 in billionths of the currency" : "")};
}

std::optional<Kind> kind_of(std::string_view format, Py_ssize_t size) {
    if (format.starts_with('<') || format.starts_with('=') || format.starts_with('@'))
        format.remove_prefix(1);
    if (format.size() != 1) return {};
    const char letter = format[0];
    constexpr std::string_view k_unsigned = "BHILQN";
    constexpr std::string_view k_signed = "lqn";
    if (letter == 'd') return Kind::float64;
    if (k_signed.contains(letter) && size == 8) return Kind::int64;
    if (!k_unsigned.contains(letter)) return {};
    switch (size) {
        case 1:
            return Kind::uint8;
        case 2:
            return Kind::uint16;
        case 4:
            return Kind::uint32;
        default:
            return Kind::uint64;
    }
}

std::optional<Kind> kind_of(std::string_view format) {
    if (format == "C") return Kind::uint8;
    if (format == "S") return Kind::uint16;
    if (format == "I") return Kind::uint32;
    if (format == "L") return Kind::uint64;
    if (format == "l") return Kind::int64;
    if (format == "g") return Kind::float64;
    return {};
}

bool has_null(const tables::ArrowArray& child, const tables::ArrowArray& array) {
    const auto* const valid = static_cast<const std::uint8_t*>(child.buffers[0]);
    if (valid == nullptr) return false;
    for (std::int64_t i = 0; i < array.length; ++i) {
        const std::int64_t place = child.offset + array.offset + i;
        if ((valid[place / 8] >> place % 8 & 1) == 0) return true;
    }
    return false;
}

[[noreturn]] void fail(tables::ArrowArrayStream& stream) {
    const char* const why = stream.get_last_error(&stream);
    throw OrderError{fmt::format("the Arrow stream fails: {}", why == nullptr ? "no reason" : why)};
}

template <class T>
struct Owned {
    T* one;
    ~Owned() {
        if (one->release != nullptr) one->release(one);
    }
};

}  // namespace

Buffers::Buffers(const nb::dict& columns) {
    views_.reserve(columns.size());
    try {
        bool is_first = true;
        for (const auto& [name, values] : columns)
            add(nb::cast<std::string>(name), values, is_first);
    } catch (...) {
        release();
        throw;
    }
}

void Buffers::add(const std::string& name, nb::handle values, bool& is_first) {
    const std::size_t field = field_named(name);
    Py_buffer view{};
    if (PyObject_GetBuffer(values.ptr(), &view, PyBUF_STRIDES | PyBUF_FORMAT) != 0) {
        PyErr_Clear();
        throw OrderError{fmt::format("column '{}' is no array of numbers", name)};
    }
    views_.push_back(view);
    if (view.ndim != 1)
        throw OrderError{
            fmt::format("column '{}' has {} dimensions: it must have one", name, view.ndim)};
    const std::string_view format = view.format == nullptr ? "B" : view.format;
    check_kind(field, kind_of(format, view.itemsize),
               fmt::format("of format '{}' (of Python's struct)", format));
    const auto rows = static_cast<std::size_t>(view.shape[0]);
    if (!is_first && rows != block_.rows)
        throw OrderError{
            fmt::format("column '{}' has {} rows and those before {}", name, rows, block_.rows)};
    is_first = false;
    block_.rows = rows;
    block_.columns[field] = {static_cast<const std::byte*>(view.buf), view.strides[0],
                             *kind_of(format, view.itemsize)};
}

void Buffers::release() {
    for (Py_buffer& view : views_) PyBuffer_Release(&view);
}

Batches::Batches(nb::handle capsule) {
    auto* const stream = static_cast<tables::ArrowArrayStream*>(
        PyCapsule_GetPointer(capsule.ptr(), "arrow_array_stream"));
    if (stream == nullptr) throw nb::python_error{};
    tables::ArrowSchema schema{};
    if (stream->get_schema(stream, &schema) != 0) fail(*stream);
    const Owned<tables::ArrowSchema> owned_schema{&schema};
    if (std::string_view{schema.format} != "+s")
        throw OrderError{"the Arrow stream is not one of tables"};
    std::vector<std::size_t> fields;
    std::vector<Kind> kinds;
    for (std::int64_t i = 0; i < schema.n_children; ++i) {
        const tables::ArrowSchema& child = *schema.children[i];
        fields.push_back(field_named(child.name));
        const std::string_view format = child.format;
        const bool is_time = fields.back() == f_time || fields.back() == f_expire;
        const auto kind = child.dictionary != nullptr             ? std::nullopt
                          : is_time && format.starts_with("tsn:") ? std::optional{Kind::int64}
                                                                  : kind_of(format);
        check_kind(fields.back(), kind, fmt::format("of Arrow's format '{}'", child.format));
        kinds.push_back(*kind);
    }
    for (;;) {
        std::unique_ptr<tables::ArrowArray, Released> array{new tables::ArrowArray{}};
        if (stream->get_next(stream, array.get()) != 0) fail(*stream);
        if (array->release == nullptr) return;
        arrays_.push_back(std::move(array));
        add(*arrays_.back(), fields, kinds);
    }
}

void Batches::add(const tables::ArrowArray& array, const std::vector<std::size_t>& fields,
                  const std::vector<Kind>& kinds) {
    static constexpr std::array<std::ptrdiff_t, 6> k_sizes{1, 2, 4, 8, 8, 8};
    Block& block = blocks_.emplace_back();
    block.rows = static_cast<std::size_t>(array.length);
    if (block.rows == 0) return;
    for (std::size_t i = 0; i < fields.size(); ++i) {
        const tables::ArrowArray& child = *array.children[i];
        if (child.null_count != 0 && has_null(child, array))
            throw OrderError{fmt::format("column '{}' has nulls: give every row a value",
                                         k_specs[fields[i]].name)};
        const std::ptrdiff_t size = k_sizes[static_cast<std::size_t>(kinds[i])];
        block.columns[fields[i]] = {
            static_cast<const std::byte*>(child.buffers[1]) + (child.offset + array.offset) * size,
            size, kinds[i]};
    }
}

}  // namespace damrak::python
