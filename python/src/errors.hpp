// What goes wrong, as Python sees it: each becomes the class of that name (core.cpp).
#pragma once

#include <stdexcept>

namespace damrak::python {

/// A file that cannot be read, or something that a day cannot give.
struct DayError : std::runtime_error {
    using std::runtime_error::runtime_error;
};
/// Messages that the answer needs are missing: damaged, or never written.
struct IncompleteError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// A command that cannot be understood: nothing was applied.
struct OrderError : std::runtime_error {
    using std::runtime_error::runtime_error;
};
/// An engine that is used by two at once.
struct InUseError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

}  // namespace damrak::python
