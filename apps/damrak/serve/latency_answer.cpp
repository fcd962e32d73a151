#include "serve/latency_answer.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <system_error>

#include <nlohmann/json.hpp>

namespace damrak::app {

namespace {

using Json = nlohmann::ordered_json;
using telemetry::Distribution;

/// By number: numbers of gateways are permanent.
std::string_view name_of(GatewayNumber gateway) {
    constexpr std::array<std::string_view, 5> k_names{"binary", "fix", "udp", "ouch", "replay"};
    const auto number = static_cast<std::size_t>(gateway);
    return number < k_names.size() ? k_names[number] : "unknown";
}

Json json_of(const Distribution& times) {
    Json buckets = Json::array();
    for (const auto& [bound, count] : times.buckets()) buckets.push_back({bound, count});
    return buckets;
}

}  // namespace

std::string latency_json(const telemetry::Collector& collector, const LatencyQuery& query,
                         std::uint32_t sampled_every, const std::vector<std::string>& runs) {
    const auto columns = collector.latency_columns(query.window_s);
    std::map<telemetry::LatencyKey, Distribution> whole;
    for (const auto& column : columns)
        for (const auto& [key, times] : column.rows) whole[key].merge(times);
    const bool has_all = query.gateway.empty() && query.stage.empty();
    Json rows = Json::array();
    for (const auto& [key, times] : whole) {
        const std::string_view gateway = name_of(key.first);
        const std::string_view stage = telemetry::span_name(key.second);
        Json row{{"gateway", gateway},
                 {"stage", stage},
                 {"max", times.max()},
                 {"buckets", json_of(times)}};
        if (has_all || (gateway == query.gateway && stage == query.stage)) {
            Json over_time = Json::array();
            for (const auto& column : columns)
                if (const auto found = column.rows.find(key); found != column.rows.end())
                    over_time.push_back({{"begin_s", column.begin_s},
                                         {"max", found->second.max()},
                                         {"buckets", json_of(found->second)}});
            row["columns"] = std::move(over_time);
        }
        rows.push_back(std::move(row));
    }
    return Json{{"unit", "ns"},
                {"sampled_every", sampled_every},
                {"lost_records", collector.losses().ring_records},
                {"window_s", query.window_s},
                {"column_s", telemetry::LatencyHistory::column_s(query.window_s)},
                {"end_s", columns.empty() ? 0 : columns.back().begin_s},
                {"runs", runs},
                {"rows", std::move(rows)}}
               .dump() +
           "\n";
}

std::vector<std::string> runs_with_latency(const std::filesystem::path& folder) {
    std::vector<std::string> names;
    std::error_code none;  // no folder has no runs
    for (const auto& run : std::filesystem::directory_iterator{folder, none})
        if (std::filesystem::exists(run.path() / k_latency_file, none))
            names.push_back(run.path().filename().string());
    std::ranges::sort(names, std::greater{});
    return names;
}

}  // namespace damrak::app
