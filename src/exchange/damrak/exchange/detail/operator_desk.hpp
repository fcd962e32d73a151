// Commands of the operator that other threads ask for, and the thread of the exchange submits.
#pragma once

#include <atomic>
#include <mutex>
#include <utility>
#include <vector>

#include <damrak/domain/command.hpp>
#include <damrak/domain/origin.hpp>

namespace damrak::exchange {

class OperatorDesk {
  public:
    struct Asked {
        Command command{};
        Tag tag{};  ///< of its origin
    };

    /// Any thread. False: as many commands wait as the desk takes.
    [[nodiscard]] bool ask(const Command& command, const Tag& tag) {
        constexpr std::size_t k_most = 1'024;
        const std::scoped_lock lock{mutex_};
        if (asked_.size() >= k_most) return false;
        asked_.push_back({command, tag});
        is_asked_.store(true, std::memory_order_release);
        return true;
    }
    /// The thread of the exchange: what was asked for since the last call, in order.
    [[nodiscard]] std::vector<Asked> take() {
        if (!is_asked_.load(std::memory_order_acquire)) return {};
        const std::scoped_lock lock{mutex_};
        is_asked_.store(false, std::memory_order_relaxed);
        return std::exchange(asked_, {});
    }

  private:
    std::atomic<bool> is_asked_{false};
    std::mutex mutex_;
    std::vector<Asked> asked_;
};

}  // namespace damrak::exchange
