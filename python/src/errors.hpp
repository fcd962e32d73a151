// What goes wrong, as Python sees it: each becomes the class of that name (core.cpp).
#pragma once

#include <stdexcept>

namespace damrak::python {

/// The base of the others.
struct Error : std::runtime_error {
    using std::runtime_error::runtime_error;
};
/// A file that cannot be read, or something that a day cannot give.
struct DayError : Error {
    using Error::Error;
};
/// Messages that the answer needs are missing: damaged, or never written.
struct IncompleteError : Error {
    using Error::Error;
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
