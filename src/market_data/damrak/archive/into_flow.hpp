// A visitor that passes ITCH messages to a flow and ignores its errors, as the messages of a
// checkpoint may carry later times than their own. The consumer counts messages that do not fit.
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
