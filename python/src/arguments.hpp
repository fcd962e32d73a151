// Arguments as they come from Python. What does not fit is refused by damrak/_arguments.py, which is
// asked only then, so that every call complains in the same words.
#pragma once

#include <cstdint>
#include <limits>
#include <string_view>

#include <nanobind/nanobind.h>

namespace damrak::python {

constexpr std::int64_t k_most_whole = std::numeric_limits<std::int64_t>::max();

/// What a function of damrak/_arguments.py makes of the value, or raises.
template <class T, class... Terms>
T asked(const char* function, const char* name, nanobind::handle value, const Terms&... terms) {
    return nanobind::cast<T>(
        nanobind::module_::import_("damrak._arguments").attr(function)(name, value, terms...));
}

inline std::int64_t whole(const char* name, nanobind::handle value, std::int64_t least,
                          std::int64_t most = k_most_whole) {
    std::int64_t number = 0;
    if (PyLong_CheckExact(value.ptr()) && nanobind::try_cast(value, number) && number >= least &&
        number <= most)
        return number;
    return asked<std::int64_t>("as_whole", name, value, least, most);
}

inline double number(const char* name, nanobind::handle value) {
    if (PyFloat_CheckExact(value.ptr())) return PyFloat_AsDouble(value.ptr());
    return asked<double>("as_number", name, value);
}

inline bool flag(const char* name, nanobind::handle value) {
    return value.ptr() == Py_True ||
           (value.ptr() != Py_False && asked<bool>("as_flag", name, value));
}

/// Valid as long as the value.
inline std::string_view text(const char* name, nanobind::handle value) {
    Py_ssize_t size = 0;
    const char* const found =
        PyUnicode_Check(value.ptr()) ? PyUnicode_AsUTF8AndSize(value.ptr(), &size) : nullptr;
    if (found != nullptr) return {found, static_cast<std::size_t>(size)};
    PyErr_Clear();
    static_cast<void>(asked<nanobind::object>("as_text", name, value));
    throw nanobind::type_error(name);  // it has complained
}

}  // namespace damrak::python
