// `damrak journal dump` and `export`: the records of a journal, one a line.
#include <algorithm>
#include <cstdio>
#include <expected>
#include <optional>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include <damrak/journal/reader.hpp>
#include <damrak/wire/byte_sink.hpp>

#include "cli.hpp"
#include "journal_jobs.hpp"
#include "journal_text.hpp"

namespace damrak::app {

namespace {

// `f(record)` for those that are wanted; the error comes after all that could be read.
template <class F>
std::expected<void, std::string> for_each_record(const JournalOptions& options, F&& f) {
    journal::FileSystem& files = journal::real_files();
    auto contents = journal::look_into(files, options.directory);
    if (!contents) return std::unexpected{contents.error()};
    std::uint64_t from = options.from;
    if (from == 0)
        from = contents->segments.empty() ? 1 : contents->segments.front().header.first_sequence;
    auto reader = journal::JournalReader::open(files, options.directory, *contents, from);
    if (!reader) return std::unexpected{reader.error()};
    while (reader->position() <= options.to) {
        const auto records = reader->next(std::min<std::uint64_t>(
            journal::JournalReader::k_batch, options.to - reader->position() + 1));
        if (records.empty()) break;
        for (const journal::Record& record : records) f(record);
    }
    if (reader->stop() == journal::JournalReader::Stop::end) return {};
    return std::unexpected{reader->trouble()};
}

void write_out(std::string_view text) { std::fwrite(text.data(), 1, text.size(), stdout); }

}  // namespace

int dump_journal(const JournalOptions& options) {
    const auto done = for_each_record(options, [&](const journal::Record& record) {
        write_out((options.json ? record_json(record) : record_line(record)) + '\n');
    });
    return done ? k_exit_success : fail(done.error());
}

int export_journal(const JournalOptions& options) {
    std::optional<wire::ByteSink> file;
    if (!options.output.empty()) {
        auto created = wire::ByteSink::create(options.output);
        if (!created) return fail(created.error());
        file.emplace(std::move(*created));
    }
    constexpr std::size_t k_chunk_bytes = 1U << 16U;
    std::uint64_t records = 0;
    std::string lines = csv_header();
    const auto flush = [&] {
        if (file) {
            file->write(lines);
        } else {
            write_out(lines);
        }
        lines.clear();
    };
    const auto done = for_each_record(options, [&](const journal::Record& record) {
        lines += csv_line(record);
        ++records;
        if (lines.size() >= k_chunk_bytes) flush();
    });
    flush();
    if (file) {
        if (const auto closed = file->close(); !closed) return fail(closed.error());
        fmt::print("{} records in {}\n", grouped(static_cast<std::int64_t>(records)),
                   options.output.string());
    }
    return done ? k_exit_success : fail(done.error());
}

}  // namespace damrak::app
