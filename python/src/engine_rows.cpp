#include "engine_rows.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <type_traits>
#include <utility>

#include <fmt/format.h>

#include "errors.hpp"

namespace damrak::python {

namespace {

constexpr std::size_t k_stretch = 1'024;
constexpr auto k_most_id = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
constexpr auto k_new = std::to_underlying(CommandKind::new_order);

/// Beyond, a double is not every whole number.
constexpr double k_most_units = 9e15;

/// New, cancel, replace or query: the fields of all others mean something else.
bool is_of_orders(std::uint8_t command) { return command - 1U <= 4U && command != 4; }

bool is_there(const Block& block, Field field) { return block.columns[field].data != nullptr; }

template <class T>
T value(const Block& block, Field field, std::size_t row, T preset) {
    return is_there(block, field) ? block.columns[field].at<T>(row) : preset;
}

/// `f(i, value)` for the values from `first` on. Those that lie together are a loop of their own,
/// which becomes vector instructions.
template <class T>
void each(const Values& values, std::size_t first, std::size_t count, const auto& f) {
    const std::byte* at = values.data + static_cast<std::ptrdiff_t>(first) * values.stride;
    const auto load = [](const std::byte* from) {
        T one;
        std::memcpy(&one, from, sizeof one);
        return one;
    };
    if (values.stride == sizeof(T))
        for (std::size_t i = 0; i < count; ++i) f(i, load(at + i * sizeof(T)));
    else
#pragma GCC unroll 8
        for (std::size_t i = 0; i < count; ++i, at += values.stride) f(i, load(at));
}

/// The same of a column that is there.
template <class T>
void each_of(const Block& block, Field field, std::size_t first, std::size_t count, const auto& f) {
    if (is_there(block, field)) each<T>(block.columns[field], first, count, f);
}

/// How far a price may be from a whole number of units: the noise of arithmetic.
double noise_of(double exact, double units) { return 1e-12 * std::max(units, std::abs(exact)); }

Price units_of(double exact) {
    // std::llrint is a call.
    return {std::abs(exact) < k_most_units ? static_cast<std::int64_t>(std::nearbyint(exact)) : 0};
}

/// What a column has for a field of a command.
template <class Value>
struct Raw {
    using Type = decltype(Value::value);
};
template <class Value>
    requires std::is_enum_v<Value> || std::is_arithmetic_v<Value>
struct Raw<Value> {
    using Type = std::make_unsigned_t<Value>;
};
template <class Value>
using RawOf = Raw<Value>::Type;

[[noreturn]] void refuse(std::size_t row, std::string_view what) {
    throw OrderError{fmt::format("row {}: {}", row, what)};
}

[[noreturn]] void refuse_decimals(std::size_t row, Field field, double given,
                                  const InstrumentDefinition& in) {
    refuse(row, fmt::format("{} {} has more than the {} decimals of {}", k_specs[field].name, given,
                            in.price_decimals, in.symbol.view()));
}

template <class Enum>
void check_word(const Block& block, Field field, std::size_t row, std::size_t at,
                std::string_view allowed) {
    const auto given = value<std::uint8_t>(block, field, row, 0);
    if (!is_valid(static_cast<Enum>(given)))
        refuse(at, fmt::format("{} is {}: it must be {}", k_specs[field].name, given, allowed));
}

template <class Enum>
bool has_plain_words(const Block& block, Field field, std::size_t first, std::size_t count) {
    std::uint8_t most = 0;
    each_of<std::uint8_t>(block, field, first, count,
                          [&](std::size_t, std::uint8_t one) { most = std::max(most, one); });
    return is_valid(static_cast<Enum>(most));
}

}  // namespace

Rows::Rows(const Market& market, const std::vector<Block>& blocks)
    : market_(&market), blocks_(&blocks) {
    for (const InstrumentDefinition& one : market) {
        if (one.id) only_ = only_ == 0 ? one.id.value : k_several;
        Scale& scale = scales_.emplace_back();
        scale.is_there = one.id.value != 0;
        for (unsigned i = 0; i < one.price_decimals; ++i) scale.units *= 10;
        for (unsigned i = one.price_decimals; i < 9; ++i) scale.billionths *= 10;
        if (one.band_count != 1) continue;
        const std::int64_t tick = one.tick_bands[0].tick_size.value;
        scale.tick = static_cast<double>(tick);
        if (__builtin_mul_overflow(tick, scale.billionths, &scale.step)) scale.step = 0;
    }
}

void Rows::check(std::int64_t now, Watch& watch) const {
    std::size_t before = 0;
    for (const Block& block : *blocks_) {
        for (std::size_t first = 0; first < block.rows; first += k_stretch) {
            const std::size_t end = std::min(first + k_stretch, block.rows);
            if (!is_plain(block, first, end - first, now))
                for (std::size_t row = first; row < end; ++row)
                    check(block, row, before + row, now);
            watch.look(before + end);
        }
        before += block.rows;
    }
}

/// Whether nothing is wrong, a column at a time. False means that each row has to be looked at; `now`
/// is the time of the last one otherwise.
bool Rows::is_plain(const Block& block, std::size_t first, std::size_t count,
                    std::int64_t& now) const {
    bool is_wrong = false;
    std::int64_t time = now;
    each_of<std::int64_t>(block, f_time, first, count, [&](std::size_t, std::int64_t one) {
        is_wrong |= one < time;
        time = one;
    });
    is_wrong |= time > EngineOfPython::k_latest_time;
    each_of<std::uint8_t>(block, f_command, first, count,
                          [&](std::size_t, std::uint8_t one) { is_wrong |= !is_of_orders(one); });
    if (!is_there(block, f_instrument)) is_wrong |= !is_known(only_);
    each_of<std::uint32_t>(block, f_instrument, first, count,
                           [&](std::size_t, std::uint32_t one) { is_wrong |= !is_known(one); });
    std::uint64_t ids = 0;
    for (const Field field : {f_order, f_new_order, f_client_id})
        each_of<std::uint64_t>(block, field, first, count,
                               [&](std::size_t, std::uint64_t one) { ids |= one; });
    if (is_wrong || ids > k_most_id || !has_plain_words<Side>(block, f_side, first, count) ||
        !has_plain_words<OrderType>(block, f_type, first, count) ||
        !has_plain_words<TimeInForce>(block, f_tif, first, count) ||
        !has_plain_words<SelfTradePrevention>(block, f_self_trade, first, count) ||
        !has_plain_words<PegReference>(block, f_peg, first, count) ||
        !has_plain_words<Contingency>(block, f_link, first, count))
        return false;
    for (const Field field : {f_price, f_stop, f_offset})
        if (is_there(block, field) && !has_plain_prices(block, field, first, count)) return false;
    now = time;
    return true;
}

/// Of instruments that are there. A price that is off the tick is not plain, even where it is out of
/// range.
bool Rows::has_plain_prices(const Block& block, Field field, std::size_t first,
                            std::size_t count) const {
    const bool needs_tick = field != f_offset;
    const auto are_plain = [&](const auto& scale_of) {
        bool is_wrong = false;
        if (block.columns[field].kind == Kind::int64) {
            each_of<std::int64_t>(block, field, first, count, [&](std::size_t i, std::int64_t one) {
                const Scale& scale = scale_of(i);
                const std::int64_t step = needs_tick ? scale.step : scale.billionths;
                is_wrong |= step == 0 || one % step != 0;
            });
            return !is_wrong;
        }
        each_of<double>(block, field, first, count, [&](std::size_t i, double one) {
            const Scale& scale = scale_of(i);
            const double exact = one * scale.units;
            const double units = std::nearbyint(exact);
            const double tick = needs_tick ? scale.tick : 1;
            is_wrong |= !(std::abs(exact) < k_most_units) |
                        !(std::abs(exact - units) <= noise_of(exact, scale.units)) |
                        !(std::nearbyint(units / tick) * tick == units);
        });
        return !is_wrong;
    };
    if (!is_there(block, f_instrument)) {
        const Scale scale = scales_[only_ - 1];
        return are_plain([&](std::size_t) -> const Scale& { return scale; });
    }
    const Values& instruments = block.columns[f_instrument];
    return are_plain([&](std::size_t i) -> const Scale& {
        // It was looked at, and may have changed since.
        const std::uint32_t place = instruments.at<std::uint32_t>(first + i) - 1;
        return scales_[std::min<std::size_t>(place, scales_.size() - 1)];
    });
}

Command Rows::preset() const {
    Command preset{};
    preset.kind = CommandKind::new_order;
    preset.instrument = {only_};
    preset.participant = {1};
    return preset;
}

void Rows::make(const Block& block, std::size_t first, std::int64_t now,
                std::span<Command> commands) const {
    if (!is_there(block, f_time))
        for (Command& command : commands) command.timestamp = {now};
    each_of<std::int64_t>(block, f_time, first, commands.size(),
                          [&](std::size_t i, std::int64_t one) {
                              now = std::max(now, one);
                              commands[i].timestamp = {now};
                          });
    each_of<std::uint8_t>(
        block, f_command, first, commands.size(), [&](std::size_t i, std::uint8_t one) {
            commands[i].kind =
                is_of_orders(one) ? static_cast<CommandKind>(one) : CommandKind::query_order;
        });
    const auto put = [&]<class Value>(Field field, Value Command::* of) {
        each_of<RawOf<Value>>(block, field, first, commands.size(),
                              [&](std::size_t i, auto one) { commands[i].*of = Value{one}; });
    };
    const auto put_detail = [&]<class Value>(Field field, Value OrderDetails::* of) {
        each_of<RawOf<Value>>(block, field, first, commands.size(),
                              [&](std::size_t i, auto one) { commands[i].order.*of = Value{one}; });
    };
    put(f_instrument, &Command::instrument);
    put(f_participant, &Command::participant);
    put(f_side, &Command::side);
    put(f_type, &Command::order_type);
    put(f_tif, &Command::time_in_force);
    put(f_self_trade, &Command::self_trade_prevention);
    put(f_flags, &Command::flags);
    put(f_quantity, &Command::quantity);
    put(f_order, &Command::order_id);
    put(f_new_order, &Command::new_order_id);
    put(f_client_id, &Command::client_order_id);
    put_detail(f_display, &OrderDetails::display_quantity);
    put_detail(f_minimum, &OrderDetails::minimum_quantity);
    put_detail(f_expire, &OrderDetails::expire_time);
    put_detail(f_peg, &OrderDetails::peg);
    put_detail(f_link, &OrderDetails::contingency);
    make_prices(block, f_price, first, commands, [](Command& to) -> Price& { return to.price; });
    make_prices(block, f_stop, first, commands,
                [](Command& to) -> Price& { return to.order.stop_price; });
    make_prices(block, f_offset, first, commands,
                [](Command& to) -> Price& { return to.order.offset; });
}

void Rows::make_prices(const Block& block, Field field, std::size_t first,
                       std::span<Command> commands, const auto& of) const {
    if (!is_there(block, field)) return;
    const auto scale_of = [&](const Command& command) -> const Scale& {
        return scales_[std::min<std::size_t>(command.instrument.value - 1, scales_.size() - 1)];
    };
    if (block.columns[field].kind == Kind::int64)
        return each_of<std::int64_t>(block, field, first, commands.size(),
                                     [&](std::size_t i, std::int64_t one) {
                                         of(commands[i]) = {one / scale_of(commands[i]).billionths};
                                     });
    each_of<double>(block, field, first, commands.size(), [&](std::size_t i, double one) {
        of(commands[i]) = units_of(one * scale_of(commands[i]).units);
    });
}

void Rows::check(const Block& block, std::size_t row, std::size_t at, std::int64_t& now) const {
    const auto time = value<std::int64_t>(block, f_time, row, now);
    if (time < now) refuse(at, fmt::format("time does not go back: {} is before {}", time, now));
    if (time > EngineOfPython::k_latest_time)
        refuse(at, fmt::format("time {} is after the year 2255", time));
    now = time;
    const auto command = value<std::uint8_t>(block, f_command, row, k_new);
    if (!is_of_orders(command))
        refuse(at, fmt::format("command {} is none of 1 (new), 2 (cancel), 3 (replace) and 5 "
                               "(query)",
                               command));
    const auto instrument = value<std::uint32_t>(block, f_instrument, row, only_);
    if (!is_known(instrument)) refuse_instrument(at, instrument);
    check_word<Side>(block, f_side, row, at, "0 (buy) or 1 (sell)");
    check_word<OrderType>(block, f_type, row, at,
                          "0 (limit), 1 (market), 2 (stop) or 3 (stop_limit)");
    check_word<TimeInForce>(block, f_tif, row, at, "from 0 (day) to 7 (at_auction)");
    check_word<SelfTradePrevention>(block, f_self_trade, row, at, "from 0 (none) to 5 (skip_own)");
    check_word<PegReference>(block, f_peg, row, at, "from 0 (none) to 3 (midpoint)");
    check_word<Contingency>(block, f_link, row, at,
                            "0 (none), 1 (one cancels the other) or 2 (one triggers the other)");
    for (const Field field : {f_order, f_new_order, f_client_id})
        if (value<std::uint64_t>(block, field, row, 0) > k_most_id)
            refuse(at, fmt::format("{} is above {}", k_specs[field].name, k_most_id));
    for (const Field field : {f_price, f_stop, f_offset})
        if (is_there(block, field)) check_price(block, field, row, at, instrument - 1);
}

void Rows::check_price(const Block& block, Field field, std::size_t row, std::size_t at,
                       std::uint32_t place) const {
    const Values& values = block.columns[field];
    const InstrumentDefinition& in = (*market_)[place];
    const Scale& scale = scales_[place];
    Price units{};
    if (values.kind == Kind::int64) {
        const auto billionths = values.at<std::int64_t>(row);
        if (billionths % scale.billionths != 0)
            refuse_decimals(at, field, static_cast<double>(billionths) / 1e9, in);
        units = {billionths / scale.billionths};
    } else {
        const auto given = values.at<double>(row);
        const double exact = given * scale.units;
        if (!(std::abs(exact) < k_most_units))
            refuse(at, fmt::format("{} is {}: give a price of {}", k_specs[field].name, given,
                                   in.symbol.view()));
        if (std::abs(exact - std::nearbyint(exact)) > noise_of(exact, scale.units))
            refuse_decimals(at, field, given, in);
        units = units_of(exact);
    }
    if (field != f_offset && !in.on_tick(units) && in.in_range(units))
        refuse_tick(at, field, units, in);
}

void Rows::refuse_instrument(std::size_t row, std::uint32_t id) const {
    if (id == k_several)
        refuse(row,
               "there are several instruments: give a column 'instrument' of uint32, the place in "
               "Engine.symbols, from 1");
    refuse(row, fmt::format("there is no instrument {}: it is the place in Engine.symbols, from 1, "
                            "and there are {}",
                            id, scales_.size()));
}

void Rows::refuse_tick(std::size_t row, Field field, Price price,
                       const InstrumentDefinition& in) const {
    const double units = scales_[in.id.value - 1].units;
    const auto text = [&](Price one) { return static_cast<double>(one.value) / units; };
    refuse(row, fmt::format("{} {} of {} is off the tick, which is {} there: take {} or {}",
                            k_specs[field].name, text(price), in.symbol.view(),
                            text(in.tick_size_at(price)), text(in.next_price_below(price)),
                            text(in.next_price_above(price))));
}

}  // namespace damrak::python
