// The module damrak._core: thin bindings of the library. What is friendly is in the package's Python
// files; nothing in the library knows Python.
#include <fmt/core.h>

#include <exception>
#include <map>
#include <string>

#include <nanobind/nanobind.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/string.h>
#include <openssl/crypto.h>
#include <zlib.h>
#include <zstd.h>

#include <damrak/base/version.hpp>

#include "bind.hpp"
#include "errors.hpp"
#include "watch.hpp"

namespace nb = nanobind;

namespace {

/// Of what the package may carry copies of.
std::map<std::string, std::string> library_versions() {
    return {{"fmt", fmt::format("{}.{}.{}", FMT_VERSION / 10'000, FMT_VERSION / 100 % 100,
                                FMT_VERSION % 100)},
            {"openssl", OpenSSL_version(OPENSSL_VERSION_STRING)},
            {"zlib", zlibVersion()},
            {"zstd", ZSTD_versionString()}};
}

/// Later versions refuse other interpreters by themselves.
bool is_main_interpreter() {
#ifdef Py_LIMITED_API
    return true;
#else
    return PyInterpreterState_Get() == PyInterpreterState_Main();
#endif
}

/// Its message may have the name of a file that is no UTF-8: it comes as os.fsdecode has it.
template <class E>
nb::object add_error(nb::module_& module, const char* name, nb::handle base) {
    nb::object type = nb::exception<E>(module, name, base);
    nb::register_exception_translator(
        [](const std::exception_ptr& thrown, void* type_of) {
            try {
                std::rethrow_exception(thrown);
            } catch (const E& error) {
                const nb::object text = nb::steal(PyUnicode_DecodeFSDefault(error.what()));
                PyErr_SetObject(static_cast<PyObject*>(type_of), text.ptr());
            }
        },
        type.ptr());
    return type;
}

}  // namespace

NB_MODULE(_core, module) {
    using namespace damrak::python;
    const nb::object base = add_error<Error>(module, "DamrakError", PyExc_Exception);
    add_error<DayError>(module, "DayError", base);
    add_error<IncompleteError>(module, "IncompleteError", base);
    add_error<OrderError>(module, "OrderError", base);
    add_error<InUseError>(module, "InUseError", base);
    // Whatever lives in a daemon thread is there at exit, and no fault of the program's.
    nb::set_leak_warnings(false);
    module.def("tell_leaks", [] { nb::set_leak_warnings(true); });
    module.def("version", [] { return std::string{damrak::version()}; });
    module.def("library_versions", library_versions);
    module.def("end_calls", end_calls);
    module.def("wait_for", wait_for, nb::arg("step"), nb::arg("progress") = nb::none(),
               nb::sig("def wait_for(step: typing.Callable[[], int | None], "
                       "progress: typing.Any = None) -> None"));
    module.def("is_main_interpreter", is_main_interpreter);
    bind_tables(module);
    bind_days(module);
    bind_day_reader(module);
    bind_engine(module);
    bind_event_rows(module);
    bind_engine_arrays(module);
    bind_feed(module);
    bind_order_client(module);
    bind_market_orders(module);
    bind_market_access(module);
    bind_markets(module);
    bind_comparisons(module);
}
