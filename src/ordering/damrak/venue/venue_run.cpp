#include <damrak/venue/venue_run.hpp>

#include <algorithm>
#include <cstdint>
#include <utility>

#include <damrak/base/assert.hpp>
#include <damrak/venue/combinations.hpp>
#include <damrak/venue/rule_commands.hpp>

namespace damrak::venue {

VenueRun::VenueRun(const EngineConfig& config, std::shared_ptr<const Venue> venue,
                   std::uint64_t seed, Tell tell)
    : engine_(config), venue_(std::move(venue)), tell_(std::move(tell)) {
    if (venue_ == nullptr) return;
    auto timetable = Timetable::make(*venue_, seed);
    DAMRAK_ASSERT(timetable);  // the zone was checked when the file was read
    if (Supervisor::is_needed(*venue_))
        supervisor_ = std::make_unique<Supervisor>(venue_, *timetable);
    clock_.emplace(*venue_, *std::move(timetable));
}

void VenueRun::begin(Timestamp now) {
    now_ = now;
    if (supervisor_) supervisor_->begin(engine_, now_);
}

void VenueRun::go_on_from_state() {
    instruments_.clear();
    for (std::uint32_t id = 1; id <= engine_.config().maximum_instruments; ++id)
        if (engine_.instrument({id}) != nullptr) instruments_.push_back({id});
    begin(now_);
}

void VenueRun::submit(const Command& command) {
    engine_.apply(command, [&](const Event& event) {
        tell_(command, event);
        if (supervisor_) supervisor_->on_event(event, now_, engine_);
    });
}

void VenueRun::submit_at(Command command, Timestamp time) {
    command.timestamp = time;
    submit(command);
}

// What the venue's timetable has for this moment.
void VenueRun::lead(Timestamp time) {
    std::vector<const InstrumentState*> all;
    for (const InstrumentId id : instruments_) all.push_back(engine_.instrument(id));
    for (const Command& command : clock_->due(time, all)) submit_at(command, time);
}

void VenueRun::obey_supervisor(Timestamp time) {
    for (const Command& command : supervisor_->due(time)) submit_at(command, time);
    for (const Supervisor::Refusal& one : supervisor_->take_refusals())
        clock_->on_refused(one.instrument, one.reason, one.time);
}

void VenueRun::go_on_until(Timestamp time) {
    for (;;) {
        const Timestamp expiry = engine_.next_expiry();
        const Timestamp session = clock_ ? clock_->next() : expiry;
        const Timestamp supervised = supervisor_ ? supervisor_->next() : expiry;
        const Timestamp next = std::min({expiry, session, supervised});
        if (next > time) break;
        now_ = std::max(now_, next);
        if (expiry <= now_) {
            Command tick{};
            tick.kind = CommandKind::tick;
            submit_at(tick, now_);
        }
        if (supervisor_ && supervised <= now_) obey_supervisor(now_);
        if (clock_ && clock_->is_due(now_)) lead(now_);
    }
    now_ = std::max(now_, time);
}

std::expected<void, std::string> VenueRun::set_rules(const InstrumentState& added) {
    const auto plan = rule_commands(venue_->rules_of(added.definition().symbol.view()),
                                    added.definition(), added.rules);
    if (!plan) return std::unexpected{plan.error()};
    for (const Command& command : *plan) submit_at(command, now_);
    clock_->look_again();
    return combine(added.definition().id);
}

// The venue's combinations whose last part this instrument is.
std::expected<void, std::string> VenueRun::combine(InstrumentId added) {
    std::vector<InstrumentDefinition> market;
    for (const InstrumentId id : instruments_)
        market.push_back(engine_.instrument(id)->definition());
    const auto plan = combination_commands(*venue_, market);
    if (!plan) return std::unexpected{plan.error()};
    const auto has_added = [added](const Command& command) {
        return command.instrument == added ||
               std::ranges::find(command.combination.legs, added,
                                 &CombinationDetails::Leg::instrument) !=
                   command.combination.legs.end();
    };
    for (const Command& command : *plan)
        if (has_added(command)) submit_at(command, now_);
    return {};
}

std::expected<void, std::string> VenueRun::apply(const Command& command) {
    const bool adds = command.kind == CommandKind::add_instrument &&
                      engine_.instrument(command.instrument) == nullptr;
    submit(command);
    const InstrumentState* const added = adds ? engine_.instrument(command.instrument) : nullptr;
    if (added == nullptr || venue_ == nullptr) return {};
    // By id, as after go_on_from_state().
    instruments_.insert(std::ranges::upper_bound(instruments_, command.instrument),
                        command.instrument);
    return set_rules(*added);
}

}  // namespace damrak::venue
