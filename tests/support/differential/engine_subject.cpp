#include "support/differential/engine_subject.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include <damrak/base/assert.hpp>
#include <damrak/domain/command.hpp>
#include <damrak/domain/event.hpp>
#include <damrak/engine/engine.hpp>

#include "support/recorded_engine.hpp"

namespace damrak::differential {

EngineConfig config_of(const reference::Settings& settings, LevelRoom room) {
    EngineConfig config{};
    config.order_id_source = settings.ids_in_commands ? OrderIdSource::command
                             : settings.ids_apart     ? OrderIdSource::engine_apart
                                                      : OrderIdSource::engine;
    config.maximum_instruments = settings.maximum_instruments;
    config.maximum_participants = settings.maximum_participants;
    config.maximum_orders = settings.maximum_orders;
    config.maximum_extensions = settings.maximum_extensions;
    config.maximum_accounts = settings.maximum_accounts;
    config.maximum_levels = room.levels;
    config.maximum_ladder_nodes = room.nodes;
    config.maximum_events = settings.maximum_events;
    return config;
}

namespace {

class EngineSubject final : public Subject {
  public:
    EngineSubject(const reference::Settings& settings, LevelRoom room)
        : engine_{config_of(settings, room), recorder_} {}

    void apply(const Command& command, std::vector<Event>& events) override {
        recorder_.events.clear();
        const auction::Equilibrium wanted = auction_of(command);
        engine_.apply(command);
        events.swap(recorder_.events);
        // The last indicative price is the auction price.
        if (!events.empty() && events.front().kind == EventKind::uncrossed) {
            DAMRAK_ASSERT(wanted.price.value_or(Price{}) == events.front().price);
            DAMRAK_ASSERT(wanted.executable == events.front().quantity);
        }
    }
    void apply_queued(std::span<const Command> commands) override {
        engine_.apply(commands, [&](std::size_t) { recorder_.events.clear(); });
    }
    [[nodiscard]] std::uint64_t state_hash() const override { return engine_.state_hash(); }
    void check_invariants() const override { engine_.check_invariants(); }

  private:
    [[nodiscard]] auction::Equilibrium auction_of(const Command& command) {
        if (command.kind != CommandKind::uncross ||
            engine_.instrument(command.instrument) == nullptr)
            return {};
        levels_.resize(engine_.config().maximum_prices());
        return engine_.auction_if_now(command.instrument, levels_.data());
    }

    std::vector<auction::PriceLevel> levels_;
    EventRecorder recorder_;
    EngineInto<EventRecorder> engine_;
};

}  // namespace

std::unique_ptr<Subject> make_engine_subject(const reference::Settings& settings, LevelRoom room) {
    return std::make_unique<EngineSubject>(settings, room);
}

}  // namespace damrak::differential
