#include <damrak/exchange/detail/delay_stage.hpp>

#include <algorithm>
#include <functional>

namespace damrak::exchange {

namespace {

bool is_order(const Command& command) {
    return command.kind == CommandKind::new_order || command.kind == CommandKind::replace_order ||
           command.kind == CommandKind::quote;
}

// All but cancels and post-only orders. A replace does not say what its order is.
bool may_take(const Command& command) {
    constexpr auto k_never =
        CommandFlags::Bits{CommandFlags::k_post_only | CommandFlags::k_post_only_reprice};
    return is_order(command) &&
           !(command.kind == CommandKind::new_order && (command.flags & k_never) != 0);
}

bool is_request(const Command& command) {
    return is_order(command) || command.kind == CommandKind::cancel_order ||
           command.kind == CommandKind::mass_cancel;
}

}  // namespace

std::uint32_t DelayStage::draw(const venue::Delay::Wait& wait) {
    const auto most = static_cast<std::uint32_t>(wait.random_ns);
    const std::uint32_t random = most == 0 ? 0 : random_.below(most + 1);
    return static_cast<std::uint32_t>(wait.fixed_ns) + random;
}

bool DelayStage::hold(const Command& command, const Origin& origin, Timestamp now) {
    now_ = std::max(now_, now);
    std::uint32_t delay = 0;
    if (is_request(command)) delay = draw(may_take(command) ? delay_.taking : delay_.other);
    const auto found = lanes_.find(origin.session.value);
    if (delay == 0 && found == lanes_.end()) return false;
    Lane& lane = found != lanes_.end() ? found->second : lanes_[origin.session.value];
    lane.last = std::max(lane.last, now_ + Timestamp{delay});
    ++lane.count;
    if (free_.empty()) {
        free_.push_back(static_cast<std::uint32_t>(waiting_.size()));
        waiting_.emplace_back();
    }
    const std::uint32_t place = free_.back();
    free_.pop_back();
    waiting_[place] = {command, origin, take_attachment(), delay};
    due_.push_back({lane.last, ++arrived_, place});
    std::ranges::push_heap(due_, std::greater{});
    return true;
}

void DelayStage::remove_first() {
    std::ranges::pop_heap(due_, std::greater{});
    const std::uint32_t place = due_.back().place;
    due_.pop_back();
    free_.push_back(place);
    const auto lane = lanes_.find(waiting_[place].origin.session.value);
    if (--lane->second.count == 0) lanes_.erase(lane);
}

}  // namespace damrak::exchange
