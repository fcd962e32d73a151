#include <damrak/market_runs/market_file.hpp>

#include <algorithm>
#include <cmath>
#include <span>
#include <tuple>
#include <utility>

#include <damrak/base/time_units.hpp>
#include <damrak/files/toml_table.hpp>
#include <damrak/market_runs/detail/file_groups.hpp>
#include <damrak/market_runs/detail/file_parts.hpp>
#include <damrak/market_runs/detail/file_timeline.hpp>

namespace damrak::market_runs {
namespace {

using files::Mistake;
using files::TableReader;
using market_kernel::Latency;

constexpr double k_units = 10'000;  // price units of the currency's unit

class FileReader {
  public:
    FileReader(std::string_view where, const GivenMarket* given,
               std::span<const participants::Kind* const> own)
        : mistake_(where),
          folder_(std::filesystem::path{where}.parent_path()),
          given_(given),
          own_(own) {}

    [[nodiscard]] std::expected<MarketFile, std::string> read(const toml::table& table) {
        TableReader top{table, "", mistake_};
        file_.name = top.text("name", "market");
        file_.about = top.text("about", "");
        file_.duration_ns =
            top.duration("duration", given_ != nullptr ? given_->duration_ns : 600 * k_second_ns, 1,
                         100 * k_day_ns);
        file_.seed = static_cast<std::uint64_t>(
            top.whole("seed", 1, 0, std::numeric_limits<std::int64_t>::max()));
        file_.value_step_ns = top.duration("value_step", file_.value_step_ns, 10'000, k_second_ns);
        if (top.word("on_fault", "stop", {"stop", "isolate"}) == "isolate")
            file_.on_fault = market_kernel::OnFault::isolate;
        for (const toml::table* factor : top.tables("factor")) read_factor(*factor);
        for (const toml::table* place : top.tables("place")) read_place(*place);
        read_instruments(top);
        detail::read_venue(top, given_ != nullptr, folder_, file_);
        read_exchange(top);
        for (const toml::table* group : top.tables("participants")) read_group(*group);
        if (file_.groups.empty() && given_ == nullptr)
            top.complain("a market needs participants: add a table [[participants]]");
        for (const toml::table* table_of : top.tables("obligation")) {
            TableReader in{*table_of, "obligation", mistake_};
            file_.obligations.push_back(detail::read_obligation(in, file_));
            in.finish();
        }
        for (const toml::table* entry : top.tables("timeline")) {
            TableReader in{*entry, "timeline", mistake_};
            detail::read_timeline(in, places_, file_);
        }
        detail::read_reaction(top, given_ != nullptr, file_);
        top.finish();
        if (mistake_.is_there()) return std::unexpected{mistake_.text()};
        std::ranges::stable_sort(file_.timeline, {}, &TimelineEntry::at_ns);
        std::ranges::stable_sort(file_.groups, {}, &GroupDescription::event_at_ns);
        return std::move(file_);
    }

  private:
    void read_exchange(TableReader& top) {
        market_kernel::ExchangeModel& exchange = file_.exchange;
        if (file_.venue != nullptr) {
            exchange.delay = file_.venue->delay;
            exchange.fees = file_.venue->fees;
        }
        const toml::node* const node = top.take("exchange");
        if (node == nullptr) return;
        if (!node->is_table()) return top.refuse(*node, "exchange", "a table [exchange]");
        TableReader in{*node->as_table(), "exchange", mistake_};
        exchange.service_ns = in.duration("service_time", 0, 0, k_second_ns);
        if (in.has("taker_bump"))
            exchange.delay = {.taking = {.fixed_ns = in.duration("taker_bump", 0, 0, k_second_ns)}};
        if (in.has("maker_fee") || in.has("taker_fee"))
            exchange.fees = {.all = {.maker = {.per_share = fee(in, "maker_fee")},
                                     .taker = {.per_share = fee(in, "taker_fee")}},
                             .groups = {}};
        exchange.maximum_orders = static_cast<std::uint32_t>(
            in.whole("maximum_orders", exchange.maximum_orders, 100, 20'000'000));
        in.finish();
    }

    void read_instruments(TableReader& top) {
        if (given_ != nullptr) file_.instruments.push_back(given_->instrument);
        for (const toml::table* instrument : top.tables("instrument")) {
            if (given_ != nullptr)
                return TableReader{*instrument, "instrument", mistake_}.complain(
                    "the recorded day has the instrument: leave out [[instrument]]");
            read_instrument(*instrument);
        }
        if (file_.instruments.empty())
            top.complain("a market needs at least one instrument: add a table [[instrument]]");
    }

    void read_factor(const toml::table& table) {
        TableReader in{table, "factor", mistake_};
        file_.factors.push_back({.volatility = in.number("volatility", 0, 0, 1)});
        in.finish();
    }

    void read_place(const toml::table& table) {
        TableReader in{table, "place", mistake_};
        const std::string name = in.text("name", "");
        if (name.empty()) in.complain("a place needs a name");
        market_kernel::Place place;
        place.key = market_kernel::hash_of(name);
        place.median_ns = in.duration("median", 0, 0, Latency::k_most_ns);
        place.sigma = in.number("sigma", 0, 0, 3);
        place.interval_ns = in.duration("interval", k_millisecond_ns, 1'000, k_day_ns);
        in.finish();
        if (!places_.try_emplace(name, place).second)
            in.complain(fmt::format("there are two places \"{}\"", name));
    }

    void read_instrument(const toml::table& table) {
        TableReader in{table, "instrument", mistake_};
        InstrumentDescription made{};
        InstrumentDefinition& definition = made.definition;
        const std::string symbol = in.text("symbol", "");
        in.rename(fmt::format("instrument \"{}\"", symbol));
        if (symbol.empty() || symbol.size() > 8)
            in.complain("a symbol has 1 to 8 characters");
        else if (file_.find_instrument(symbol))
            in.complain("there are two instruments with this symbol");
        definition.id = {static_cast<std::uint32_t>(file_.instruments.size() + 1)};
        definition.symbol = Symbol::of(symbol);
        const std::int64_t tick = price_units(in, "tick", 0.01, 0.0001, 1'000);
        definition.tick_bands[0] = {Price{0}, Price{std::max<std::int64_t>(tick, 1)}};
        definition.lot_size = {in.whole("lot", 1, 1, 1'000'000)};
        market_kernel::FundamentalDescription& fundamental = made.fundamental;
        fundamental.start = in.number("price", 100, 0.0001, 199'999) * k_units;
        fundamental.volatility = in.number("volatility", 0, 0, 1);
        fundamental.reversion = in.number("reversion", 0, 0, 100);
        fundamental.jumps_per_s = in.number("jumps_per_s", 0, 0, 50);
        fundamental.jump_size = in.number("jump_size", 0, 0, 1);
        fundamental.loads = in.numbers("loads", {}, -100, 100);
        if (fundamental.loads.size() > file_.factors.size())
            in.complain(fmt::format("loads has {} numbers, but the file has {} tables [[factor]]",
                                    fundamental.loads.size(), file_.factors.size()));
        check_steps(in, fundamental);
        detail::read_basket(in, file_, fundamental);
        in.finish();
        file_.instruments.push_back(made);
    }

    // A step has one jump at most, and reverts at most all of the way.
    void check_steps(TableReader& in, const market_kernel::FundamentalDescription& is) const {
        constexpr double k_most_jumps = .5;
        const double step_s = static_cast<double>(file_.value_step_ns) * 1e-9;
        for (const auto& [key, rate, most] :
             {std::tuple{"jumps_per_s", is.jumps_per_s, k_most_jumps / step_s},
              {"reversion", is.reversion, 1 / step_s}})
            if (rate > most)
                in.complain(
                    fmt::format("{} is at most {} with a value_step of {}: give a shorter "
                                "value_step",
                                key, most, duration_text(file_.value_step_ns)));
    }

    void read_group(const toml::table& table) {
        TableReader in{table, "participants", mistake_};
        GroupDescription group;
        const std::string kind = in.text("kind", "");
        group.kind = find_kind(kind);
        group.name = in.text("name", kind);
        in.rename(fmt::format("participants \"{}\"", group.name));
        if (group.kind == nullptr) {
            std::vector<std::string> known;
            for (const auto& one : participants::kinds()) known.emplace_back(one.name);
            return in.complain(kind.empty() ? "a group needs a kind: `damrak sim list` lists them"
                                            : fmt::format("there is no kind '{}'; {}", kind,
                                                          did_you_mean(kind, known)));
        }
        if (file_.find_group(group.name) != nullptr)
            in.complain("there are two groups of this name: give one another `name`");
        group.count = static_cast<std::uint32_t>(in.whole("count", 1, 1, 1'000'000));
        read_instruments_of(in, group);
        detail::read_connection(in, places_, group);
        for (const auto& row : group.kind->parameters)
            detail::read_parameter(in, row, group.parameters);
        in.finish();
        if (mistake_.is_there()) return;
        for (const InstrumentId id : group.instruments)
            if (const auto& of = file_.instruments[id.value - 1].definition;
                group.kind->is_above_zero && of.minimum_price().value < 0)
                in.complain(
                    fmt::format("the prices of {} may be below zero: {} needs prices above it",
                                of.symbol.view(), kind));
        if (const std::string wrong = group.kind->check(group.parameters); !wrong.empty())
            in.complain(wrong);
        if (const std::string wrong = group.kind->fits(group.parameters, {group.instruments});
            !wrong.empty())
            in.complain(wrong);
        file_.groups.push_back(std::move(group));
    }

    [[nodiscard]] const participants::Kind* find_kind(std::string_view name) const {
        const auto found = std::ranges::find(own_, name, &participants::Kind::name);
        return found == own_.end() ? participants::find_kind(name) : *found;
    }

    void read_instruments_of(TableReader& in, GroupDescription& group) {
        for (const std::string& symbol : in.texts("instruments")) {
            const InstrumentId id = file_.find_instrument(symbol);
            if (!id) in.complain(fmt::format("there is no instrument \"{}\"", symbol));
            group.instruments.push_back(id);
        }
        if (group.instruments.empty())
            for (const auto& instrument : file_.instruments)
                if (!instrument.is_of_venue) group.instruments.push_back(instrument.definition.id);
    }

    // In billionths of the currency a share.
    std::int64_t fee(TableReader& in, std::string_view key) {
        return price_units(in, key, 0, -1, 1) * 100'000;
    }
    std::int64_t price_units(TableReader& in, std::string_view key, double preset, double least,
                             double most) {
        const double value = in.number(key, preset, least, most) * k_units;
        const double units = std::round(value);
        if (std::abs(units - value) > 1e-6)
            in.complain(fmt::format("{} must be a multiple of 0.0001", key));
        return static_cast<std::int64_t>(units);
    }

    Mistake mistake_;
    std::filesystem::path folder_;  ///< of the file
    const GivenMarket* given_;
    std::span<const participants::Kind* const> own_;
    MarketFile file_;
    detail::Places places_;
};

}  // namespace

void MarketFile::set_duration(std::int64_t ns) {
    duration_ns = ns;
    std::erase_if(timeline, [ns](const TimelineEntry& one) { return one.at_ns > ns; });
    std::erase_if(groups, [ns](const GroupDescription& one) { return one.event_at_ns > ns; });
}

std::uint32_t MarketFile::participants() const {
    std::uint32_t count = 0;
    for (const GroupDescription& group : groups) count += group.count;
    return count;
}

const GroupDescription* MarketFile::find_group(std::string_view group) const {
    const auto found = std::ranges::find(groups, group, &GroupDescription::name);
    return found == groups.end() ? nullptr : &*found;
}

InstrumentId MarketFile::find_instrument(std::string_view symbol) const {
    for (const InstrumentDescription& instrument : instruments)
        if (instrument.definition.symbol.view() == symbol) return instrument.definition.id;
    return {};
}

std::expected<MarketFile, std::string> parse_market_file(
    std::string_view text, std::string_view where, const GivenMarket* given,
    std::span<const participants::Kind* const> own) {
    const auto table = files::parse_toml(text, where);
    if (!table) return std::unexpected{table.error()};
    return FileReader{where, given, own}.read(*table);
}

std::expected<MarketFile, std::string> read_market_file(const std::filesystem::path& path,
                                                        const GivenMarket* given) {
    const auto text = files::read_text(path, "market file");
    if (!text) return std::unexpected{text.error()};
    return parse_market_file(*text, path.string(), given);
}

std::expected<bool, std::string> is_for_recorded_day(const std::filesystem::path& path) {
    const auto text = files::read_text(path, "market file");
    if (!text) return std::unexpected{text.error()};
    const auto table = files::parse_toml(*text, path.string());
    if (!table) return std::unexpected{table.error()};
    return !table->contains("instrument") &&
           (table->contains("participants") || table->contains("reaction"));
}

}  // namespace damrak::market_runs
