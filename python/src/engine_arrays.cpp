// Orders in columns: a row is a command, and all rows are understood before the first is applied.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "bind.hpp"
#include "engine.hpp"
#include "engine_columns.hpp"
#include "engine_table.hpp"
#include "errors.hpp"
#include "table.hpp"
#include "watch.hpp"

namespace nb = nanobind;

namespace damrak::python {

/// Makes the commands of rows, and applies them.
class Rows {
  public:
    Rows(EngineOfPython& engine, const std::vector<Block>& blocks)
        : engine_(&engine), blocks_(&blocks) {
        for (const InstrumentDefinition& one : *engine.market_) {
            if (one.id) only_ = only_ == 0 ? one.id.value : k_several;
            double scale = 1;
            for (unsigned i = 0; i < one.price_decimals; ++i) scale *= 10;
            std::int64_t billionths = 1;
            for (unsigned i = one.price_decimals; i < 9; ++i) billionths *= 10;
            scales_.push_back({scale, billionths});
        }
    }

    /// Throws what is wrong with the first row that is.
    void check(Watch& watch) const {
        std::int64_t now = engine_->now_;
        std::size_t first = 0;
        for (const Block& block : *blocks_) {
            for (std::size_t row = 0; row < block.rows; ++row) {
                check(block, row, first + row, now);
                if (row % 4'096 == 0) watch.look(first + row);
            }
            first += block.rows;
        }
    }

    void apply(EventTable& table, Watch& watch) {
        EngineOfPython& engine = *engine_;
        std::size_t first = 0;
        std::vector<Command> commands(k_run, Command{});
        for (const Block& block : *blocks_) {
            for (std::size_t begin = 0; begin < block.rows; begin += k_run) {
                const std::size_t count = std::min(k_run, block.rows - begin);
                bool can_expire = false;
                for (std::size_t i = 0; i < count; ++i) {
                    const std::int64_t now = i == 0 ? engine.now_ : commands[i - 1].timestamp.value;
                    make(block, begin + i, now, commands[i]);
                    number(commands[i]);
                    can_expire |= commands[i].time_in_force == TimeInForce::gtd;
                }
                const std::span<const Command> run{commands.data(), count};
                const auto line = static_cast<std::uint32_t>(first + begin);
                if (can_expire || engine.run_->is_led() ||
                    engine.engine().next_expiry() <= run.back().timestamp)
                    apply_one_by_one(run, line, table);
                else
                    apply_queued(run, line, table);
                watch.look(first + begin + count);
            }
            first += block.rows;
        }
    }

  private:
    static constexpr std::uint32_t k_several = std::numeric_limits<std::uint32_t>::max();
    static constexpr std::size_t k_run = 1'024;
    static constexpr auto k_most_id =
        static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
    static constexpr auto k_new = std::to_underlying(CommandKind::new_order);

    /// Beyond, a double is not every whole number.
    static constexpr double k_most_units = 9e15;

    struct Scale {
        double units;             ///< in a whole
        std::int64_t billionths;  ///< in a unit
    };

    /// New, cancel, replace or query: the fields of all others mean something else.
    static bool is_of_orders(std::uint8_t command) { return command - 1U <= 4U && command != 4; }

    void number(Command& command) const {
        std::uint64_t& last = engine_->last_id_;
        if (command.kind == CommandKind::new_order) {
            if (!command.order_id) command.order_id = {last + 1};
            last = std::max(last, command.order_id.value);
        } else if (command.kind == CommandKind::replace_order) {
            if (!command.new_order_id) command.new_order_id = command.order_id;
            last = std::max(last, command.new_order_id.value);
        }
    }

    void apply_one_by_one(std::span<const Command> run, std::uint32_t line, EventTable& table) {
        EngineOfPython& engine = *engine_;
        const EngineOfPython::Telling telling{engine, table};
        for (const Command& command : run) {
            engine.go_on_until(command.timestamp.value);
            engine.line_ = line++;
            engine.apply(command);
        }
        engine.go_on_until(engine.now_);
    }

    void apply_queued(std::span<const Command> run, std::uint32_t line, EventTable& table) {
        engine_->run_->apply_queued(run, [&](std::size_t i, const Slice& slice) {
            for (const Event& event : slice)
                table.add(event, run[i].timestamp.value, line + static_cast<std::uint32_t>(i));
        });
        engine_->now_ = run.back().timestamp.value;
    }

    template <class T>
    static T value(const Block& block, Field field, std::size_t row, T preset) {
        const Values& values = block.columns[field];
        return values.data == nullptr ? preset : values.at<T>(row);
    }

    [[noreturn]] static void refuse(std::size_t row, std::string_view what) {
        throw OrderError{fmt::format("row {}: {}", row, what)};
    }

    /// `at` is the number of the row among all.
    void check(const Block& block, std::size_t row, std::size_t at, std::int64_t& now) const {
        const auto time = value<std::int64_t>(block, f_time, row, now);
        if (time < now) [[unlikely]]
            refuse(at, fmt::format("time does not go back: {} is before {}", time, now));
        if (time > EngineOfPython::k_latest_time) [[unlikely]]
            refuse(at, fmt::format("time {} is after the year 2255", time));
        now = time;
        const auto command = value<std::uint8_t>(block, f_command, row, k_new);
        if (!is_of_orders(command)) [[unlikely]]
            refuse(at, fmt::format("command {} is none of 1 (new), 2 (cancel), 3 (replace) and 5 "
                                   "(query)",
                                   command));
        const auto instrument = value<std::uint32_t>(block, f_instrument, row, only_);
        const std::uint32_t place = instrument - 1;
        if (place >= scales_.size() || !(*engine_->market_)[place].id) [[unlikely]]
            refuse_instrument(at, instrument);
        check_word<Side>(block, f_side, row, at, "0 (buy) or 1 (sell)");
        check_word<OrderType>(block, f_type, row, at,
                              "0 (limit), 1 (market), 2 (stop) or 3 (stop_limit)");
        check_word<TimeInForce>(block, f_tif, row, at, "from 0 (day) to 7 (at_auction)");
        check_word<SelfTradePrevention>(block, f_self_trade, row, at,
                                        "from 0 (none) to 5 (skip_own)");
        check_word<PegReference>(block, f_peg, row, at, "from 0 (none) to 3 (midpoint)");
        check_word<Contingency>(
            block, f_link, row, at,
            "0 (none), 1 (one cancels the other) or 2 (one triggers the other)");
        for (const Field field : {f_order, f_new_order, f_client_id})
            if (value<std::uint64_t>(block, field, row, 0) > k_most_id) [[unlikely]]
                refuse(at, fmt::format("{} is above {}", k_specs[field].name, k_most_id));
        for (const Field field : {f_price, f_stop, f_offset})
            if (block.columns[field].data != nullptr) check_price(block, field, row, at, place);
    }

    template <class Enum>
    static void check_word(const Block& block, Field field, std::size_t row, std::size_t at,
                           std::string_view allowed) {
        const auto given = value<std::uint8_t>(block, field, row, 0);
        if (!is_valid(static_cast<Enum>(given))) [[unlikely]]
            refuse(at, fmt::format("{} is {}: it must be {}", k_specs[field].name, given, allowed));
    }

    void check_price(const Block& block, Field field, std::size_t row, std::size_t at,
                     std::uint32_t place) const {
        const Values& values = block.columns[field];
        const InstrumentDefinition& in = (*engine_->market_)[place];
        const Scale& scale = scales_[place];
        if (values.kind == Kind::int64) {
            const auto billionths = values.at<std::int64_t>(row);
            if (billionths % scale.billionths != 0) [[unlikely]]
                refuse_decimals(at, field, static_cast<double>(billionths) / 1e9, in);
        } else {
            const auto given = values.at<double>(row);
            const double exact = given * scale.units;
            if (!(std::abs(exact) < k_most_units)) [[unlikely]]
                refuse(at, fmt::format("{} is {}: give a price of {}", k_specs[field].name, given,
                                       in.symbol.view()));
            if (std::abs(exact - std::nearbyint(exact)) >
                1e-12 * std::max(scale.units, std::abs(exact))) [[unlikely]]
                refuse_decimals(at, field, given, in);
        }
        if (field == f_offset) return;
        const Price units = price(block, field, row, place);
        if (!in.on_tick(units) && in.in_range(units)) [[unlikely]]
            refuse_tick(at, field, units, in);
    }

    /// Of a row that was checked. Whatever changes meanwhile, the engine checks again.
    void make(const Block& block, std::size_t row, std::int64_t now, Command& command) const {
        command = Command{};
        command.timestamp = {std::max(now, value<std::int64_t>(block, f_time, row, now))};
        command.kind = static_cast<CommandKind>(value<std::uint8_t>(block, f_command, row, k_new));
        if (!is_of_orders(std::to_underlying(command.kind))) [[unlikely]]
            command.kind = CommandKind::query_order;
        command.instrument = {value<std::uint32_t>(block, f_instrument, row, only_)};
        const std::uint32_t place =
            std::min(command.instrument.value - 1, static_cast<std::uint32_t>(scales_.size()) - 1);
        command.participant = {value<std::uint32_t>(block, f_participant, row, 1)};
        command.side = static_cast<Side>(value<std::uint8_t>(block, f_side, row, 0));
        command.order_type = static_cast<OrderType>(value<std::uint8_t>(block, f_type, row, 0));
        command.time_in_force = static_cast<TimeInForce>(value<std::uint8_t>(block, f_tif, row, 0));
        command.self_trade_prevention =
            static_cast<SelfTradePrevention>(value<std::uint8_t>(block, f_self_trade, row, 0));
        command.flags = value<std::uint16_t>(block, f_flags, row, 0);
        command.quantity = {value<std::int64_t>(block, f_quantity, row, 0)};
        command.order_id = {value<std::uint64_t>(block, f_order, row, 0)};
        command.new_order_id = {value<std::uint64_t>(block, f_new_order, row, 0)};
        command.client_order_id = {value<std::uint64_t>(block, f_client_id, row, 0)};
        command.price = price(block, f_price, row, place);
        command.order.stop_price = price(block, f_stop, row, place);
        command.order.offset = price(block, f_offset, row, place);
        command.order.display_quantity = {value<std::int64_t>(block, f_display, row, 0)};
        command.order.minimum_quantity = {value<std::int64_t>(block, f_minimum, row, 0)};
        command.order.expire_time = {value<std::int64_t>(block, f_expire, row, 0)};
        command.order.peg = static_cast<PegReference>(value<std::uint8_t>(block, f_peg, row, 0));
        command.order.contingency =
            static_cast<Contingency>(value<std::uint8_t>(block, f_link, row, 0));
    }

    [[nodiscard]] Price price(const Block& block, Field field, std::size_t row,
                              std::uint32_t place) const {
        const Values& values = block.columns[field];
        if (values.data == nullptr) return {};
        const Scale& scale = scales_[place];
        if (values.kind == Kind::int64)
            return {scale.billionths == 1 ? values.at<std::int64_t>(row)
                                          : values.at<std::int64_t>(row) / scale.billionths};
        const double exact = values.at<double>(row) * scale.units;
        return {std::abs(exact) < k_most_units ? std::llrint(exact) : 0};
    }

    [[noreturn]] void refuse_instrument(std::size_t row, std::uint32_t id) const {
        if (id == k_several)
            refuse(row,
                   "there are several instruments: give a column 'instrument' of uint32, the "
                   "place in Engine.symbols, from 1");
        refuse(row, fmt::format("there is no instrument {}: it is the place in Engine.symbols, "
                                "from 1, and there are {}",
                                id, scales_.size()));
    }
    [[noreturn]] static void refuse_decimals(std::size_t row, Field field, double given,
                                             const InstrumentDefinition& in) {
        refuse(row, fmt::format("{} {} has more than the {} decimals of {}", k_specs[field].name,
                                given, in.price_decimals, in.symbol.view()));
    }
    [[noreturn]] void refuse_tick(std::size_t row, Field field, Price price,
                                  const InstrumentDefinition& in) const {
        const double units = scales_[in.id.value - 1].units;
        const auto text = [&](Price one) { return static_cast<double>(one.value) / units; };
        refuse(row, fmt::format("{} {} of {} is off the tick, which is {} there: take {} or {}",
                                k_specs[field].name, text(price), in.symbol.view(),
                                text(in.tick_size_at(price)), text(in.next_price_below(price)),
                                text(in.next_price_above(price))));
    }

    EngineOfPython* engine_;
    const std::vector<Block>* blocks_;
    std::uint32_t only_ = 0;
    std::vector<Scale> scales_;
};

namespace {

void check_columns(const Block& block) {
    if (block.columns[f_quantity].data == nullptr && block.columns[f_command].data == nullptr)
        throw OrderError{"there is no column 'quantity'"};
}

TableOfPython submit_blocks(EngineOfPython& engine, const std::vector<Block>& blocks,
                            bool has_exact_prices) {
    std::size_t rows = 0;
    for (const Block& block : blocks) {
        if (block.rows > 0) check_columns(block);
        rows += block.rows;
    }
    if (rows >= k_no_line) throw OrderError{"there are too many rows: at most 4,294,967,294"};
    Watch watch{nb::none()};
    const Unlocked unlocked;
    Rows all{engine, blocks};
    all.check(watch);
    EventTable table{*engine.market(), has_exact_prices};
    table.reserve(rows * 3);  // most give one or two, and what is not used costs nothing
    all.apply(table, watch);
    return {table.finish(engine.zone()), {}};
}

TableOfPython submit_columns(EngineOfPython& engine, const nb::dict& columns,
                             bool has_exact_prices) {
    const EngineOfPython::Use use{engine};
    const Buffers buffers{columns};
    return submit_blocks(engine, {buffers.block()}, has_exact_prices);
}

TableOfPython submit_stream(EngineOfPython& engine, const nb::object& capsule,
                            bool has_exact_prices) {
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
                       "has_exact_prices: bool) -> Table"));
    module.def("submit_stream", submit_stream, nb::arg("engine"), nb::arg("stream"),
               nb::arg("has_exact_prices"));
}

}  // namespace damrak::python
