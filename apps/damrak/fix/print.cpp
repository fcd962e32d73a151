// `damrak fix print`: messages with the names of their fields, from a store or from any other file.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <damrak/fix_codec/decode.hpp>

#include "cli.hpp"
#include "fix/jobs.hpp"
#include "fix/text.hpp"
#include "journal/text.hpp"
#include "say.hpp"

namespace damrak::app {

namespace {

using fix_codec::Scan;
using session::fix::RecordKind;
using session::fix::StoreFileReader;
using session::fix::StoreRecord;

constexpr std::size_t k_largest_message_bytes = std::size_t{1} << 20U;
constexpr std::chrono::milliseconds k_pause{100};

class Printer {
  public:
    Printer(std::vector<FixFilter> filters, bool incoming)
        : filters_(std::move(filters)),
          kind_(incoming ? RecordKind::incoming : RecordKind::message) {}

    void print(const StoreRecord& record) {
        if (record.kind != kind_ || record.content.empty()) return;
        const Scan scan = decoder_.scan(record.content, message_);
        const std::string before = utc_text(record.kept.time) + ' ';
        if (scan.status == Scan::Status::message) {
            print_message(before);
        } else if (filters_.empty()) {
            write(before +
                  fmt::format("{} not a FIX message: {}", record.sequence, text(scan.reason)));
        }
    }
    /// All that is whole in `bytes`; returns how many were used.
    std::size_t print(std::span<const char> bytes) {
        std::size_t used = 0;
        while (used < bytes.size()) {
            const Scan scan = decoder_.scan(bytes.subspan(used), message_);
            if (scan.status == Scan::Status::need_more) break;
            if (scan.status == Scan::Status::message) print_message({});
            const std::size_t passed = std::min(scan.bytes, bytes.size() - used);
            skipped_ += scan.status == Scan::Status::message ? 0 : passed;
            used += passed;
        }
        return used;
    }
    void tell_damage(const std::filesystem::path& path, std::uint64_t offset, std::uint64_t bytes) {
        flush();
        say("damrak: {}: {} bytes at offset {} are damaged\n", path.string(), bytes, offset);
    }
    static void flush() { std::fflush(stdout); }
    [[nodiscard]] std::uint64_t skipped() const { return skipped_; }

  private:
    void print_message(const std::string& before) {
        if (passes(message_, filters_)) write(before + fix_line(message_));
    }
    static void write(const std::string& line) { fmt::print("{}\n", line); }

    std::vector<FixFilter> filters_;
    RecordKind kind_;
    fix_codec::Decoder decoder_{fix_codec::Decoder::k_maximum_fields, k_largest_message_bytes};
    fix_codec::Message message_;
    std::uint64_t skipped_ = 0;
};

// Prints the available records of a file; `reader` keeps the position.
void print_records(const FixStoreFile& file, StoreFileReader& reader, Printer& printer) {
    using Found = StoreFileReader::Found;
    for (Found found = reader.next(); found != Found::end; found = reader.next()) {
        if (found == Found::record) {
            printer.print(reader.record());
            continue;
        }
        // At the end it may be one that is being written.
        if (!reader.damage().unfinished)
            printer.tell_damage(file.path, reader.damage().offset, reader.damage().bytes);
        if (reader.damage().at_the_end) break;
    }
    Printer::flush();
}

int print_store_file(const FixOptions& options, Printer& printer) {
    const auto file = open_fix_file(options.path);
    if (!file) return fail(file.error());
    StoreFileReader reader{file->bytes(), file->header.number};
    print_records(*file, reader, printer);
    while (options.follow) {
        std::this_thread::sleep_for(k_pause);
        print_records(*file, reader, printer);
    }
    return k_exit_success;
}

int print_store(const FixOptions& options, Printer& printer) {
    std::uint64_t from = 1;
    for (;;) {
        const auto numbers = fix_file_numbers(options.path, from);
        if (!numbers) return fail(numbers.error());
        if (numbers->empty()) {
            if (!options.follow)
                return from > 1 ? k_exit_success
                                : fail(fmt::format("{}: no files with FIX messages found",
                                                   options.path.string()));
            std::this_thread::sleep_for(k_pause);
            continue;
        }
        const auto file =
            open_fix_file(options.path / session::fix::store_file_name(numbers->front()));
        if (!file) return fail(file.error());
        StoreFileReader reader{file->bytes(), file->header.number};
        print_records(*file, reader, printer);
        from = numbers->front() + 1;
        while (options.follow) {
            // The next file is made ahead; this one is done when the next has begun.
            const auto later = fix_file_numbers(options.path, from);
            if (later && !later->empty()) {
                const auto next =
                    open_fix_file(options.path / session::fix::store_file_name(later->front()));
                if (next && StoreFileReader{next->bytes(), next->header.number}.next() ==
                                StoreFileReader::Found::record)
                    break;
            }
            std::this_thread::sleep_for(k_pause);
            print_records(*file, reader, printer);
        }
        print_records(*file, reader, printer);
    }
}

int print_stream(const FixOptions& options, Printer& printer) {
    std::ifstream file{options.path, std::ios::binary};
    if (!file) return fail(fmt::format("cannot open {}", options.path.string()));
    constexpr std::size_t k_step = std::size_t{1} << 16U;
    std::vector<char> bytes;
    for (;;) {
        const std::size_t before = bytes.size();
        bytes.resize(before + k_step);
        file.read(bytes.data() + before, static_cast<std::streamsize>(k_step));
        bytes.resize(before + static_cast<std::size_t>(file.gcount()));
        const std::size_t used = printer.print(bytes);
        bytes.erase(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(used));
        if (file) continue;
        Printer::flush();
        if (!options.follow) break;
        file.clear();
        std::this_thread::sleep_for(k_pause);
    }
    if (const std::uint64_t skipped = printer.skipped() + bytes.size(); skipped > 0)
        say("damrak: {}: {} bytes are not FIX messages\n", options.path.string(), skipped);
    return k_exit_success;
}

bool is_store_file(const std::filesystem::path& path) {
    std::ifstream file{path, std::ios::binary};
    std::string magic(8, '\0');
    file.read(magic.data(), static_cast<std::streamsize>(magic.size()));
    return magic == "DAMRKFIX";
}

}  // namespace

int print_fix(const FixOptions& options) {
    auto filters = parse_fix_filters(options.tags);
    if (!filters) return fail_usage(filters.error(), "fix");
    Printer printer{std::move(*filters), options.incoming};
    std::error_code error;
    if (std::filesystem::is_directory(options.path, error)) return print_store(options, printer);
    if (is_store_file(options.path)) return print_store_file(options, printer);
    return print_stream(options, printer);
}

}  // namespace damrak::app
