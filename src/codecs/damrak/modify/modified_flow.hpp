// A flow of recorded messages behind a modification: takes messages as order_flow::ItchFlow does,
// and passes on to it what the modification makes of them. One thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <variant>

#include <damrak/modify/modifier.hpp>
#include <damrak/wire/itch/descriptor.hpp>

namespace damrak::modify {

template <class Flow>
class ModifiedFlow {
  public:
    /// The flow must outlive it.
    ModifiedFlow(Flow& flow, Modification modification)
        : flow_(&flow),
          modifier_(std::move(modification), 0,
                    [this](const wire::itch::Message& message) { pass(message); }) {}
    ModifiedFlow(const ModifiedFlow&) = delete;
    ModifiedFlow& operator=(const ModifiedFlow&) = delete;
    ~ModifiedFlow() = default;

    /// False: as ItchFlow says, or the modification cannot be made of this day.
    template <class M>
    bool on(const M& message) {
        is_sound_ = true;
        stopped_bytes_ = wire::itch::k_frame_header_length + wire::itch::Layout<M>::k_length;
        modifier_.put(message);
        return is_sound_ && modifier_.error().empty();
    }
    /// After the last message.
    void finish() { modifier_.finish(); }

    [[nodiscard]] bool past_end() const { return flow_->past_end() || !modifier_.error().empty(); }
    /// Of the recorded message during which the flow stopped.
    [[nodiscard]] std::size_t stopped_bytes() const { return stopped_bytes_; }
    /// Messages passed on, up to the flow's end.
    [[nodiscard]] std::uint64_t passed() const { return passed_; }
    [[nodiscard]] const Modifier& modifier() const { return modifier_; }

  private:
    void pass(const wire::itch::Message& message) {
        if (flow_->past_end()) return;
        std::visit(
            [this](const auto& one) {
                if constexpr (requires { flow_->on(one); }) is_sound_ = flow_->on(one) && is_sound_;
            },
            message);
        if (!flow_->past_end()) ++passed_;
    }

    Flow* flow_;
    bool is_sound_ = true;
    std::size_t stopped_bytes_ = 0;
    std::uint64_t passed_ = 0;
    Modifier modifier_;
};

}  // namespace damrak::modify
