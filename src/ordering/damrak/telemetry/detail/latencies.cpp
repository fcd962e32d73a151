#include <damrak/telemetry/detail/latencies.hpp>

#include <type_traits>

#include <fmt/format.h>

namespace damrak::telemetry {

std::string_view span_name(std::size_t span) {
    if (span < k_stages) return k_stage_names[span];
    return span == k_internal_span ? "internal" : "total";
}

void Latencies::record(const Timing& timing, const CycleClock& clock) {
    Histogram* const of_request = &histograms_[static_cast<std::size_t>(timing.request) * k_spans];
    each_span(timing, clock,
              [&](std::size_t span, std::uint64_t ns) { of_request[span].record(ns); });
}

std::vector<TimingRow> Latencies::rows() const {
    std::vector<TimingRow> rows;
    for (std::size_t request = 0; request < k_request_kinds; ++request) {
        for (std::size_t span = 0; span < k_spans; ++span) {
            const Histogram& times = histograms_[request * k_spans + span];
            if (times.count() == 0) continue;
            TimingRow row{.request = name(static_cast<RequestKind>(request)),
                          .span = span_name(span),
                          .count = times.count(),
                          .mean_ns = times.mean(),
                          .stddev_ns = times.standard_deviation(),
                          .min_ns = times.min(),
                          .max_ns = times.max()};
            for (std::size_t i = 0; i < row.percentiles_ns.size(); ++i)
                row.percentiles_ns[i] = times.percentile(TimingRow::k_percents[i]);
            rows.push_back(row);
        }
    }
    return rows;
}

std::string timing_table(const std::vector<TimingRow>& rows) {
    if (rows.empty()) return "no message was timed\n";
    constexpr int k_first = 10;
    constexpr int k_number = 10;
    constexpr double k_us = 1'000;
    std::string out = fmt::format("times in microseconds\n");
    TimingRow{}.fields([&](std::string_view column, const auto& cell) {
        using Cell = std::remove_cvref_t<decltype(cell)>;
        if constexpr (std::is_same_v<Cell, std::string_view>)
            out += fmt::format("{:<{}}", column, k_first);
        else
            out += fmt::format("{:>{}}", column, k_number);
    });
    for (const TimingRow& row : rows) {
        out += '\n';
        row.fields([&](std::string_view column, const auto& cell) {
            using Cell = std::remove_cvref_t<decltype(cell)>;
            if constexpr (std::is_same_v<Cell, std::string_view>)
                out += fmt::format("{:<{}}", cell, k_first);
            else if (column == "count")
                out += fmt::format("{:>{}}", cell, k_number);
            else
                out += fmt::format("{:>{}.2f}", static_cast<double>(cell) / k_us, k_number);
        });
    }
    return out + '\n';
}

}  // namespace damrak::telemetry
