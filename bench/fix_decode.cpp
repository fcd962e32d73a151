// fix_decode [--messages N] [--json] [--save FILE]: what it costs to read an ExecutionReport of
// FIX.5.0SP2, without and with validation by the whole dictionary, and the checksum alone.
//
// The report answers the order that the encoder's benchmark sends. Each message is copied to where
// the next one arrives, as a receive would do, and then timed by itself: scanned from its bytes,
// and 11, 37, 38, 44, 150, 39, 31 and 32 read as text, exact decimals and letters. Every message
// differs in 11, 17, 34, 37, 38, 44, 52 and 60. What a pair of clock readings costs is subtracted.

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <damrak/base/assert.hpp>
#include <damrak/base/histogram.hpp>
#include <damrak/wire/fix/checksum.hpp>
#include <damrak/wire/fix/decode.hpp>
#include <damrak/wire/fix/dictionary.hpp>

#include "support/cpu_clock.hpp"
#include "support/cycle_clock.hpp"
#include "support/measure.hpp"

namespace damrak::bench {
namespace {

namespace fix = damrak::wire::fix;
namespace tag = damrak::wire::fix::tag;

constexpr std::size_t k_different = 1'000;
constexpr std::size_t k_warm_up = 1'000;

struct Options {
    std::size_t messages = 1'000'000;
    std::string save_path;
    bool json = false;
};

std::string execution_report(std::size_t number) {
    const std::string stamp =
        fmt::format("20251231-18:21:{:02}.{:09}", number % 60, 457'245'600 + number);
    std::string body = fmt::format(
        "35=8|34={0}|49=EXECUTOR|52={1}|56=CLIENT1|50=SRVR_SUB|57=SNDR_SUB|37={2}|11={3}|17={4}|"
        "150=F|39=1|55=NOKIA.HE|54=1|38={5}|44={6}.5|40=2|59=0|31={6}.5|32=4|151={7}|14=4|6={6}.5|"
        "453=2|448=PARTY1|447=D|452=1|448=PARTY2|447=D|452=3|60={1}|",
        number + 2, stamp, (std::uint64_t{1} << 40) + number, number + 1, number + 70'000,
        10 + number % 90, 10'000 + number % 1'000, 6 + number % 90);
    std::ranges::replace(body, '|', fix::k_soh);
    std::string message = fmt::format("8=FIXT.1.1\0019={}\001{}", body.size(), body);
    message += fmt::format("10={:03}\001", fix::checksum_portable(message));
    return message;
}

// Bytes as they come in: each message behind the one before, in memory that is used again.
class Arrivals {
  public:
    Arrivals() : buffer_(k_bytes) {
        for (std::size_t i = 0; i < k_different; ++i) messages_.push_back(execution_report(i));
    }

    [[nodiscard]] std::span<const char> next() {
        const std::string& message = messages_[next_++ % messages_.size()];
        if (at_ + message.size() > buffer_.size()) at_ = 0;
        char* const to = buffer_.data() + at_;
        std::memcpy(to, message.data(), message.size());
        at_ += message.size();
        return {to, message.size()};
    }
    [[nodiscard]] std::size_t message_bytes() const { return messages_.front().size(); }

  private:
    static constexpr std::size_t k_bytes = std::size_t{1} << 16;

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

class Timed {
  public:
    explicit Timed(std::string name) : name_{std::move(name)} {}

    // `work` returns something that depends on all it did.
    template <class Work>
    void run(std::size_t count, Work work) {
        const std::uint64_t overhead = cycle_clock_overhead();
        cycles_.reserve(count);
        for (std::size_t i = 0; i < k_warm_up + count; ++i) {
            const auto bytes = arrivals_.next();
            const std::uint64_t start = cycle_clock_start();
            sum_ += work(bytes);
            const std::uint64_t stop = cycle_clock_stop();
            if (i < k_warm_up) continue;
            cycles_.push_back(stop - start > overhead ? stop - start - overhead : 0);
        }
        std::ranges::sort(cycles_);
        DAMRAK_ASSERT(sum_ != 0);
    }
    [[nodiscard]] double percentile_ns(double percent) const {
        const auto at = static_cast<std::size_t>(percent / 100.0 *
                                                 static_cast<double>(cycles_.size() - 1));
        return static_cast<double>(cycles_[at]) * cycle_ns_;
    }
    [[nodiscard]] const std::string& name() const { return name_; }

  private:
    std::string name_;
    Arrivals arrivals_;
    std::vector<std::uint64_t> cycles_;
    std::uint64_t sum_ = 0;
    double cycle_ns_ = cycle_ns();
};

int run(const Options& options) {
    fix::Decoder decoder;
    fix::Message message;
    const fix::Dictionary& dictionary = fix::Dictionary::of(fix::ApplVersion::fix50sp2);
    Timed plain{"decode"};
    plain.run(options.messages, [&](std::span<const char> bytes) {
        const fix::Scan scan = decoder.scan(bytes, message);
        DAMRAK_ASSERT(scan.status == fix::Scan::Status::message);
        return read_report(message);
    });
    Timed scan_only{"scan"};
    scan_only.run(options.messages, [&](std::span<const char> bytes) {
        const fix::Scan scan = decoder.scan(bytes, message);
        DAMRAK_ASSERT(scan.status == fix::Scan::Status::message);
        return scan.bytes;
    });
    Timed validated{"validated"};
    validated.run(options.messages, [&](std::span<const char> bytes) {
        const fix::Scan scan = decoder.scan(bytes, message);
        DAMRAK_ASSERT(scan.status == fix::Scan::Status::message);
        DAMRAK_ASSERT(!dictionary.validate(message));
        return read_report(message);
    });
    for (const Timed* row : {&scan_only, &plain, &validated})
        fmt::print("{:<12}{:>8.1f}{:>8.1f}{:>8.1f}{:>8.1f}\n", row->name(),
                   row->percentile_ns(50), row->percentile_ns(90), row->percentile_ns(99),
                   row->percentile_ns(99.9));
    return 0;
}

}  // namespace
}  // namespace damrak::bench

int main(int argc, char** argv) {
    using namespace damrak::bench;
    Options options;
    CLI::App app{"reading FIX messages"};
    app.add_option("--messages", options.messages, "timed messages of each row");
    app.add_flag("--json", options.json, "print one JSON object");
    app.add_option("--save", options.save_path, "keep the same object in this file");
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        return app.exit(error) == 0 ? 0 : 2;
    }
    return run(options);
}
