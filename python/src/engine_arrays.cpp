// Orders in columns: a row is a command, and all rows are understood before the first is applied.
#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "bind.hpp"
#include "engine.hpp"
#include "engine_columns.hpp"
#include "engine_rows.hpp"
#include "engine_table.hpp"
#include "errors.hpp"
#include "event_rows.hpp"
#include "watch.hpp"

namespace nb = nanobind;

namespace damrak::python {

/// Applies rows that were checked.
class OrdersInRows {
  public:
    OrdersInRows(EngineOfPython& engine, const Rows& rows, EventTable& table)
        : engine_(&engine), rows_(&rows), table_(&table), commands_(k_run, rows.preset()) {}

    void apply(const std::vector<Block>& blocks, Watch& watch) {
        std::uint32_t line = 0;
        for (const Block& block : blocks) {
            for (std::size_t begin = 0; begin < block.rows; begin += k_run) {
                const std::size_t count = std::min(k_run, block.rows - begin);
                apply_run(block, begin, std::span{commands_}.first(count), line);
                line += static_cast<std::uint32_t>(count);
                watch.look(line);
            }
        }
    }

  private:
    static constexpr std::size_t k_run = 128;  ///< their commands stay in the first-level cache

    void apply_run(const Block& block, std::size_t first, std::span<Command> run,
                   std::uint32_t line) {
        rows_->make(block, first, engine_->now_, run);
        const bool has_ids = block.columns[f_order].data != nullptr;
        const bool has_new_ids = block.columns[f_new_order].data != nullptr;
        std::uint64_t last = engine_->last_id_;
        bool can_expire = false;
        for (Command& command : run) {
            if (!has_ids) command.order_id = {};
            if (!has_new_ids) command.new_order_id = {};
            last = number(command, last);
            can_expire |= command.time_in_force == TimeInForce::gtd;
        }
        engine_->last_id_ = last;
        if (can_expire || engine_->run_->is_led() ||
            engine_->engine().next_expiry() <= run.back().timestamp)
            apply_one_by_one(run, line);
        else
            apply_queued(run, line);
    }

    /// Gives the highest order id so far.
    static std::uint64_t number(Command& command, std::uint64_t last) {
        if (command.kind == CommandKind::new_order) {
            if (!command.order_id) command.order_id = {last + 1};
            return std::max(last, command.order_id.value);
        }
        if (command.kind != CommandKind::replace_order) return last;
        if (!command.new_order_id) command.new_order_id = command.order_id;
        return std::max(last, command.new_order_id.value);
    }

    void apply_one_by_one(std::span<const Command> run, std::uint32_t line) {
        EngineOfPython& engine = *engine_;
        const EngineOfPython::Telling telling{engine, *table_};
        for (const Command& command : run) {
            engine.go_on_until(command.timestamp.value);
            engine.line_ = line++;
            engine.apply(command);
        }
        engine.go_on_until(engine.now_);
    }

    void apply_queued(std::span<const Command> run, std::uint32_t line) {
        engine_->run_->apply_queued(run, [&](std::size_t i, const Slice& slice) {
            table_->add(slice.events(), run[i].timestamp.value,
                        line + static_cast<std::uint32_t>(i));
        });
        engine_->now_ = run.back().timestamp.value;
    }

    EngineOfPython* engine_;
    const Rows* rows_;
    EventTable* table_;
    std::vector<Command> commands_;
};

namespace {

void check_columns(const Block& block) {
    if (block.columns[f_quantity].data == nullptr && block.columns[f_command].data == nullptr)
        throw OrderError{"there is no column 'quantity'"};
}

EventRows* submit_blocks(EngineOfPython& engine, const std::vector<Block>& blocks,
                         bool has_exact_prices) {
    std::size_t count = 0;
    for (const Block& block : blocks) {
        if (block.rows > 0) check_columns(block);
        count += block.rows;
    }
    if (count >= k_no_line) throw OrderError{"there are too many rows: at most 4,294,967,294"};
    Watch watch{nb::none()};
    const Unlocked unlocked;
    const std::shared_ptr<const Market> market = engine.market();
    const Rows rows{*market, blocks};
    rows.check(engine.now(), watch);
    EventTable table{*market, engine.zone(), has_exact_prices, count};
    OrdersInRows{engine, rows, table}.apply(blocks, watch);
    return new EventRows{std::move(table)};
}

EventRows* submit_columns(EngineOfPython& engine, const nb::dict& columns, bool has_exact_prices) {
    const EngineOfPython::Use use{engine};
    const Buffers buffers{columns};
    return submit_blocks(engine, {buffers.block()}, has_exact_prices);
}

EventRows* submit_stream(EngineOfPython& engine, const nb::object& capsule, bool has_exact_prices) {
    const EngineOfPython::Use use{engine};
    const Batches batches{capsule};
    return submit_blocks(engine, batches.blocks(), has_exact_prices);
}

/// Name, type and whether it may also be int64 in billionths.
std::vector<std::tuple<std::string, std::string, bool>> order_columns() {
    std::vector<std::tuple<std::string, std::string, bool>> columns;
    for (const Spec& spec : k_specs)
        columns.emplace_back(spec.name, k_kind_names[static_cast<std::size_t>(spec.kind)],
                             spec.is_price);
    return columns;
}

}  // namespace

void bind_engine_arrays(nb::module_& module) {
    module.def("order_columns", order_columns);
    module.def("submit_columns", submit_columns, nb::arg("engine"), nb::arg("columns"),
               nb::arg("has_exact_prices"),
               nb::sig("def submit_columns(engine: Engine, columns: dict[str, typing.Any], "
                       "has_exact_prices: bool) -> EventRows"));
    module.def("submit_stream", submit_stream, nb::arg("engine"), nb::arg("stream"),
               nb::arg("has_exact_prices"));
}

}  // namespace damrak::python
