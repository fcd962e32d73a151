#include "event_rows.hpp"

#include <string_view>

#include <nanobind/stl/string_view.h>

#include "bind.hpp"
#include "errors.hpp"
#include "watch.hpp"

namespace nb = nanobind;

namespace damrak::python {

namespace {

/// True for its lifetime.
class Marked {
  public:
    explicit Marked(bool& mark) : mark_(&mark) { *mark_ = true; }
    ~Marked() { *mark_ = false; }
    Marked(const Marked&) = delete;
    Marked& operator=(const Marked&) = delete;

  private:
    bool* mark_;
};

/// What a Table has, of which only the rows need the columns to be made.
nb::object attribute_of(EventRows& of, std::string_view name) {
    const bool is_of_rows = name == "values" || name == "nulls" || name == "__arrow_c_stream__";
    return nb::getattr(nb::cast(is_of_rows ? of.table() : of.head()),
                       nb::str(name.data(), name.size()));
}

}  // namespace

const TableOfPython& EventRows::table() {
    Watch watch{nb::none()};
    const Unlocked unlocked;
    const std::lock_guard lock{mutex_};
    // By a signal handler, which has interrupted the making.
    if (is_making_) throw InUseError{"these events are being read: read them after that"};
    if (!table_) {
        const Marked making{is_making_};
        table_.emplace(events_->finish(watch), archive::Completeness{});
        events_.reset();
    }
    return *table_;
}

void bind_event_rows(nb::module_& module) {
    nb::class_<EventRows>(module, "EventRows", "A Table that is made when it is first read.")
        .def("__len__", &EventRows::size)
        .def("__getattr__", attribute_of, nb::arg("name"),
             nb::sig("def __getattr__(self, name: str) -> typing.Any"));
}

}  // namespace damrak::python
