// Exports for HdrHistogram's tools, compared with the output of another implementation.

#include <damrak/telemetry/detail/hdr_export.hpp>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <zlib.h>

namespace damrak::telemetry::hdr_export_test {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;
using Bytes = std::vector<unsigned char>;

Bytes from_base64(std::string_view text) {
    constexpr std::string_view k_digits =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    Bytes bytes;
    std::uint32_t group = 0;
    unsigned bits = 0;
    for (const char c : text.substr(0, text.find('='))) {
        group = group << 6U | static_cast<std::uint32_t>(k_digits.find(c));
        bits += 6;
        if (bits < 8) continue;
        bits -= 8;
        bytes.push_back(static_cast<unsigned char>(group >> bits));
    }
    return bytes;
}

// The payload after the cookie and the compressed length.
Bytes unpacked(std::string_view text) {
    const Bytes packed = from_base64(text);
    Bytes plain(100'000);
    uLongf size = plain.size();
    EXPECT_EQ(packed[0], 0x1c);
    EXPECT_EQ(packed[3], 0x14);
    EXPECT_EQ(uncompress(plain.data(), &size, packed.data() + 8, packed.size() - 8), Z_OK);
    plain.resize(size);
    return plain;
}

TEST(HdrExport, EncodesLikeAnotherImplementation) {
    // By the Python package hdrhistogram 0.10: two significant digits, up to 1,000,000.
    constexpr std::string_view k_theirs =
        "HISTFAAAADB4nJNpmSzMwMAgyAABTFCaEUzyOznYf4AIsDBx3mB5y8zEtpXjwVGOtfxMAKArCCY=";
    const auto histogram = std::make_unique<Histogram>();
    histogram->record(0, 2);
    histogram->record(1);
    histogram->record(7, 300);
    histogram->record(255);
    histogram->record(256, 2);
    histogram->record(257);
    histogram->record(5'000, 70'000);
    histogram->record(1'000'000);
    EXPECT_THAT(encoded(*histogram), StartsWith("HISTFAAAA"));
    EXPECT_EQ(unpacked(encoded(*histogram)), unpacked(k_theirs));
}

TEST(HdrExport, EncodesAnEmptyHistogram) {
    const Histogram empty;
    EXPECT_EQ(unpacked(encoded(empty)).size(), 40U) << "the header alone";
}

TEST(HdrExport, WritesAPercentileDistribution) {
    const auto histogram = std::make_unique<Histogram>();
    for (std::uint64_t value = 1; value <= 100; ++value) histogram->record(value);
    const std::string text = hgrm(*histogram, 1);
    EXPECT_THAT(text, StartsWith("       Value     Percentile TotalCount 1/(1-Percentile)\n\n"
                                 "       1.000 0.000000000000          1           1.00\n"
                                 "      10.000 0.100000000000         10           1.11\n"));
    EXPECT_THAT(text, HasSubstr("      50.000 0.500000000000         50           2.00\n"
                                "      55.000 0.550000000000         55           2.22\n"));
    EXPECT_THAT(text,
                HasSubstr("     100.000 1.000000000000        100\n#[Mean    =       50.500"));
    EXPECT_THAT(text, HasSubstr("#[Max     =      100.000, Total count    =          100]\n"));
}

TEST(HdrExport, ScalesTheValuesOfADistribution) {
    Histogram histogram;
    histogram.record(2'500);
    EXPECT_THAT(hgrm(histogram, 1'000), HasSubstr("       2.500 1.000000000000          1\n"));
}

TEST(HdrExport, WritesALogOfIntervals) {
    Histogram histogram;
    histogram.record(1'500'000);
    EXPECT_THAT(hlog_header(1'700'000'000'500'000'000),
                StartsWith("#[Histogram log format version 1.3]\n"
                           "#[StartTime: 1700000000.500 (seconds since epoch)]\n"));
    EXPECT_EQ(hlog_line("new_order-total", 2.5, histogram),
              "Tag=new_order-total,0.000,2.500,1.500," + encoded(histogram) + "\n");
}

}  // namespace
}  // namespace damrak::telemetry::hdr_export_test
