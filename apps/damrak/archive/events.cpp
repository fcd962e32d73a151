#include "archive/events.hpp"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <damrak/archive/day_file.hpp>
#include <damrak/archive/event_file.hpp>
#include <damrak/archive/event_search.hpp>
#include <damrak/base/number_text.hpp>
#include <damrak/feed/feed_session.hpp>

#include "say.hpp"

namespace damrak::app {

namespace {

using archive::EventFile;
using archive::LoggedEvent;
using archive::LoggedInstrument;
using Json = nlohmann::ordered_json;

struct EventOptions {
    std::filesystem::path file;
    archive::EventQuestion question;
    bool json = false;
};

constexpr const char* k_columns =
    "record,time_ns,event,instrument,participant,order,reference,side,price,quantity,remaining,"
    "displayed,flags,reason\n";

void print(const EventOptions& options, const LoggedEvent& logged,
           const LoggedInstrument& instrument) {
    if (options.json) {
        std::string line;
        archive::append_event(line, logged, instrument);
        fmt::print("{}\n", line);
        return;
    }
    const Event& event = logged.event;
    const archive::EventText text{logged, instrument};
    fmt::print("{},{},{},{},{},{},{},{},{},{},{},{},{},{}\n", logged.record, logged.time_ns,
               text.event, instrument.symbol.view(), event.participant.value, event.order_id.value,
               event.reference, text.side, text.price, event.quantity.value, event.remaining.value,
               event.displayed.value, fmt::join(text.flags, "+"), text.reason);
}

int show_events(const EventOptions& options) {
    const auto path = archive::event_file_of(options.file);
    if (!path) return fail(path.error());
    auto file = archive::EventFile::open(*path);
    if (!file) return fail(file.error());
    for (const std::string& damage : file->damage()) say("damrak: note: {}\n", damage);
    archive::EventFilter filter{options.question, file->instruments()};
    std::uint64_t printed = 0;
    bool whole = file->damage().empty();
    if (!options.json) fmt::print("{}", k_columns);
    for (std::size_t i = 0; i < file->blocks(); ++i) {
        if (filter.may_skip(file->block(i))) continue;
        const auto events = file->read_block(i);
        if (!events) {
            say("damrak: {}\n", events.error());
            whole = false;
            continue;
        }
        for (const LoggedEvent& event : *events) {
            if (!filter.has(event)) continue;
            print(options, event, filter.instrument(event.event.instrument));
            ++printed;
        }
    }
    if (const std::uint64_t order = options.question.order; order != 0 && printed == 0)
        return fail(fmt::format("{}: there is no order {}", options.file.string(), order));
    return whole ? k_exit_success : k_exit_failure;
}

std::uint64_t first_record(const EventFile& file) {
    return file.blocks() == 0 ? 0 : file.block(0).first_record;
}

}  // namespace

void add_archive_events(CLI::App& archive, Job& job) {
    CLI::App* const command = archive.add_subcommand(
        "events", "Shows what the engine of an exchange did, with owners and hidden quantities");
    const auto options = std::make_shared<EventOptions>();
    command
        ->add_option("FILE", options->file,
                     "DATA/archive/SESSION.events, or DATA if it has only one")
        ->required();
    command->add_option("--order", options->question.order,
                        "only this order, through its replaces");
    command->add_option("--participant", options->question.participant, "only this participant");
    command->add_option("--symbol", options->question.symbol, "only this instrument");
    command
        ->add_option("--from", options->question.from,
                     "first record of the journal; default: the oldest")
        ->check(CLI::Range(std::uint64_t{1}, UINT64_MAX));
    command
        ->add_option("--to", options->question.to,
                     "last record of the journal; default: the newest")
        ->check(CLI::Range(std::uint64_t{1}, UINT64_MAX));
    command->add_flag("--json", options->json, "one JSON object a line instead of CSV");
    command->callback([&job, options] { job = [options] { return show_events(*options); }; });
}

bool is_event_file(const std::filesystem::path& file) { return file.extension() == ".events"; }

int show_event_info(const std::filesystem::path& path, bool json) {
    const auto file = EventFile::open(path);
    if (!file) return fail(file.error());
    for (const std::string& damage : file->damage()) say("damrak: note: {}\n", damage);
    const auto& header = file->header();
    const feed::FeedSessionId session{.date = header.date,
                                      .number = static_cast<std::uint16_t>(header.feed_session)};
    if (json) {
        Json symbols = Json::array();
        for (const LoggedInstrument& one : file->instruments())
            symbols.push_back({{"instrument", one.id.value}, {"symbol", one.symbol.view()}});
        print_json({{"file", path.string()},
                    {"session", session.text()},
                    {"events", file->events()},
                    {"first_record", first_record(*file)},
                    {"last_record", file->last_record()},
                    {"blocks", file->blocks()},
                    {"damage", file->damage()},
                    {"instruments", std::move(symbols)}});
        return k_exit_success;
    }
    fmt::print("session      {}\n", session.text());
    fmt::print("events       {} of records {} to {}, {}\n",
               grouped(static_cast<std::int64_t>(file->events())), first_record(*file),
               file->last_record(), counted(static_cast<std::int64_t>(file->blocks()), "block"));
    fmt::print("instruments ");
    for (const LoggedInstrument& one : file->instruments()) fmt::print(" {}", one.symbol.view());
    fmt::print("\n");
    return k_exit_success;
}

int verify_events(const std::filesystem::path& path, bool json) {
    auto file = EventFile::open(path);
    if (!file) return fail(file.error());
    std::vector<std::string> found = file->damage();
    for (std::size_t i = 0; i < file->blocks(); ++i)
        if (const auto events = file->read_block(i); !events) found.push_back(events.error());
    if (json) print_json({{"file", path.string()}, {"events", file->events()}, {"damage", found}});
    for (const std::string& one : found) say("damrak: {}\n", one);
    if (!found.empty()) return k_exit_failure;
    if (!json)
        fmt::print("{}: {} of records {} to {}, all sound\n", path.string(),
                   counted(static_cast<std::int64_t>(file->events()), "event"), first_record(*file),
                   file->last_record());
    return k_exit_success;
}

}  // namespace damrak::app
