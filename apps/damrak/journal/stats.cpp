// `damrak journal stats`: commands by kind, sizes, rates and the time they span.
#include <algorithm>
#include <array>
#include <cstdint>
#include <string>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <damrak/base/time_units.hpp>
#include <damrak/journal/recovery.hpp>
#include <damrak/journal/snapshot.hpp>

#include "cli.hpp"
#include "journal/jobs.hpp"
#include "journal/text.hpp"

namespace damrak::app {

namespace {

struct Statistics {
    std::array<std::uint64_t, 256> by_kind{};
    Timestamp first_time{};
    Timestamp last_time{};
    std::uint64_t busiest = 0;  ///< most records of one second of the clock
    std::int64_t busiest_second = 0;
    std::uint64_t segment_bytes = 0;
    std::uint64_t snapshots = 0;
    std::uint64_t snapshot_bytes = 0;

    void add(const journal::Record& record) {
        ++by_kind[record.head.kind];
        const Timestamp time = record.command.timestamp;
        if (records_++ == 0) first_time = time;
        last_time = time;
        // Time does not go back, so a second is over once another begins.
        const std::int64_t second = time.value / k_second_ns;
        if (second != second_) in_second_ = 0;
        second_ = second;
        if (++in_second_ <= busiest) return;
        busiest = in_second_;
        busiest_second = second;
    }
    [[nodiscard]] std::uint64_t records() const { return records_; }
    [[nodiscard]] double seconds() const {
        return static_cast<double>(last_time.value - first_time.value) / k_second_ns;
    }
    [[nodiscard]] double mean_rate() const {
        return seconds() > 0 ? static_cast<double>(records_) / seconds() : 0.0;
    }

  private:
    std::uint64_t records_ = 0;
    std::int64_t second_ = INT64_MIN;
    std::uint64_t in_second_ = 0;
};

void print(const Statistics& statistics, const journal::Recovery& journal) {
    const auto count = [](std::uint64_t n) { return grouped(static_cast<std::int64_t>(n)); };
    fmt::print("records    {} ({} to {})\n", count(statistics.records()), journal.first_sequence,
               journal.last_sequence);
    fmt::print("files      {} segments of {} bytes, {} snapshots of {} bytes\n", journal.segments,
               count(statistics.segment_bytes), statistics.snapshots,
               count(statistics.snapshot_bytes));
    if (statistics.records() == 0) return;
    fmt::print("time       {} to {}\n", utc_text(statistics.first_time),
               utc_text(statistics.last_time));
    fmt::print("rate       {:.1f} per second on average, {} in the busiest second ({})\n",
               statistics.mean_rate(), count(statistics.busiest),
               utc_text(Timestamp{statistics.busiest_second * k_second_ns}));
    for (std::size_t kind = 0; kind < statistics.by_kind.size(); ++kind)
        if (const std::uint64_t number = statistics.by_kind[kind]; number > 0)
            fmt::print(
                "  {:<22} {:>15}  {:5.1f} %\n", kind_name(static_cast<std::uint8_t>(kind)),
                count(number),
                100.0 * static_cast<double>(number) / static_cast<double>(statistics.records()));
}

nlohmann::ordered_json to_json(const Statistics& statistics, const journal::Recovery& journal) {
    nlohmann::ordered_json kinds = nlohmann::ordered_json::object();
    for (std::size_t kind = 0; kind < statistics.by_kind.size(); ++kind)
        if (statistics.by_kind[kind] > 0)
            kinds[kind_name(static_cast<std::uint8_t>(kind))] = statistics.by_kind[kind];
    nlohmann::ordered_json object{{"records", statistics.records()},
                                  {"first_sequence", journal.first_sequence},
                                  {"last_sequence", journal.last_sequence},
                                  {"synced", journal.synced},
                                  {"segments", journal.segments},
                                  {"segment_bytes", statistics.segment_bytes},
                                  {"snapshots", statistics.snapshots},
                                  {"snapshot_bytes", statistics.snapshot_bytes},
                                  {"kinds", kinds}};
    if (statistics.records() > 0) {
        object["first_time"] = utc_text(statistics.first_time);
        object["last_time"] = utc_text(statistics.last_time);
        object["seconds"] = statistics.seconds();
        object["records_per_s_mean"] = statistics.mean_rate();
        object["records_in_busiest_second"] = statistics.busiest;
    }
    if (!journal.cut.empty()) object["cut"] = journal.cut;
    return object;
}

}  // namespace

int show_journal_statistics(const JournalOptions& options) {
    journal::FileSystem& files = journal::real_files();
    const auto contents = journal::look_into(files, options.directory);
    if (!contents) return fail(contents.error());
    Statistics statistics;
    for (const auto& segment : contents->segments)
        statistics.segment_bytes += segment.header.segment_bytes;
    const auto snapshots = journal::list_snapshots(files, options.directory);
    if (!snapshots) return fail(snapshots.error());
    for (const auto& snapshot : *snapshots) {
        ++statistics.snapshots;
        statistics.snapshot_bytes += snapshot.bytes;
    }
    const std::uint64_t from =
        contents->segments.empty() ? 1 : contents->segments.front().header.first_sequence;
    const auto read = journal::recover(files, options.directory, {.from = from, .cut = false},
                                       [&](std::span<const journal::Record> records) {
                                           for (const auto& record : records)
                                               statistics.add(record);
                                       });
    if (!read) return fail(read.error());
    if (options.json) {
        print_json(to_json(statistics, *read));
    } else {
        print(statistics, *read);
    }
    return k_exit_success;
}

}  // namespace damrak::app
