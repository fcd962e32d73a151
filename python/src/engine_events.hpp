// Events and books of an engine as Python objects.
#pragma once

#include <cstddef>
#include <string_view>

#include <nanobind/nanobind.h>

#include "engine.hpp"

namespace damrak::python {

void bind_events(nanobind::module_& module);

/// As a dictionary: phase, prices of the band, levels, and in a call what its auction would be.
[[nodiscard]] nanobind::dict book_of(EngineOfPython& engine, std::string_view symbol,
                                     std::size_t levels);

}  // namespace damrak::python
