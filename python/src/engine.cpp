// The engine, prepared commands and events as Python sees them.
#include "engine.hpp"

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <limits>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <nanobind/nanobind.h>
#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <damrak/domain/kind_names.hpp>
#include <damrak/domain/reason.hpp>
#include <damrak/script/script_run.hpp>
#include <damrak/venue/ready_made.hpp>
#include <damrak/venue/venue_file.hpp>

#include "bind.hpp"
#include "engine_events.hpp"
#include "errors.hpp"
#include "watch.hpp"

namespace nb = nanobind;

namespace damrak::python {

namespace {

void make_engine(EngineOfPython* self, const std::optional<std::filesystem::path>& venue,
                 std::int64_t day, std::int64_t after_midnight_ns, std::uint64_t seed,
                 std::uint32_t instruments, std::uint32_t participants, std::uint32_t orders) {
    EngineOptions options{.config = script::script_config(), .venue = nullptr, .seed = seed};
    options.config.maximum_instruments = instruments;
    options.config.maximum_participants = participants;
    options.config.maximum_orders = orders;
    options.config.maximum_extensions = orders;
    options.config.maximum_levels = orders;
    options.config.maximum_ladder_nodes = orders;
    options.config.maximum_accounts = orders;
    if (venue) {
        auto found = venue::find_venue(venue->string());
        if (!found) throw OrderError{found.error()};
        options.venue = std::make_shared<const venue::Venue>(*std::move(found));
    }
    const auto days = LocalDays::make(options.venue ? options.venue->zone : "UTC");
    if (!days) throw OrderError{days.error()};
    options.now = days->at(day, after_midnight_ns);
    new (self) EngineOfPython(options);
}

std::int64_t time_of(EngineOfPython& engine, nb::handle time) {
    std::int64_t ns = 0;
    if (PyLong_CheckExact(time.ptr()) && nb::try_cast(time, ns)) return ns;
    return nb::cast<std::int64_t>(
        nb::module_::import_("damrak._engine").attr("ns_of")(nb::find(engine), time));
}

const Prepared& prepared_of(EngineOfPython& engine, nb::handle order, nb::object& keep) {
    const Prepared* prepared = nullptr;
    if (nb::try_cast(order, prepared) && prepared != nullptr) return *prepared;
    // Looked up once. It lives as long as the process.
    static const nb::handle prepared_of_object =
        nb::object(nb::module_::import_("damrak._engine").attr("prepared_of")).release();
    keep = prepared_of_object(nb::find(engine), order);
    return *nb::cast<const Prepared*>(keep);
}

nb::object submit(EngineOfPython& engine, nb::handle order, nb::handle time) {
    nb::object keep;
    const Prepared& prepared = prepared_of(engine, order, keep);
    const bool has_time = !time.is_none();
    const std::int64_t ns = has_time ? time_of(engine, time) : 0;
    const EngineOfPython::Use use{engine};
    auto [object, events] = engine.next_events();
    engine.submit(prepared, has_time ? ns : engine.now(), *events);
    return std::move(object);
}

/// A whole number that fits, and no bool.
template <class T>
bool read(nb::handle value, T& to) {
    return PyLong_CheckExact(value.ptr()) && nb::try_cast(value, to);
}

/// Empty: it is no text.
std::string_view text_of(nb::handle value) {
    Py_ssize_t size = 0;
    const char* const text =
        PyUnicode_Check(value.ptr()) ? PyUnicode_AsUTF8AndSize(value.ptr(), &size) : nullptr;
    if (text != nullptr) return {text, static_cast<std::size_t>(size)};
    PyErr_Clear();
    return {};
}

template <class Enum>
bool read_word(nb::handle value, Enum& to) {
    const std::string_view word = text_of(value);
    for (unsigned i = 0; is_valid(static_cast<Enum>(i)); ++i)
        if (name(static_cast<Enum>(i)) == word) {
            to = static_cast<Enum>(i);
            return true;
        }
    return false;
}

bool read_price(nb::handle value, const InstrumentDefinition& in, Price& to) {
    double price = 0;
    std::int64_t whole = 0;
    if (PyFloat_Check(value.ptr()))
        price = PyFloat_AsDouble(value.ptr());
    else if (read(value, whole) && std::abs(whole) < 1'000'000'000)
        price = static_cast<double>(whole);
    else
        return false;
    const auto units = EngineOfPython::units_of(price, in);
    if (units) to = *units;
    return units.has_value();
}

// The usual orders without the detour of a line of text. Nothing: it is not so plain or has a mistake,
// which that way finds.

std::optional<Prepared> prepare_order(EngineOfPython& engine, nb::handle symbol, nb::handle side,
                                      nb::handle quantity, nb::handle price, nb::handle participant,
                                      nb::handle tif, nb::handle id, nb::handle client_id,
                                      nb::handle display, nb::handle minimum, nb::handle self_trade,
                                      std::uint16_t flags) {
    const EngineOfPython::Use use{engine};
    const InstrumentDefinition* const in = engine.find_quietly(text_of(symbol));
    if (in == nullptr) return {};
    Prepared prepared{.command = {}, .engine = engine.serial(), .has_next_id = id.is_none()};
    Command& command = prepared.command;
    command.kind = CommandKind::new_order;
    command.order_type = price.is_none() ? OrderType::market : OrderType::limit;
    command.instrument = in->id;
    command.flags = flags;
    const bool is_plain =
        read_word(side, command.side) && read_word(tif, command.time_in_force) &&
        read_word(self_trade, command.self_trade_prevention) &&
        read(quantity, command.quantity.value) &&
        (price.is_none() || read_price(price, *in, command.price)) &&
        read(participant, command.participant.value) && command.participant &&
        (id.is_none() || (read(id, command.order_id.value) && command.order_id)) &&
        read(client_id, command.client_order_id.value) &&
        read(display, command.order.display_quantity.value) &&
        read(minimum, command.order.minimum_quantity.value);
    constexpr auto k_most = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
    if (!is_plain || command.order.display_quantity < Quantity{} ||
        command.order.minimum_quantity < Quantity{} || command.client_order_id.value > k_most ||
        command.order_id.value > k_most)
        return {};
    return prepared;
}

std::optional<Prepared> prepare_change(EngineOfPython& engine, bool replaces, nb::handle symbol,
                                       nb::handle id, nb::handle new_id, nb::handle quantity,
                                       nb::handle price, nb::handle participant,
                                       std::uint16_t flags) {
    const EngineOfPython::Use use{engine};
    const InstrumentDefinition* const in = engine.find_quietly(text_of(symbol));
    if (in == nullptr) return {};
    Prepared prepared{.command = {}, .engine = engine.serial()};
    Command& command = prepared.command;
    command.kind = replaces ? CommandKind::replace_order : CommandKind::cancel_order;
    command.instrument = in->id;
    command.flags = flags;
    if (!read(id, command.order_id.value) || !command.order_id ||
        !read(quantity, command.quantity.value) || !read(participant, command.participant.value) ||
        !command.participant)
        return {};
    if (!replaces) return command.quantity < Quantity{} ? std::nullopt : std::optional{prepared};
    command.new_order_id = command.order_id;
    if ((!new_id.is_none() &&
         (!read(new_id, command.new_order_id.value) || !command.new_order_id)) ||
        (!price.is_none() && !read_price(price, *in, command.price)))
        return {};
    return prepared;
}

Events advance(EngineOfPython& engine, nb::handle time) {
    if (time.is_none()) throw nb::type_error("advance needs a time");
    const std::int64_t ns = time_of(engine, time);
    Events events;
    const EngineOfPython::Use use{engine};
    Watch watch{nb::none()};
    const Unlocked unlocked;
    engine.advance(ns, events, [&](std::uint64_t done) { watch.look(done); });
    return events;
}

Events run(EngineOfPython& engine, const std::string& script, const std::string& where) {
    Events events;
    const EngineOfPython::Use use{engine};
    Watch watch{nb::none()};
    const Unlocked unlocked;
    engine.run(script, where, events, [&](std::uint64_t done) { watch.look(done); });
    return events;
}

Prepared prepare(EngineOfPython& engine, const std::string& what, const std::string& line,
                 const std::optional<std::string>& symbol, bool has_next_id, bool has_next_ask_id,
                 std::int64_t expires) {
    const EngineOfPython::Use use{engine};
    if (symbol) static_cast<void>(engine.find(*symbol));  // its message is that of an object
    Prepared prepared = engine.prepare(what, line);
    prepared.has_next_id = has_next_id;
    prepared.has_next_ask_id = has_next_ask_id;
    if (expires != 0) prepared.command.order.expire_time = {expires};
    return prepared;
}

std::int64_t engine_at(EngineOfPython& engine, std::int64_t after_midnight_ns) {
    const EngineOfPython::Use use{engine};
    return engine.at(after_midnight_ns);
}

nb::bytes save(EngineOfPython& engine) {
    const EngineOfPython::Use use{engine};
    const std::vector<std::byte> bytes = engine.save();
    return nb::bytes(bytes.data(), bytes.size());
}

void load(EngineOfPython& engine, const nb::bytes& bytes) {
    const EngineOfPython::Use use{engine};
    engine.load({static_cast<const std::byte*>(bytes.data()), bytes.size()});
}

std::vector<std::string> venue_names() {
    std::vector<std::string> names;
    for (const venue::ReadyMade& one : venue::ready_made()) names.emplace_back(one.name);
    return names;
}

std::string reason_text(const std::string& name_of_reason) {
    for (unsigned i = 0; i < 256; ++i)
        if (name(static_cast<Reason>(i)) == name_of_reason)
            return std::string{text(static_cast<Reason>(i))};
    return {};
}

}  // namespace

void bind_engine(nb::module_& module) {
    nb::class_<Prepared>(module, "Prepared", "A command that is ready for its engine; immutable.");
    bind_events(module);
    module.def("venue_names", venue_names);
    module.def("reason_text", reason_text, nb::arg("reason"));
    nb::class_<EngineOfPython>(module, "Engine", "See damrak.Engine.")
        .def("__init__", make_engine, nb::arg("venue").none(), nb::arg("day"),
             nb::arg("after_midnight_ns"), nb::arg("seed"), nb::arg("instruments"),
             nb::arg("participants"), nb::arg("orders"),
             nb::sig("def __init__(self, venue: str | None, day: int, after_midnight_ns: int, "
                     "seed: int, instruments: int, participants: int, orders: int) -> None"))
        .def("submit", submit, nb::arg("order").none() = nb::none(),
             nb::arg("time").none() = nb::none(),
             nb::sig("def submit(self, order: typing.Any, time: typing.Any = None) -> typing.Any"))
        .def("advance", advance, nb::arg("time").none() = nb::none(),
             nb::sig("def advance(self, time: typing.Any) -> typing.Any"))
        .def_prop_ro(
            "time",
            [](EngineOfPython& engine) {
                const EngineOfPython::Use use{engine};
                return engine.now();
            },
            "The time of the last command, in nanoseconds since 1970-01-01 UTC.")
        .def_prop_ro("zone", &EngineOfPython::zone,
                     "The zone of times of day, a name of the tz database.")
        .def_prop_ro(
            "symbols",
            [](EngineOfPython& engine) {
                const EngineOfPython::Use use{engine};
                std::vector<std::string> symbols;
                for (const InstrumentDefinition& one : *engine.market())
                    if (one.id) symbols.emplace_back(one.symbol.view());
                return symbols;
            },
            "The symbols of the instruments, by their numbers.")
        .def_prop_ro(
            "state_hash",
            [](EngineOfPython& engine) {
                const EngineOfPython::Use use{engine};
                return engine.engine().state_hash();
            },
            "A digest of all state on which later events depend: equal after equal commands, on "
            "every machine.");
    // The package gives these their friendly form.
    module.def("engine_run", run, nb::arg("engine"), nb::arg("script"), nb::arg("where"));
    module.def("engine_prepare", prepare, nb::arg("engine"), nb::arg("what"), nb::arg("line"),
               nb::arg("symbol").none(), nb::arg("has_next_id"), nb::arg("has_next_ask_id"),
               nb::arg("expires"));
    module.def("engine_prepare_order", prepare_order, nb::arg("engine"), nb::arg("symbol").none(),
               nb::arg("side").none(), nb::arg("quantity").none(), nb::arg("price").none(),
               nb::arg("participant").none(), nb::arg("tif").none(), nb::arg("id").none(),
               nb::arg("client_id").none(), nb::arg("display").none(), nb::arg("minimum").none(),
               nb::arg("self_trade").none(), nb::arg("flags"));
    module.def("engine_prepare_change", prepare_change, nb::arg("engine"), nb::arg("replaces"),
               nb::arg("symbol").none(), nb::arg("id").none(), nb::arg("new_id").none(),
               nb::arg("quantity").none(), nb::arg("price").none(), nb::arg("participant").none(),
               nb::arg("flags"));
    module.def(
        "engine_book", book_of, nb::arg("engine"), nb::arg("symbol"), nb::arg("levels"),
        nb::sig(
            "def engine_book(engine: Engine, symbol: str, levels: int) -> dict[str, typing.Any]"));
    module.def("engine_at", engine_at, nb::arg("engine"), nb::arg("after_midnight_ns"));
    module.def("engine_save", save, nb::arg("engine"));
    module.def("engine_load", load, nb::arg("engine"), nb::arg("data"));
}

}  // namespace damrak::python
