#include "archive/events.hpp"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <damrak/archive/event_file.hpp>
#include <damrak/telemetry/name_table.hpp>
#include <damrak/telemetry/records.hpp>

#include "day_text.hpp"
#include "say.hpp"

namespace damrak::app {

namespace {

using archive::LoggedEvent;
using archive::LoggedInstrument;
using Json = nlohmann::ordered_json;

struct EventOptions {
    std::filesystem::path file;
    std::uint64_t order = 0;  ///< zero: all
    std::uint32_t participant = 0;
    std::string symbol;
    std::uint64_t from = 0;
    std::uint64_t to = std::numeric_limits<std::uint64_t>::max();
    bool json = false;
};

/// An order under all the ids that it gets by replaces.
class OneOrder {
  public:
    explicit OneOrder(std::uint64_t id) : ids_{id} {}
    bool has(const Event& event) {
        if (!ids_.contains(event.order_id.value)) return false;
        if (event.kind == EventKind::replaced) ids_.insert(event.new_order_id().value);
        return true;
    }

  private:
    std::set<std::uint64_t> ids_;
};

std::string flags_text(const Event& event) {
    std::string text;
    const auto add = [&](EventFlags::Bits bit, const char* name) {
        if (has_flag(event, bit)) text += (text.empty() ? "" : "+") + std::string{name};
    };
    add(EventFlags::k_on_book, "on_book");
    add(EventFlags::k_aggressor, "aggressor");
    add(EventFlags::k_hidden, "hidden");
    add(EventFlags::k_repriced, "repriced");
    add(EventFlags::k_stop_pending, "stop_pending");
    add(EventFlags::k_held, "held");
    return text;
}

class Printer {
  public:
    Printer(const EventOptions& options, const std::vector<LoggedInstrument>& instruments)
        : options_(&options) {
        for (const LoggedInstrument& one : instruments) instruments_[one.id.value] = one;
        if (!options.json)
            fmt::print(
                "record,time_ns,event,instrument,participant,order,reference,side,price,quantity,"
                "remaining,displayed,flags,reason\n");
    }

    void print(const LoggedEvent& logged) {
        const Event& event = logged.event;
        if (logged.record < options_->from || logged.record > options_->to) return;
        if (options_->participant != 0 && event.participant.value != options_->participant) return;
        const LoggedInstrument instrument = instruments_[event.instrument.value];
        if (!options_->symbol.empty() && instrument.symbol.view() != options_->symbol) return;
        if (options_->order != 0 && !order_.has(event)) return;
        constexpr std::uint32_t k_most_decimals = 18;
        const std::string price =
            event.instrument ? decimal_text(event.price.value,
                                            std::min(instrument.price_decimals, k_most_decimals))
                             : "";
        const std::string_view reason =
            event.reason == Reason::none ? std::string_view{} : name(event.reason);
        const std::string_view side =
            event.order_id ? k_sides[event.side].view() : std::string_view{};
        ++printed_;
        if (!options_->json) {
            fmt::print("{},{},{},{},{},{},{},{},{},{},{},{},{},{}\n", logged.record, logged.time_ns,
                       k_kinds[event.kind].view(), instrument.symbol.view(),
                       event.participant.value, event.order_id.value, event.reference, side, price,
                       event.quantity.value, event.remaining.value, event.displayed.value,
                       flags_text(event), reason);
            return;
        }
        const Json line{{"record", logged.record},
                        {"time_ns", logged.time_ns},
                        {"event", k_kinds[event.kind].view()},
                        {"instrument", instrument.symbol.view()},
                        {"participant", event.participant.value},
                        {"order", event.order_id.value},
                        {"reference", event.reference},
                        {"side", side},
                        {"price", price},
                        {"quantity", event.quantity.value},
                        {"remaining", event.remaining.value},
                        {"displayed", event.displayed.value},
                        {"flags", flags_text(event)},
                        {"reason", reason}};
        fmt::print("{}\n", line.dump());
    }
    [[nodiscard]] std::uint64_t printed() const { return printed_; }

  private:
    static constexpr const auto& k_kinds = telemetry::k_event_names;
    static constexpr const auto& k_sides = telemetry::k_side_names;

    const EventOptions* options_;
    OneOrder order_{options_->order};
    std::map<std::uint32_t, LoggedInstrument> instruments_;
    std::uint64_t printed_ = 0;
};

int show_events(const EventOptions& options) {
    auto file = archive::EventFile::open(options.file);
    if (!file) return fail(file.error());
    for (const std::string& damage : file->damage()) say("damrak: note: {}\n", damage);
    Printer printer{options, file->instruments()};
    bool whole = file->damage().empty();
    for (std::size_t i = 0; i < file->blocks(); ++i) {
        if (file->block(i).last_record < options.from || file->block(i).first_record > options.to)
            continue;
        const auto events = file->read_block(i);
        if (!events) {
            say("damrak: {}\n", events.error());
            whole = false;
            continue;
        }
        for (const LoggedEvent& event : *events) printer.print(event);
    }
    if (options.order != 0 && printer.printed() == 0)
        return fail(fmt::format("{}: there is no order {}", options.file.string(), options.order));
    return whole ? k_exit_success : k_exit_failure;
}

}  // namespace

void add_archive_events(CLI::App& archive, Job& job) {
    CLI::App* const command = archive.add_subcommand(
        "events", "Shows what the engine of an exchange did, with owners and hidden quantities");
    const auto options = std::make_shared<EventOptions>();
    command->add_option("FILE", options->file, "DATA/archive/SESSION.events")->required();
    command->add_option("--order", options->order, "of this order alone, also after replaces");
    command->add_option("--participant", options->participant, "of this participant alone");
    command->add_option("--symbol", options->symbol, "of this instrument alone");
    command->add_option("--from", options->from, "first record of the journal; default: the oldest")
        ->check(CLI::Range(std::uint64_t{1}, UINT64_MAX));
    command->add_option("--to", options->to, "last record of the journal; default: the newest")
        ->check(CLI::Range(std::uint64_t{1}, UINT64_MAX));
    command->add_flag("--json", options->json, "one JSON object a line instead of CSV");
    command->callback([&job, options] { job = [options] { return show_events(*options); }; });
}

}  // namespace damrak::app
