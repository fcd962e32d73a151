#include <damrak/market_runs/detail/file_groups.hpp>

#include <algorithm>
#include <cstdlib>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <damrak/base/duration_text.hpp>
#include <damrak/base/time_units.hpp>
#include <damrak/base/toml_text.hpp>

namespace damrak::market_runs::detail {
namespace {

using market_kernel::Latency;

constexpr double k_price_units = 10'000;  // of the currency's unit
constexpr double k_no_most = 1e15;

// A duration, or a table with a kind.
Latency latency(TableReader& outer, std::string_view key, const Latency& preset) {
    const toml::node* const node = outer.take(key);
    if (node == nullptr) return preset;
    Latency made;
    if (!node->is_table()) {
        made.base_ns = outer.duration_of(*node, key, 0, Latency::k_most_ns);
        return made;
    }
    TableReader in{*node->as_table(), std::string{key}, outer.mistake()};
    const std::string kind =
        in.word("kind", "constant", {"constant", "uniform", "normal", "lognormal", "empirical"});
    const auto base = [&](std::string_view name) {
        return in.duration(name, 0, 0, Latency::k_most_ns);
    };
    if (kind == "uniform") {
        made.kind = Latency::Kind::uniform;
        made.base_ns = base("least");
        made.spread_ns = base("most") - made.base_ns;
        if (made.spread_ns < 0) in.complain("most must not be below least");
    } else if (kind == "normal") {
        made.kind = Latency::Kind::normal;
        made.base_ns = base("mean");
        made.spread_ns = base("deviation");
    } else if (kind == "lognormal") {
        made.kind = Latency::Kind::log_normal;
        made.base_ns = base("median");
        made.sigma = in.number("sigma", 0.5, 0, 3);
    } else if (kind == "empirical") {
        made.kind = Latency::Kind::empirical;
        made.base_ns = base("base");
        std::vector<std::int64_t> samples;
        for (const std::string& text : in.texts("samples")) {
            const auto sample = parse_duration(text);
            if (!sample || *sample > Latency::k_most_ns)
                in.complain(fmt::format("samples: \"{}\" is no duration up to 60s", text));
            samples.push_back(sample.value_or(0));
        }
        if (samples.empty()) in.complain("an empirical latency needs samples");
        made.samples = std::make_shared<const std::vector<std::int64_t>>(std::move(samples));
    } else {
        made.base_ns = base("time");
    }
    in.finish();
    return made;
}

std::string describe_latency(const Latency& latency) {
    switch (latency.kind) {
        case Latency::Kind::constant:
            return fmt::format("\"{}\"", duration_text(latency.base_ns));
        case Latency::Kind::uniform:
            return fmt::format(R"({{ kind = "uniform", least = "{}", most = "{}" }})",
                               duration_text(latency.base_ns),
                               duration_text(latency.base_ns + latency.spread_ns));
        case Latency::Kind::normal:
            return fmt::format(R"({{ kind = "normal", mean = "{}", deviation = "{}" }})",
                               duration_text(latency.base_ns), duration_text(latency.spread_ns));
        case Latency::Kind::log_normal:
            return fmt::format(R"({{ kind = "lognormal", median = "{}", sigma = {} }})",
                               duration_text(latency.base_ns), latency.sigma);
        case Latency::Kind::empirical: {
            std::string samples;
            for (const std::int64_t sample : *latency.samples)
                samples +=
                    fmt::format("{}\"{}\"", samples.empty() ? "" : ", ", duration_text(sample));
            return fmt::format(R"({{ kind = "empirical", base = "{}", samples = [{}] }})",
                               duration_text(latency.base_ns), samples);
        }
    }
    return {};
}

}  // namespace

void read_connection(TableReader& in, const Places& places, GroupDescription& group) {
    market_kernel::Connection& connection = group.connection;
    const Latency both = latency(in, "latency", {});
    connection.orders = latency(in, "order_latency", both);
    connection.reports = latency(in, "report_latency", both);
    connection.data = latency(in, "data_latency", both);
    group.maximum_orders =
        static_cast<std::uint32_t>(in.whole("maximum_orders", 10'000, 1, 10'000'000));
    connection.think_ns = in.duration("think_time", 0, 0, Latency::k_most_ns);
    connection.clock_offset_ns =
        in.duration("clock_ahead", 0, 0, k_hour_ns) - in.duration("clock_behind", 0, 0, k_hour_ns);
    connection.value_ns = in.duration("value_latency", 0, 0, k_day_ns);
    const std::string place = in.text("place", "");
    if (place.empty()) return;
    const auto found = places.find(place);
    if (found == places.end())
        in.complain(fmt::format("there is no place \"{}\"", place));
    else
        connection.place = found->second;
    group.place = place;
}

void read_parameter(TableReader& in, const participants::ParameterInfo& row,
                    participants::ParameterValues& values) {
    using participants::ParameterKind;
    if (!in.has(row.name)) {
        static_cast<void>(in.take(row.name));  // known, though absent
        return;
    }
    participants::ParameterValue value{};
    const auto whole = [](double limit) { return static_cast<std::int64_t>(limit); };
    switch (row.kind) {
        case ParameterKind::number:
            value.number = in.number(row.name, 0, row.least, row.most);
            break;
        case ParameterKind::whole:
            value.whole = in.whole(row.name, 0, whole(row.least), whole(row.most));
            break;
        case ParameterKind::duration:
            value.whole = in.duration(row.name, 0, whole(row.least), whole(row.most));
            break;
        case ParameterKind::price:
            value.number = in.number(row.name, 0, 0, k_no_most) * k_price_units;
            break;
        case ParameterKind::truth:
            value.truth = in.truth(row.name, false);
            break;
        case ParameterKind::text:
            value.text = in.text(row.name, "");
            break;
        case ParameterKind::word:
            value.text = in.word(row.name, "", row.words);
            break;
        case ParameterKind::numbers:
            value.numbers = in.numbers(row.name, {}, row.least, row.most);
            break;
        case ParameterKind::texts:
            value.texts = in.texts(row.name);
            break;
    }
    values.emplace(row.name, std::move(value));
}

std::string describe_value(const participants::ParameterInfo& row,
                           const participants::ParameterValue& value) {
    using participants::ParameterKind;
    switch (row.kind) {
        case ParameterKind::number:
            return fmt::format("{}", value.number);
        case ParameterKind::whole:
            return fmt::format("{}", value.whole);
        case ParameterKind::duration:
            return fmt::format("\"{}\"", duration_text(value.whole));
        case ParameterKind::price:
            return fmt::format("{}", value.number / k_price_units);
        case ParameterKind::truth:
            return value.truth ? "true" : "false";
        case ParameterKind::text:
        case ParameterKind::word:
            return toml_text(value.text);
        case ParameterKind::numbers:
            return fmt::format("[{}]", fmt::join(value.numbers, ", "));
        case ParameterKind::texts: {
            std::vector<std::string> quoted;
            quoted.reserve(value.texts.size());
            for (const std::string& text : value.texts) quoted.push_back(toml_text(text));
            return fmt::format("[{}]", fmt::join(quoted, ", "));
        }
    }
    return {};
}

std::string describe_connection(const GroupDescription& group) {
    const market_kernel::Connection& is = group.connection;
    std::string text = fmt::format(
        "order_latency = {}\nreport_latency = {}\ndata_latency = {}\nthink_time = \"{}\"\n"
        "maximum_orders = {}\n",
        describe_latency(is.orders), describe_latency(is.reports), describe_latency(is.data),
        duration_text(is.think_ns), group.maximum_orders);
    if (is.clock_offset_ns != 0)
        text += fmt::format("clock_{} = \"{}\"\n", is.clock_offset_ns > 0 ? "ahead" : "behind",
                            duration_text(std::abs(is.clock_offset_ns)));
    if (is.value_ns > 0)
        text += fmt::format("value_latency = \"{}\"\n", duration_text(is.value_ns));
    if (!group.place.empty()) text += fmt::format("place = {}\n", toml_text(group.place));
    return text;
}

}  // namespace damrak::market_runs::detail
