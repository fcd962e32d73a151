#include <damrak/telemetry/detail/hdr_export.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <span>
#include <vector>

#include <fmt/format.h>
#include <zlib.h>

#include <damrak/base/assert.hpp>

namespace damrak::telemetry {

namespace {

using Bytes = std::vector<unsigned char>;

template <class N>
void put_big_endian(Bytes& out, N number) {
    for (std::size_t shift = sizeof(N) * 8; shift > 0; shift -= 8)
        out.push_back(static_cast<unsigned char>(number >> (shift - 8)));
}

// ZigZag, then seven bits per byte, lowest first; a ninth byte takes eight.
void put_zig_zag(Bytes& out, std::int64_t number) {
    constexpr int k_full_bytes = 8;
    auto rest = (static_cast<std::uint64_t>(number) << 1U) ^
                static_cast<std::uint64_t>(number >> 63);  // all ones if it is negative
    for (int i = 0; i < k_full_bytes; ++i) {
        if (rest < 0x80) return out.push_back(static_cast<unsigned char>(rest));
        out.push_back(static_cast<unsigned char>(rest | 0x80U));
        rest >>= 7U;
    }
    out.push_back(static_cast<unsigned char>(rest));
}

// Counts in order; a run of empty buckets is its length, negated.
Bytes payload_of(std::span<const std::uint64_t> counts) {
    Bytes out;
    for (std::size_t i = 0; i < counts.size();) {
        std::size_t end = i;
        while (end < counts.size() && counts[end] == 0) ++end;
        if (end > i) {
            put_zig_zag(out, -static_cast<std::int64_t>(end - i));
            i = end;
        } else {
            put_zig_zag(out, static_cast<std::int64_t>(counts[i++]));
        }
    }
    return out;
}

Bytes compressed(const Bytes& plain) {
    uLongf size = compressBound(plain.size());
    Bytes out(size);
    const int result = compress(out.data(), &size, plain.data(), plain.size());
    DAMRAK_ASSERT(result == Z_OK);
    out.resize(size);
    return out;
}

std::string base64(const Bytes& bytes) {
    constexpr std::string_view k_digits =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string text;
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
        const std::size_t left = std::min<std::size_t>(3, bytes.size() - i);
        std::uint32_t group = 0;
        for (std::size_t j = 0; j < 3; ++j)
            group = group << 8U | (j < left ? bytes[i + j] : std::uint32_t{0});
        for (std::size_t j = 0; j < 4; ++j)
            text += j <= left ? k_digits[group >> (18 - 6 * j) & 63U] : '=';
    }
    return text;
}

}  // namespace

std::string encoded(const Histogram& histogram) {
    constexpr std::uint32_t k_cookie = 0x1c84'9313;
    constexpr std::uint32_t k_compressed_cookie = 0x1c84'9314;
    constexpr std::uint32_t k_significant_digits = 2;
    constexpr std::uint64_t k_lowest = 1;
    constexpr std::uint64_t k_least_highest = 2;  // twice the lowest, or readers reject it
    const Bytes payload = payload_of(histogram.counts());
    Bytes plain;
    put_big_endian(plain, k_cookie);
    put_big_endian(plain, static_cast<std::uint32_t>(payload.size()));
    put_big_endian(plain, std::uint32_t{0});  // normalizing index offset
    put_big_endian(plain, k_significant_digits);
    put_big_endian(plain, k_lowest);
    put_big_endian(plain, std::max(k_least_highest, histogram.max()));
    put_big_endian(plain, std::bit_cast<std::uint64_t>(1.0));  // conversion ratio
    plain.insert(plain.end(), payload.begin(), payload.end());
    const Bytes packed = compressed(plain);
    Bytes out;
    put_big_endian(out, k_compressed_cookie);
    put_big_endian(out, static_cast<std::uint32_t>(packed.size()));
    out.insert(out.end(), packed.begin(), packed.end());
    return base64(out);
}

// Five lines per halving of the distance to 100%: 0, 10, …, 50, 55, …, 75, 77.5, …
std::string hgrm(const Histogram& histogram, double scale) {
    constexpr double k_ticks_a_halving = 5;
    std::string out = "       Value     Percentile TotalCount 1/(1-Percentile)\n\n";
    const auto counts = histogram.counts();
    const auto total = static_cast<double>(histogram.count());
    double percent = 0;
    std::uint64_t seen = 0;
    for (std::size_t i = 0; i < counts.size(); ++i) {
        seen += counts[i];
        const double reached = 100 * static_cast<double>(seen) / total;
        const double value =
            static_cast<double>(std::min(Histogram::bucket_bound(i), histogram.max())) / scale;
        if (seen == histogram.count()) {
            out += fmt::format("{:12.3f} {:14.12f} {:10d}\n", value, 1.0, seen);
            break;
        }
        for (; percent <= reached && counts[i] > 0;) {
            out += fmt::format("{:12.3f} {:14.12f} {:10d} {:14.2f}\n", value, percent / 100, seen,
                               100 / (100 - percent));
            const double halvings = std::floor(std::log2(100 / (100 - percent))) + 1;
            percent += 100 / (std::exp2(halvings) * k_ticks_a_halving);
        }
    }
    return out + fmt::format(
                     "#[Mean    = {:12.3f}, StdDeviation   = {:12.3f}]\n"
                     "#[Max     = {:12.3f}, Total count    = {:12d}]\n"
                     "#[Buckets = {:12d}, SubBuckets     = {:12d}]\n",
                     histogram.mean() / scale, histogram.standard_deviation() / scale,
                     static_cast<double>(histogram.max()) / scale, histogram.count(), 57, 256);
}

std::string hlog_header(std::int64_t begin_utc_ns) {
    const double seconds = static_cast<double>(begin_utc_ns) / 1e9;
    return fmt::format(
        "#[Histogram log format version 1.3]\n"
        "#[StartTime: {:.3f} (seconds since epoch)]\n"
        "\"StartTimestamp\",\"Interval_Length\",\"Interval_Max\","
        "\"Interval_Compressed_Histogram\"\n",
        seconds);
}

std::string hlog_line(std::string_view tag, double interval_s, const Histogram& histogram) {
    constexpr double k_ns_a_ms = 1e6;
    return fmt::format("Tag={},0.000,{:.3f},{:.3f},{}\n", tag, interval_s,
                       static_cast<double>(histogram.max()) / k_ns_a_ms, encoded(histogram));
}

}  // namespace damrak::telemetry
