// archive FILE.itch [--runs N] [--asks N] [--json] [--save FILE]: a day into the archive and out of
// it, beside zstd on the same bytes: CPU time a message of writing and reading, bytes a message,
// and the time of the book at a random instant, each with its distribution.
//
// The reference rows compress and decompress the same messages, in blocks of as many, with zstd
// alone at the archive's level. Runs are interleaved; medians are reported.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <expected>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <unistd.h>
#include <zstd.h>

#include <damrak/archive/day.hpp>
#include <damrak/archive/day_cursor.hpp>
#include <damrak/archive/day_writer.hpp>
#include <damrak/base/histogram.hpp>
#include <damrak/base/random.hpp>
#include <damrak/files/byte_source.hpp>
#include <damrak/wire/itch/file_reader.hpp>
#include <damrak/wire/itch/walk.hpp>

#include "support/cpu_clock.hpp"
#include "support/driver.hpp"

namespace damrak::bench {
namespace {

namespace itch = wire::itch;

struct Options {
    std::filesystem::path day;
    int runs = 3;
    int asks = 1'000;
    Output output;
};

constexpr int k_level = 3;  ///< of the archive

/// The messages in memory, whole blocks of the archive's size apart.
struct Flow {
    std::vector<std::byte> bytes;
    std::vector<std::size_t> ends;  ///< of the blocks
    std::uint64_t messages = 0;

    void on(const auto& message) {
        using M = std::remove_cvref_t<decltype(message)>;
        const std::size_t at = bytes.size();
        bytes.resize(at + itch::k_frame_length<M>);
        itch::encode_frame(message,
                           std::span{bytes}.subspan(at).template first<itch::k_frame_length<M>>());
        if (++messages % archive::k_block_messages == 0) ends.push_back(bytes.size());
    }
    [[nodiscard]] std::span<const std::byte> block(std::size_t i) const {
        const std::size_t begin = i == 0 ? 0 : ends[i - 1];
        return std::span{bytes}.subspan(begin, ends[i] - begin);
    }
};

std::expected<Flow, std::string> read_flow(const std::filesystem::path& file) {
    auto reader = itch::FileReader::open(file);
    if (!reader) return std::unexpected{reader.error().text};
    Flow flow;
    if (const auto read = reader->read_all(flow); !read) return std::unexpected{read.error().text};
    if (flow.messages == 0) return std::unexpected{file.string() + ": it has no messages"};
    if (flow.ends.empty() || flow.ends.back() != flow.bytes.size())
        flow.ends.push_back(flow.bytes.size());
    return flow;
}

using Blocks = std::vector<std::vector<std::byte>>;

Blocks compressed(const Flow& flow) {
    Blocks blocks;
    for (std::size_t i = 0; i < flow.ends.size(); ++i) {
        const auto block = flow.block(i);
        auto& out = blocks.emplace_back(ZSTD_compressBound(block.size()));
        out.resize(ZSTD_compress(out.data(), out.size(), block.data(), block.size(), k_level));
    }
    return blocks;
}

double time_zstd_write_ns(const Flow& flow) {
    const std::int64_t start_ns = cpu_time_ns();
    const Blocks blocks = compressed(flow);
    asm volatile("" : : "r"(blocks.data()) : "memory");
    return static_cast<double>(cpu_time_ns() - start_ns) / static_cast<double>(flow.messages);
}

double time_zstd_read_ns(const Flow& flow, const Blocks& blocks) {
    const std::int64_t start_ns = cpu_time_ns();
    for (std::size_t i = 0; i < blocks.size(); ++i) {
        std::vector<std::byte> out(flow.block(i).size());
        ZSTD_decompress(out.data(), out.size(), blocks[i].data(), blocks[i].size());
        asm volatile("" : : "r"(out.data()) : "memory");
    }
    return static_cast<double>(cpu_time_ns() - start_ns) / static_cast<double>(flow.messages);
}

struct Into {
    archive::DayWriter& writer;
    void on(const auto& message) { writer.add(message); }
};

struct Written {
    double ns = 0;
    archive::DayTotals totals;
};

std::expected<Written, std::string> write_day(const Flow& flow, const std::filesystem::path& file) {
    const std::int64_t start_ns = cpu_time_ns();
    auto writer = archive::DayWriter::create(file, {.source = "benchmark"});
    if (!writer) return std::unexpected{writer.error()};
    Into into{*writer};
    static_cast<void>(itch::walk(flow.bytes, into));
    const auto totals = writer->close();
    if (!totals) return std::unexpected{totals.error()};
    return Written{
        .ns = static_cast<double>(cpu_time_ns() - start_ns) / static_cast<double>(flow.messages),
        .totals = *totals};
}

std::expected<double, std::string> time_read_ns(const archive::Day& day, const Flow& flow) {
    const std::int64_t start_ns = cpu_time_ns();
    for (archive::DayCursor cursor{day};;) {
        const auto block = cursor.next();
        if (!block) return std::unexpected{block.error().text};
        if (!*block) break;
        asm volatile("" : : "r"((*block)->frames.data()) : "memory");
    }
    const double ns =
        static_cast<double>(cpu_time_ns() - start_ns) / static_cast<double>(flow.messages);
    std::size_t at = 0;
    archive::DayCursor cursor{day};
    for (auto block = cursor.next(); block && *block; block = cursor.next()) {
        const auto& frames = (*block)->frames;
        if (!std::ranges::equal(frames, std::span{flow.bytes}.subspan(at, frames.size())))
            return std::unexpected{
                fmt::format("the block of message {} differs", (*block)->first_message)};
        at += frames.size();
    }
    return ns;
}

/// Books of random instruments at random instants, warm.
std::expected<void, std::string> ask(const archive::Day& day, int asks, Histogram& latencies) {
    const auto instruments = day.instruments();
    if (instruments.empty()) return std::unexpected{"the day has no instruments"};
    RandomStream random{20261123};
    const std::int64_t span_ns = day.last_time_ns() - day.first_time_ns();
    const auto count = static_cast<std::uint32_t>(instruments.size());
    for (int i = 0; i < asks; ++i) {
        const auto& one = instruments[random.below(count)];
        const std::int64_t time_ns =
            day.first_time_ns() +
            static_cast<std::int64_t>(random.next() % (static_cast<std::uint64_t>(span_ns) + 1));
        const std::int64_t start_ns = cpu_time_ns();
        const auto book = day.book_at(one.locate, time_ns);
        const std::int64_t spent_ns = cpu_time_ns() - start_ns;
        if (!book) return std::unexpected{book.error()};
        latencies.record(static_cast<std::uint64_t>(spent_ns));
    }
    return {};
}

struct Result {
    std::uint64_t messages = 0;
    archive::DayTotals totals;
    std::uint64_t zstd_bytes = 0;
    double zstd_write_ns = 0, write_ns = 0, zstd_read_ns = 0, read_ns = 0;
    double book_us_p50 = 0, book_us_p99 = 0, book_us_max = 0;
};

std::expected<Result, std::string> measure(const Options& options) {
    const auto flow = read_flow(options.day);
    if (!flow) return std::unexpected{flow.error()};
    const Blocks blocks = compressed(*flow);
    Result result;
    result.messages = flow->messages;
    for (const auto& block : blocks) result.zstd_bytes += block.size();
    const auto file =
        std::filesystem::temp_directory_path() / fmt::format("damrak-bench-{}.dar", ::getpid());
    std::vector<double> zstd_write, write, zstd_read, read;
    Histogram latencies;
    std::string failure;
    for (int run = 0; run < options.runs && failure.empty(); ++run) {
        zstd_write.push_back(time_zstd_write_ns(*flow));
        const auto written = write_day(*flow, file);
        if (!written) return std::unexpected{written.error()};
        write.push_back(written->ns);
        result.totals = written->totals;
        zstd_read.push_back(time_zstd_read_ns(*flow, blocks));
        const auto day = archive::Day::open(file);
        if (!day) return std::unexpected{day.error()};
        const auto took = time_read_ns(*day, *flow);
        if (!took) return std::unexpected{took.error()};
        read.push_back(*took);
        if (run + 1 == options.runs)
            if (const auto asked = ask(*day, options.asks, latencies); !asked)
                failure = asked.error();
    }
    std::filesystem::remove(file);
    if (!failure.empty()) return std::unexpected{failure};
    constexpr double k_us = 1e3;
    result.zstd_write_ns = median(zstd_write);
    result.write_ns = median(write);
    result.zstd_read_ns = median(zstd_read);
    result.read_ns = median(read);
    result.book_us_p50 = static_cast<double>(latencies.percentile(50)) / k_us;
    result.book_us_p99 = static_cast<double>(latencies.percentile(99)) / k_us;
    result.book_us_max = static_cast<double>(latencies.max()) / k_us;
    return result;
}

double bytes_each(std::uint64_t bytes, const Result& result) {
    return static_cast<double>(bytes) / static_cast<double>(result.messages);
}

void print_table(const Result& result, const Options& options) {
    fmt::print("{}, {}; CPU ns a message, median of {} interleaved runs\n", machine_name(),
               compiler_name(), options.runs);
    fmt::print("{}: {} messages\n\n", options.day.filename().string(), result.messages);
    fmt::print("{:<14}{:>8}{:>12}{:>10}{:>12}\n", "row", "ns", "million/s", "of zstd",
               "bytes each");
    const auto line = [&](std::string_view name, double ns, double reference, double bytes) {
        fmt::print("{:<14}{:>8.1f}{:>12.1f}{:>10.2f}{:>12.2f}\n", name, ns, 1e3 / ns,
                   ns / reference, bytes);
    };
    const double ours = bytes_each(result.totals.archive_bytes, result);
    const double zstd = bytes_each(result.zstd_bytes, result);
    line("zstd write", result.zstd_write_ns, result.zstd_write_ns, zstd);
    line("archive write", result.write_ns, result.zstd_write_ns, ours);
    line("zstd read", result.zstd_read_ns, result.zstd_read_ns, zstd);
    line("archive read", result.read_ns, result.zstd_read_ns, ours);
    fmt::print("\nbook at an instant, {} asked: p50 {:.0f} us, p99 {:.0f} us, longest {:.0f} us\n",
               options.asks, result.book_us_p50, result.book_us_p99, result.book_us_max);
}

int run(const Options& options) {
    const auto result = measure(options);
    if (!result) {
        fmt::print(stderr, "archive: {}\n", result.error());
        return 1;
    }
    if (!options.output.json) print_table(*result, options);
    nlohmann::ordered_json out;
    out["machine"] = machine_name();
    out["compiler"] = compiler_name();
    out["runs"] = options.runs;
    out["day"] = options.day.filename().string();
    out["messages"] = result->messages;
    out["archive_bytes"] = result->totals.archive_bytes;
    out["checkpoint_bytes"] = result->totals.checkpoint_bytes;
    out["zstd_bytes"] = result->zstd_bytes;
    out["zstd_write_ns"] = result->zstd_write_ns;
    out["write_ns"] = result->write_ns;
    out["zstd_read_ns"] = result->zstd_read_ns;
    out["read_ns"] = result->read_ns;
    out["asks"] = options.asks;
    out["book_us_p50"] = result->book_us_p50;
    out["book_us_p99"] = result->book_us_p99;
    out["book_us_max"] = result->book_us_max;
    return options.output.deliver(out);
}

}  // namespace
}  // namespace damrak::bench

int main(int argc, char** argv) {
    using namespace damrak::bench;
    Options options;
    CLI::App app{"A recorded day into the archive and out of it, beside zstd"};
    app.add_option("day", options.day, "ITCH 5.0 file")->required()->check(CLI::ExistingFile);
    app.add_option("--runs", options.runs, "interleaved runs")->check(CLI::Range(1, 1000));
    app.add_option("--asks", options.asks, "books to ask for")->check(CLI::Range(1, 1'000'000));
    options.output.add_to(app);
    return run_driver(app, argc, argv, [&] { return run(options); });
}
