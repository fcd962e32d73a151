// The doors for which the one that waits wakes up: a flag each, which also stands for its door
// where the network tells of events. Used by the TCP gateways in every wait; filled at start.
#pragma once

#include <algorithm>
#include <vector>

namespace damrak::gateway::detail {

class Neighbours {
  public:
    /// From now on that flag's address is an owner that is known here.
    void add(bool& signalled) { signalled_.push_back(&signalled); }

    /// Sets the flag that `owner` is. False: it is none of them.
    [[nodiscard]] bool signal(const void* owner) const {
        const auto found = std::ranges::find(signalled_, owner);
        if (found == signalled_.end()) [[likely]]
            return false;
        **found = true;
        return true;
    }

  private:
    std::vector<bool*> signalled_;
};

}  // namespace damrak::gateway::detail
