// The module damrak._core: thin bindings of the library. What is friendly is in the package's Python
// files; nothing in the library knows Python.
#include <fmt/core.h>

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

}  // namespace

NB_MODULE(_core, module) {
    using namespace damrak::python;
    const nb::object base = nb::exception<Error>(module, "DamrakError");
    nb::exception<DayError>(module, "DayError", base.ptr());
    nb::exception<IncompleteError>(module, "IncompleteError", base.ptr());
    nb::exception<OrderError>(module, "OrderError", base.ptr());
    nb::exception<InUseError>(module, "InUseError", base.ptr());
    module.def("version", [] { return std::string{damrak::version()}; });
    module.def("library_versions", library_versions);
    module.def("end_calls", end_calls);
    module.def("wait_for", wait_for, nb::arg("step"), nb::arg("progress") = nb::none());
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
