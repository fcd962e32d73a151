// A sequencer of either wiring with a speed bump before it (delay_stage.hpp), as the gateways see
// it (gateway/exchange_side.hpp). Without a delay a command costs one more branch.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <utility>

#include <damrak/exchange/detail/delay_stage.hpp>
#include <damrak/recorded_market/playback.hpp>

namespace damrak::exchange {

template <class Base>
class Delayed : public Base {
  public:
    using Base::Base;

    /// For requests of clients that come from now on. The seed is that of random delays.
    void set_delay(const venue::Delay& delay, std::uint64_t seed) {
        if (!stage_ && !delay.holds_requests()) return;
        if (!stage_) stage_ = std::make_unique<DelayStage>(seed);
        stage_->set(delay);
    }
    /// Lets all pass that waits. Later requests do not wait.
    void end_delay(Timestamp now) {
        if (!stage_) return;
        stage_->set({});
        while (!stopped_ && pass_first({std::numeric_limits<std::int64_t>::max()}, now)) {
        }
    }

    /// Nothing after this command was reported, and there may be enough of that.
    void note_held_reports(std::uint64_t after, bool are_enough) {
        reported_ = after;
        are_reports_enough_ = are_enough;
    }
    [[nodiscard]] std::uint64_t reported_position() const {
        return std::min(Base::reported_position(), reported_);
    }

    [[nodiscard]] bool ready() const {
        return Base::ready() && (!stage_ || stage_->has_room_for(0)) && !are_reports_enough_;
    }
    /// Nothing that passed the speed bump is pending.
    [[nodiscard]] bool is_settled() const { return !Base::awaits_answers(); }
    /// Whether a session with this many pending requests may send another.
    [[nodiscard]] bool has_room_for(std::uint32_t pending) const {
        return !stage_ || stage_->has_room_for(pending);
    }
    [[nodiscard]] bool awaits_answers() const {
        return Base::awaits_answers() || (stage_ && !stage_->empty());
    }
    /// Commands that passed the speed bump since the last call.
    [[nodiscard]] std::size_t take_released() { return std::exchange(released_, 0); }

    bool submit(const Command& command, const Origin& origin, Timestamp now) {
        if (!stage_) [[likely]]
            return Base::submit(command, origin, now);
        if (waits(origin) && stage_->hold(command, origin, now)) return !stopped_;
        const Attachment attachment = stage_->take_attachment();
        if (!attachment.empty() && !Base::attach(attachment, origin, now)) return false;
        return Base::submit(command, origin, now);
    }
    bool attach(const Attachment& attachment, const Origin& origin, Timestamp now) {
        if (!stage_) [[likely]]
            return Base::attach(attachment, origin, now);
        stage_->attach(attachment);
        return true;
    }
    bool do_work(Timestamp now) {
        while (stage_ && !stopped_ && Base::ready() && pass_first(now, now)) {
        }
        return !stopped_ && Base::do_work(now);
    }

  private:
    // The exchange itself does not wait, nor do the orders of a recorded day: they waited then.
    [[nodiscard]] static bool waits(const Origin& origin) {
        return origin.session && gateway_of(origin.session) != recorded_market::k_playback_gateway;
    }

    // False: none is due by then. An answer may bring the next request, so the place is left first.
    bool pass_first(Timestamp until, Timestamp now) {
        const DelayStage::Waiting* const next = stage_->due(until);
        if (next == nullptr) return false;
        const DelayStage::Waiting one = *next;
        stage_->remove_first();
        stopped_ = (!one.attachment.empty() && !Base::attach(one.attachment, one.origin, now)) ||
                   !Base::submit(one.command, one.origin, now, one.delay_ns);
        ++released_;
        return true;
    }

    std::unique_ptr<DelayStage> stage_;  ///< null: there was no delay yet
    std::size_t released_ = 0;
    std::uint64_t reported_ = std::numeric_limits<std::uint64_t>::max();
    bool are_reports_enough_ = false;
    bool stopped_ = false;
};

}  // namespace damrak::exchange
