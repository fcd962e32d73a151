// Histograms for the tools of HdrHistogram: the percentile distribution (.hgrm), for its plotter,
// and the interval log (.hlog, format 1.3) with histograms in V2 compressed encoding. The buckets
// equal those of an HdrHistogram with two significant digits, so nothing is lost or moved. Called
// at the end of a run and on request.
//
// Formats: HdrHistogram's AbstractHistogram (encodeIntoCompressedByteBuffer,
// outputPercentileDistribution) and HistogramLogWriter.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include <damrak/base/histogram.hpp>

namespace damrak::telemetry {

/// Values are divided by `scale`: 1000 shows nanoseconds as microseconds.
[[nodiscard]] std::string hgrm(const Histogram& histogram, double scale);

/// Base64 of the compressed histogram: "HISTFAAAA…".
[[nodiscard]] std::string encoded(const Histogram& histogram);

/// The lines before the first histogram.
[[nodiscard]] std::string hlog_header(std::int64_t begin_utc_ns);
/// One interval from the start of the log. `tag` has no comma, space or line break.
[[nodiscard]] std::string hlog_line(std::string_view tag, double interval_s,
                                    const Histogram& histogram);

}  // namespace damrak::telemetry
