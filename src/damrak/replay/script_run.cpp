#include <damrak/replay/script_run.hpp>

#include <algorithm>
#include <utility>
#include <vector>

#include <damrak/base/assert.hpp>
#include <damrak/venue/rule_commands.hpp>

namespace damrak::replay {

namespace {

EngineConfig config_of_scripts() {
    EngineConfig config;
    config.order_id_source = OrderIdSource::command;
    config.maximum_instruments = 256;
    config.maximum_orders = 200'000;
    config.maximum_accounts = 50'000;
    config.maximum_levels = 100'000;
    config.maximum_ladder_nodes = 100'000;
    return config;
}

}  // namespace

ScriptRun::ScriptRun(std::shared_ptr<const venue::Venue> venue, std::uint64_t seed)
    : engine_(config_of_scripts()), venue_(std::move(venue)) {
    if (venue_ == nullptr) return;
    auto timetable = venue::Timetable::make(*venue_, seed);
    DAMRAK_ASSERT(timetable);  // the zone was checked when the file was read
    if (venue::Supervisor::is_needed(*venue_))
        supervisor_ = std::make_unique<venue::Supervisor>(venue_, *timetable);
    clock_.emplace(*venue_, *std::move(timetable));
}

void ScriptRun::apply(const Command& command, std::uint32_t line) {
    engine_.apply(command, [&](const Event& event) {
        (*tell_)({.line = line, .command = &command, .event = &event});
        if (supervisor_) supervisor_->on_event(event, now_, engine_);
    });
}

void ScriptRun::apply_at(const Command& command, Timestamp time) {
    Command stamped = command;
    stamped.timestamp = time;
    apply(stamped, 0);
}

// What the venue's timetable has for this moment.
void ScriptRun::lead(Timestamp time) {
    std::vector<const InstrumentState*> instruments;
    for (std::uint32_t id = 1; id <= engine_.config().maximum_instruments; ++id)
        if (const InstrumentState* const in = engine_.instrument(InstrumentId{id}))
            instruments.push_back(in);
    for (const Command& command : clock_->due(time, instruments)) apply_at(command, time);
}

void ScriptRun::obey_supervisor(Timestamp time) {
    for (const Command& command : supervisor_->due(time)) apply_at(command, time);
    for (const venue::Supervisor::Refusal& one : supervisor_->take_refusals())
        clock_->on_refused(one.instrument, one.reason, one.time);
}

// What the exchange does by itself until a time: sessions begin and end, orders expire.
void ScriptRun::go_on_until(Timestamp time) {
    for (;;) {
        const Timestamp expiry = engine_.next_expiry();
        const Timestamp session = clock_ ? clock_->next() : expiry;
        const Timestamp supervised = supervisor_ ? supervisor_->next() : expiry;
        const Timestamp next = std::min({expiry, session, supervised});
        if (next > time) return;
        now_ = std::max(now_, next);
        if (expiry <= now_) {
            Command tick{};
            tick.kind = CommandKind::tick;
            apply_at(tick, now_);
        }
        if (supervisor_ && supervised <= now_) obey_supervisor(now_);
        if (clock_ && clock_->is_due(now_)) lead(now_);
    }
}

std::expected<void, std::string> ScriptRun::set_rules(const Command& added) {
    const InstrumentState* const in = engine_.instrument(added.instrument);
    if (venue_ == nullptr || in == nullptr) return {};
    const auto plan = venue::rule_commands(venue_->rules_of(in->definition().symbol.view()),
                                           in->definition(), in->rules);
    if (!plan) return std::unexpected{plan.error()};
    for (const Command& command : *plan) apply_at(command, now_);
    clock_->look_again();
    return {};
}

std::expected<void, std::string> ScriptRun::run(std::span<const ScriptStep> steps,
                                                const std::function<void(const Told&)>& tell) {
    tell_ = &tell;
    if (!steps.empty()) now_ = steps.front().command.timestamp;
    if (supervisor_) supervisor_->begin(engine_, now_);
    for (const ScriptStep& step : steps) {
        const Command& command = step.command;
        go_on_until(command.timestamp);
        now_ = command.timestamp;
        if (step.shows_book) {
            tell({.line = step.line, .command = &command, .event = nullptr});
            continue;
        }
        apply(command, step.line);
        if (command.kind != CommandKind::add_instrument) continue;
        if (auto set = set_rules(command); !set) return set;
    }
    if (!steps.empty()) go_on_until(now_);
    return {};
}

}  // namespace damrak::replay
