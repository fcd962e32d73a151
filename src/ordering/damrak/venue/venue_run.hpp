// An engine alone, or by the rules and the timetable of a venue: between the caller's commands come
// those that the venue's exchange would submit at their times. In virtual time, one thread.
#pragma once

#include <algorithm>
#include <expected>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <damrak/domain/event.hpp>
#include <damrak/engine/engine.hpp>
#include <damrak/venue/phase_clock.hpp>
#include <damrak/venue/supervisor.hpp>
#include <damrak/venue/venue.hpp>

namespace damrak::venue {

class VenueRun {
  public:
    using Tell = std::function<void(const Command&, const Event&)>;

    /// By the rules of a venue, or null. The seed is that of random ends. `tell` hears every event.
    VenueRun(const EngineConfig& config, std::shared_ptr<const Venue> venue, std::uint64_t seed,
             Tell tell);

    /// Before everything else.
    void begin(Timestamp now);
    /// What the exchange does by itself until a time: sessions begin and end, orders expire.
    void go_on_until(Timestamp time);
    /// A stamped command, after go_on_until() its time. The error is a rule of the venue that an
    /// instrument cannot have.
    [[nodiscard]] std::expected<void, std::string> apply(const Command& command);

    /// Orders that wait already, `f(i, slice)` as Engine::apply_queued(): only if it is not led
    /// and no order expires until the last of them. Does not tell.
    template <class F>
    void apply_queued(std::span<const Command> orders, F&& f) {
        engine_.apply_queued(orders, f);
        now_ = std::max(now_, orders.back().timestamp);
    }
    /// The same of one that has not waited, `f(event)` as Engine::apply().
    template <class F>
    void apply_order(const Command& order, F&& f) {
        engine_.apply(order, f);
        now_ = std::max(now_, order.timestamp);
    }
    /// Whether there is a venue.
    [[nodiscard]] bool is_led() const { return venue_ != nullptr; }

    [[nodiscard]] const Engine& engine() const { return engine_; }

    /// Saves or loads the state, into a new one; see base/serialize.hpp.
    template <class Self, class Archive>
    static void transfer(Self& self, Archive& archive) {
        Engine::transfer(self.engine_, archive);
        archive.value(self.now_);
    }
    [[nodiscard]] Timestamp now() const { return now_; }

    /// After loading. The venue continues like that of an exchange after a restart
    /// (venue/phase_clock.hpp).
    void go_on_from_state();

  private:
    void submit(const Command& command);
    void submit_at(Command command, Timestamp time);
    void lead(Timestamp time);
    void obey_supervisor(Timestamp time);
    [[nodiscard]] std::expected<void, std::string> set_rules(const InstrumentState& added);
    [[nodiscard]] std::expected<void, std::string> combine(InstrumentId added);

    Engine engine_;
    std::shared_ptr<const Venue> venue_;
    std::optional<PhaseClock> clock_;
    std::unique_ptr<Supervisor> supervisor_;
    Tell tell_;
    std::vector<InstrumentId> instruments_;
    Timestamp now_{};
};

}  // namespace damrak::venue
