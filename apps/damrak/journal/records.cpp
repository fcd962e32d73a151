// `damrak journal dump` and `export`: the records of a journal, one a line.
#include <algorithm>
#include <cstdio>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <damrak/files/byte_sink.hpp>

#include "cli.hpp"
#include "journal/each_record.hpp"
#include "journal/jobs.hpp"
#include "journal/replay.hpp"
#include "journal/text.hpp"

namespace damrak::app {

namespace {

// Gives the lines of a record: itself, with the ids that orders got, and the trades it made.
class Exporter {
  public:
    Exporter(const JournalOptions& options, const journal::JournalFolder& contents) {
        auto replay = JournalReplay::open(
            options.directory, contents,
            [this](const Event& event, const CommandStamp&) { events_.push_back(event); });
        if (replay)
            replay_.emplace(std::move(*replay));
        else
            fmt::print(stderr, "note: order ids and trades are missing: {}\n", replay.error());
    }
    [[nodiscard]] std::uint64_t first(std::uint64_t wanted) const {
        return replay_ ? std::min(replay_->first(), wanted) : wanted;
    }

    std::string lines(const journal::Record& record, std::uint64_t from) {
        events_.clear();
        const std::uint64_t sequence = record.head.sequence;
        if (replay_ && sequence >= replay_->first()) replay_->apply({&record, 1});
        if (sequence < from) return {};
        journal::Record named = record;
        std::string trades;
        const Event* resting = nullptr;
        for (const Event& event : events_) {
            const bool own = event.command == record.command.kind;
            if (event.kind == EventKind::accepted && own) named.command.order_id = event.order_id;
            if (event.kind == EventKind::replaced && own)
                named.command.new_order_id = event.new_order_id();
            if (event.kind != EventKind::executed || has_flag(event, EventFlags::k_implied))
                continue;
            if (has_flag(event, EventFlags::k_aggressor) && resting != nullptr)
                trades += csv_trade_line(record, event, *resting);
            resting = &event;
        }
        return csv_line(named) + trades;
    }

  private:
    std::vector<Event> events_;
    std::optional<JournalReplay> replay_;
};

// The first record that is wanted.
std::uint64_t first_of(const JournalOptions& options, const journal::JournalFolder& contents) {
    if (options.from != 0) return options.from;
    return contents.segments.empty() ? 1 : contents.segments.front().header.first_sequence;
}

void write_out(std::string_view text) { std::fwrite(text.data(), 1, text.size(), stdout); }

}  // namespace

int dump_journal(const JournalOptions& options) {
    const auto contents = journal::look_into(journal::real_files(), options.directory);
    if (!contents) return fail(contents.error());
    const std::uint64_t from = first_of(options, *contents);
    const auto done = for_each_record(options, *contents, from, [&](const journal::Record& record) {
        write_out((options.json ? record_json(record) : record_line(record)) + '\n');
    });
    return done ? k_exit_success : fail(done.error());
}

int export_journal(const JournalOptions& options) {
    const auto contents = journal::look_into(journal::real_files(), options.directory);
    if (!contents) return fail(contents.error());
    const std::uint64_t from = first_of(options, *contents);
    Exporter exporter{options, *contents};
    std::optional<files::ByteSink> file;
    if (!options.output.empty()) {
        auto created = files::ByteSink::create(options.output);
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
    const auto read = [&](const journal::Record& record) {
        lines += exporter.lines(record, from);
        records += record.head.sequence >= from ? 1U : 0U;
        if (lines.size() >= k_chunk_bytes) flush();
    };
    const auto done = for_each_record(options, *contents, exporter.first(from), read);
    flush();
    if (file) {
        if (const auto closed = file->close(); !closed) return fail(closed.error());
        fmt::print("{} records in {}\n", grouped(static_cast<std::int64_t>(records)),
                   options.output.string());
    }
    return done ? k_exit_success : fail(done.error());
}

}  // namespace damrak::app
