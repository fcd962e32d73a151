// `damrak journal order`: the life of one order, with its place in the queue after each command
// that changed it or its place, as the engine has it.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <damrak/telemetry/name_table.hpp>
#include <damrak/telemetry/records.hpp>
#include <damrak/views/queue_position.hpp>

#include "cli.hpp"
#include "day_text.hpp"
#include "journal/each_record.hpp"
#include "journal/jobs.hpp"
#include "journal/replay.hpp"

namespace damrak::app {

namespace {

using Json = nlohmann::ordered_json;

/// Follows an order through the events of a journal, also under the ids that replaces give it.
class OrderLife {
  public:
    explicit OrderLife(const JournalOptions& options) : options_(&options), id_{options.order} {}

    void on_event(const Event& event) {
        // Another order of its price may have left, or come by a replace.
        may_move_ |= event.instrument == instrument_ &&
                     (event.price == limit_ || event.kind == EventKind::replaced);
        if (event.order_id != id_ || event.kind == EventKind::rejected) return;
        instrument_ = event.instrument;
        may_move_ = true;
        if (event.kind == EventKind::replaced) id_ = event.new_order_id();
        happened_ += happened_.empty() ? "" : "+";
        happened_ += telemetry::k_event_names[event.kind].view();
        if (event.kind != EventKind::executed) limit_ = event.price;
        last_ = event;
    }
    /// After the events of this record.
    void on_record(const journal::Record& record, const JournalReplay& replay) {
        if (!instrument_ || !std::exchange(may_move_, false)) return;
        const auto position = replay.queue_position(instrument_, id_);
        if (happened_.empty() && position == position_) return;
        position_ = position;
        print(record, replay.definition(instrument_)->price_decimals);
        happened_.clear();
        ++lines_;
    }
    [[nodiscard]] std::uint64_t lines() const { return lines_; }

  private:
    void print(const journal::Record& record, std::uint8_t decimals) const {
        const std::string price = decimal_text(last_.price.value, decimals);
        if (!options_->json) {
            if (lines_ == 0)
                fmt::print(
                    "record,time_ns,event,price,remaining,orders_ahead,quantity_ahead,queue\n");
            fmt::print("{},{},{},{},{},", record.head.sequence, record.command.timestamp.value,
                       happened_, price, last_.remaining.value);
            if (position_)
                fmt::print("{},{},{}\n", position_->orders_ahead, position_->quantity_ahead.value,
                           queue());
            else
                fmt::print(",,\n");
            return;
        }
        Json line{{"record", record.head.sequence},
                  {"time_ns", record.command.timestamp.value},
                  {"event", happened_},
                  {"price", price},
                  {"remaining", last_.remaining.value}};
        if (position_) {
            line["orders_ahead"] = position_->orders_ahead;
            line["quantity_ahead"] = position_->quantity_ahead.value;
            line["queue"] = queue();
        }
        fmt::print("{}\n", line.dump());
    }
    [[nodiscard]] std::string_view queue() const {
        return position_->is_displayed ? "displayed" : "hidden";
    }

    const JournalOptions* options_;
    OrderId id_;
    InstrumentId instrument_{};
    Price limit_{};
    Event last_{};
    bool may_move_ = false;
    std::string happened_;  ///< to the order, by the record
    std::optional<views::QueuePosition> position_;
    std::uint64_t lines_ = 0;
};

}  // namespace

int show_order(const JournalOptions& options) {
    const auto contents = journal::look_into(journal::real_files(), options.directory);
    if (!contents) return fail(contents.error());
    OrderLife life{options};
    auto replay = JournalReplay::open(
        options.directory, *contents,
        [&life](const Event& event, const CommandStamp&) { life.on_event(event); });
    if (!replay) return fail(replay.error());
    const auto done =
        for_each_record(options, *contents, replay->first(), [&](const journal::Record& record) {
            replay->apply({&record, 1});
            life.on_record(record, *replay);
        });
    if (!done) return fail(done.error());
    if (life.lines() == 0)
        return fail(fmt::format("{}: no order {} was accepted in records {} to the end",
                                options.directory.string(), options.order, replay->first()));
    return k_exit_success;
}

}  // namespace damrak::app
