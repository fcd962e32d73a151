#include <damrak/calibration/calibration.hpp>

#include <algorithm>
#include <cctype>
#include <cmath>

#include <fmt/format.h>

#include <damrak/base/toml_text.hpp>
#include <damrak/market_runs/recorded_flow.hpp>

namespace damrak::calibration {
namespace {

constexpr double k_price_units = 10'000;
constexpr std::uint64_t k_least_events = 100;

std::string value_text(const participants::ParameterInfo& row,
                       const participants::ParameterValue& value) {
    using participants::ParameterKind;
    if (row.kind == ParameterKind::whole) return fmt::format("{}", value.whole);
    if (row.kind == ParameterKind::number) return fmt::format("{}", value.number);
    std::string text = "[";
    for (std::size_t i = 0; i < value.numbers.size(); ++i)
        text += fmt::format("{}{}", i % 6 == 0 ? "\n    " : " ",
                            fmt::format("{:.8g},", value.numbers[i]));
    return text + "\n]";
}

/// 1 to 8 characters.
std::string symbol_of(const ModelEstimate& model) {
    std::string symbol;
    symbol += static_cast<char>(std::toupper(static_cast<unsigned char>(model.kind->name[0])));
    for (std::size_t i = 1; i < model.kind->name.size(); ++i)
        if (model.kind->name[i - 1] == '-')
            symbol +=
                static_cast<char>(std::toupper(static_cast<unsigned char>(model.kind->name[i])));
    return symbol;
}

}  // namespace

const std::vector<std::string_view>& models() {
    static const std::vector<std::string_view> names{"zero-intelligence", "cont-stoikov-talreja",
                                                     "queue-reactive", "hawkes"};
    return names;
}

std::expected<Calibration, std::string> calibrate(const market_runs::RecordedDay& day,
                                                  const CalibrationSettings& settings) {
    RecordSettings record{.tick = settings.tick,
                          .ticks = settings.ticks,
                          .queues = settings.queues,
                          .begin_ns = settings.hours.begin_ns};
    Calibration result{.symbol = day.symbol, .tick = settings.tick, .models = {}};
    FlowRecorder first{record};
    auto read = market_runs::read_recorded_day(day, settings.hours.end_ns, first);
    if (!read) return std::unexpected{std::move(read.error())};
    if (const auto why = archive::why_no_orders(read->value); !why.empty())
        return std::unexpected{
            fmt::format("{}: {}: a model of order flow needs them", day.path.string(), why)};
    result.depth = read->value;
    result.completeness = std::move(read->completeness);
    const FlowRecord& seen = first.record();
    result.seconds = seen.seconds;
    result.events = seen.events.size();
    result.first_mid = seen.first_mid;
    result.anomalies = first.anomalies().total();
    if (result.events < k_least_events || seen.first_mid == 0)
        return std::unexpected{fmt::format(
            "{}: in these hours {} has {} order messages with a price on both sides, but "
            "at least {} are needed",
            day.path.string(), day.symbol, result.events, k_least_events)};
    for (const std::string_view model : models()) {
        if (!settings.model.empty() && settings.model != model) continue;
        if (model == "zero-intelligence") result.models.push_back(zero_intelligence_of(seen));
        if (model == "cont-stoikov-talreja") result.models.push_back(cont_stoikov_talreja_of(seen));
        if (model == "hawkes") result.models.push_back(hawkes_of(seen));
        if (model != "queue-reactive") continue;
        // Queues are counted in units of the mean event, which the first pass tells.
        record.unit_shares = std::max<std::int64_t>(
            std::llround(seen.event_shares / static_cast<double>(seen.events.size())), 1);
        FlowRecorder second{record};
        if (auto again = market_runs::read_recorded_day(day, settings.hours.end_ns, second); !again)
            return std::unexpected{std::move(again.error())};
        result.models.push_back(queue_reactive_of(second.record(), record));
    }
    return result;
}

std::string market_file_of(const Calibration& calibration) {
    std::string text = fmt::format(
        "# Models of order flow, estimated from {} of {}, {:.0f} s. Each makes the market of an\n"
        "# instrument of its own.\nname = {}\nduration = \"10min\"\n",
        calibration.events, calibration.symbol, calibration.seconds,
        toml_text(calibration.symbol + " calibrated"));
    for (const ModelEstimate& model : calibration.models) {
        if (!model.note.empty()) {
            text += fmt::format("\n# {} is left out: {}\n", model.kind->name, model.note);
            continue;
        }
        text += fmt::format(
            "\n[[instrument]]\nsymbol = \"{0}\"\nprice = {1:.4f}\ntick = {2}\n\n"
            "[[participants]]\nkind = \"{3}\"\ninstruments = [\"{0}\"]\n",
            symbol_of(model),
            std::round(calibration.first_mid / static_cast<double>(calibration.tick)) *
                static_cast<double>(calibration.tick) / k_price_units,
            static_cast<double>(calibration.tick) / k_price_units, model.kind->name);
        for (const participants::ParameterInfo& row : model.kind->parameters)
            if (const auto found = model.parameters.find(row.name); found != model.parameters.end())
                text += fmt::format("{} = {}\n", row.name, value_text(row, found->second));
    }
    return text;
}

}  // namespace damrak::calibration
