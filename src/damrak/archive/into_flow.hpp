// A visitor of ITCH messages that hands each to a flow and goes on whatever becomes of it: the
// messages of a checkpoint are older than they say. What does not fit is counted by the consumer.
#pragma once

namespace damrak::archive {

template <class Flow>
struct IntoFlow {
    Flow& flow;
    void on(const auto& message) {
        if constexpr (requires { flow.on(message); }) static_cast<void>(flow.on(message));
    }
};

}  // namespace damrak::archive
