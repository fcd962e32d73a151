// fix_decode [--messages N] [--json] [--save FILE]: what it costs to read an ExecutionReport of
// FIX.5.0SP2, without and with validation by the whole dictionary; checksum and delimiters alone;
// and QuickFIX beside it, where it is installed.
//
// The report answers the order that the encoder's benchmark sends, 37 fields. Each message is
// copied to where the next one arrives, as a receive would do, and then timed by itself: scanned
// from its bytes, and 11, 37, 38, 44, 150, 39, 31 and 32 read as text, exact decimals and letters.
// The decoder profits from what it has seen, so there are three flows:
//   steady     11, 17, 34, 37, 38, 44, 52, 60 and more differ; the lengths of fields rarely do
//   lengths    the lengths of 11, 31, 32, 38, 44 and 55 differ from message to message
//   shapes     optional fields come and go, so that the order of tags is another one every time
// What a pair of clock readings costs is subtracted.

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <damrak/base/assert.hpp>
#include <damrak/base/random.hpp>
#include <damrak/fix_codec/builtin_dictionaries.hpp>
#include <damrak/fix_codec/checksum.hpp>
#include <damrak/fix_codec/decode.hpp>
#include <damrak/fix_codec/delimiters.hpp>
#include <damrak/fix_codec/dictionary.hpp>

#include "support/cpu_clock.hpp"
#include "support/cycle_clock.hpp"
#include "support/driver.hpp"

#if defined(DAMRAK_HAS_QUICKFIX)
#include "quickfix/quickfix_decode.hpp"
#endif

namespace damrak::bench {
namespace {

namespace fix = damrak::fix_codec;
namespace tag = damrak::fix_codec::tag;

constexpr std::size_t k_different = 1'000;
constexpr std::size_t k_warm_up = 1'000;

struct Options {
    std::size_t messages = 1'000'000;
    Output output;
};

enum class Flow : std::uint8_t { steady, lengths, shapes };

struct Report {
    std::uint64_t number = 0;
    std::uint64_t quantity = 0;
    std::uint64_t price = 0;
    std::string symbol = "NOKIA.HE";
    std::string more;
};

Report report_of(Flow flow, std::uint64_t number, RandomStream& random) {
    Report report{
        700'000 + number, 100 + random.below(900), 10'000 + random.below(1'000), "NOKIA.HE", {}};
    if (flow == Flow::lengths) {
        constexpr std::array<std::uint32_t, 5> k_scales{10, 100, 1'000, 10'000, 100'000};
        constexpr std::array k_symbols{"A", "MSFT", "NOKIA.HE", "SPY", "BRK.B"};
        report.number = random.below(k_scales[random.below(5)]);
        report.quantity = 10 + random.below(k_scales[random.below(5)]);
        report.price = 1 + random.below(k_scales[random.below(5)]);
        report.symbol = k_symbols[random.below(5)];
    }
    if (flow == Flow::shapes) {
        constexpr std::array k_optional{"1=ACCOUNT|", "15=EUR|", "58=text|", "75=20251231|",
                                        "207=XHEL|",  "198=2|",  "528=A|",   "30=XHEL|"};
        for (const char* field : k_optional)
            if (random.below(2) == 0) report.more += field;
    }
    return report;
}

std::string bytes_of(const Report& report) {
    const std::string stamp =
        fmt::format("20251231-18:21:{:02}.{:09}", report.number % 60, 457'245'600 + report.number);
    std::string body = fmt::format(
        "35=8|34={0}|49=EXECUTOR|52={1}|56=CLIENT1|50=SRVR_SUB|57=SNDR_SUB|37={2}|11={0}|17={0}|"
        "150=F|39=1|55={3}|54=1|38={4}|44={5}.5|40=2|59=0|31={5}.5|32=4|151={4}|14=4|6={5}.5|{6}"
        "453=2|448=PARTY1|447=D|452=1|448=PARTY2|447=D|452=3|60={1}|",
        report.number, stamp, (std::uint64_t{1} << 40U) + report.number, report.symbol,
        report.quantity, report.price, report.more);
    std::ranges::replace(body, '|', fix::k_soh);
    std::string message = fmt::format("8=FIXT.1.1\0019={}\001{}", body.size(), body);
    message += fmt::format("10={:03}\001", fix::checksum_portable(message));
    return message;
}

// Bytes as they come in: each message behind the one before, in memory that is used again.
class Arrivals {
  public:
    explicit Arrivals(Flow flow) : buffer_(k_bytes) {
        RandomStream random{7};
        for (std::size_t i = 0; i < k_different; ++i)
            messages_.push_back(bytes_of(report_of(flow, i, random)));
    }

    [[nodiscard]] std::span<const char> next() {
        const std::string& message = messages_[next_++ % messages_.size()];
        if (at_ + message.size() > buffer_.size()) at_ = 0;
        char* const to = buffer_.data() + at_;
        std::ranges::copy(message, to);
        at_ += message.size();
        return {to, message.size()};
    }

  private:
    static constexpr std::size_t k_bytes = std::size_t{1} << 16U;

    std::vector<std::string> messages_;
    std::vector<char> buffer_;
    std::size_t next_ = 0;
    std::size_t at_ = 0;
};

// All that is read of a report, so that nothing can be left out.
[[nodiscard]] std::uint64_t read_report(const fix::Message& message) {
    constexpr int k_price_digits = 4;
    const std::string_view client_id = message.text_or_empty(tag::cl_ord_id);
    const std::string_view order_id = message.text_or_empty(tag::order_id);
    const auto quantity = message.decimal(tag::order_qty, 0);
    const auto price = message.decimal(tag::price, k_price_digits);
    const auto last_price = message.decimal(tag::last_px, k_price_digits);
    const auto last_quantity = message.decimal(tag::last_qty, 0);
    const auto type = message.character(tag::exec_type);
    const auto status = message.character(tag::ord_status);
    DAMRAK_ASSERT(quantity && price && last_price && last_quantity && type && status);
    return client_id.size() + order_id.size() + static_cast<std::uint64_t>(*quantity) +
           static_cast<std::uint64_t>(*price) + static_cast<std::uint64_t>(*last_price) +
           static_cast<std::uint64_t>(*last_quantity) + static_cast<std::uint64_t>(*type) +
           static_cast<std::uint64_t>(*status);
}

struct Row {
    std::string name;
    double p50_ns = 0;
    double p90_ns = 0;
    double p99_ns = 0;
    double p99_9_ns = 0;
    double max_ns = 0;
};

// `work` returns something that depends on all it did.
template <class Work>
[[nodiscard]] Row time_row(std::string name, Flow flow, std::size_t count, Work work) {
    static const CycleScale scale;
    Arrivals arrivals{flow};
    std::vector<std::uint64_t> cycles;
    cycles.reserve(count);
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < k_warm_up + count; ++i) {
        const auto bytes = arrivals.next();
        const std::uint64_t start = cycle_clock_start();
        sum += work(bytes);
        const std::uint64_t stop = cycle_clock_stop();
        if (i >= k_warm_up) cycles.push_back(stop - start);
    }
    DAMRAK_ASSERT(sum != 0);
    std::ranges::sort(cycles);
    const auto percentile_ns = [&](double percent) {
        const double at = percent / 100.0 * static_cast<double>(cycles.size() - 1);
        return scale.ns(cycles[static_cast<std::size_t>(at)]);
    };
    return {std::move(name),   percentile_ns(50),   percentile_ns(90),
            percentile_ns(99), percentile_ns(99.9), percentile_ns(100)};
}

[[nodiscard]] std::uint64_t decode(fix::Decoder& decoder, std::span<const char> bytes,
                                   const fix::Dictionary* dictionary) {
    fix::Message message;
    const fix::Scan scan = decoder.scan(bytes, message);
    DAMRAK_ASSERT(scan.status == fix::Scan::Status::message);
    if (dictionary != nullptr) DAMRAK_ASSERT(!dictionary->validate(message));
    return read_report(message);
}

void add_our_rows(std::vector<Row>& rows, std::size_t count) {
    const fix::Dictionary& dictionary = fix::Dictionary::of(fix::ApplVersion::fix50sp2);
    constexpr std::array<std::pair<Flow, std::string_view>, 3> k_flows{
        {{Flow::steady, "steady"}, {Flow::lengths, "lengths"}, {Flow::shapes, "shapes"}}};
    for (const auto& [flow, name] : k_flows) {
        for (const fix::Dictionary* judge :
             {static_cast<const fix::Dictionary*>(nullptr), &dictionary}) {
            fix::Decoder decoder;
            rows.push_back(time_row(
                fmt::format("{} {}", name, judge == nullptr ? "decode" : "validated"), flow, count,
                [&](std::span<const char> bytes) { return decode(decoder, bytes, judge); }));
        }
    }
}

void add_part_rows(std::vector<Row>& rows, std::size_t count) {
    const auto add = [&](std::string name, auto work) {
        rows.push_back(time_row(std::move(name), Flow::steady, count, work));
    };
    add("checksum avx2",
        [](std::span<const char> b) { return std::uint64_t{fix::checksum(b)} + 1; });
    add("checksum portable",
        [](std::span<const char> b) { return std::uint64_t{fix::checksum_portable(b)} + 1; });
    fix::Delimiters found;
    add("delimiters avx2", [&](std::span<const char> b) {
        return find_delimiters(b, found) ? found.sum + found.at[7] : 0;
    });
    add("delimiters portable", [&](std::span<const char> b) {
        return find_delimiters_portable(b, found) ? found.sum + found.at[7] : 0;
    });
}

void add_quickfix_rows([[maybe_unused]] std::vector<Row>& rows,
                       [[maybe_unused]] std::size_t count) {
#if defined(DAMRAK_HAS_QUICKFIX)
    const damrak_quickfix::Decoder quickfix{fix::builtin_dictionary(fix::BeginString::fixt11),
                                            fix::builtin_dictionary(fix::ApplVersion::fix50sp2)};
    for (const bool validate : {false, true})
        rows.push_back(time_row(validate ? "quickfix validated" : "quickfix decode", Flow::steady,
                                count, [&](std::span<const char> bytes) {
                                    return quickfix.read(bytes.data(), bytes.size(), validate);
                                }));
#endif
}

nlohmann::ordered_json to_json(const Row& row) {
    return {{"p50", row.p50_ns},
            {"p90", row.p90_ns},
            {"p99", row.p99_ns},
            {"p99_9", row.p99_9_ns},
            {"max", row.max_ns}};
}

int run(const Options& options) {
    constexpr std::size_t k_share_of_others = 10;
    std::vector<Row> rows;
    add_our_rows(rows, options.messages);
    add_part_rows(rows, options.messages / k_share_of_others);
    add_quickfix_rows(rows, options.messages / k_share_of_others);
    nlohmann::ordered_json out = to_json(rows[0]);  // of the steady flow, in nanoseconds
    out["validated"] = to_json(rows[1]);
    out["messages"] = options.messages;
    out["machine"] = machine_name();
    out["compiler"] = compiler_name();
    for (const Row& row : rows) out["rows"][row.name] = to_json(row);
    if (!options.output.json) {
        fmt::print("{}, {}; ns a message, {} messages\n\n{:<22}{:>9}{:>9}{:>9}{:>9}{:>10}\n",
                   machine_name(), compiler_name(), options.messages, "", "p50", "p90", "p99",
                   "p99.9", "max");
        for (const Row& row : rows)
            fmt::print("{:<22}{:>9.0f}{:>9.0f}{:>9.0f}{:>9.0f}{:>10.0f}\n", row.name, row.p50_ns,
                       row.p90_ns, row.p99_ns, row.p99_9_ns, row.max_ns);
    }
    return options.output.deliver(out);
}

}  // namespace
}  // namespace damrak::bench

int main(int argc, char** argv) {
    using namespace damrak::bench;
    Options options;
    CLI::App app{"reading FIX messages"};
    app.add_option("--messages", options.messages, "timed messages of each row")
        ->check(CLI::Range(std::size_t{1'000}, std::size_t{100'000'000}));
    options.output.add_to(app);
    return run_driver(app, argc, argv, [&] { return run(options); });
}
