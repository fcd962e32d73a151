#include <damrak/measures/detail/queue_outcomes.hpp>

#include <string>

namespace damrak::measures {

void QueueOutcomes::executed(OrderId order, Timestamp time) {
    const auto found = open_.find(order.value);
    if (found == open_.end()) return;
    constexpr double k_ns = 1e-9;
    const Open& open = found->second;
    times_s_[open.place].add(static_cast<double>((time - open.time).value) * k_ns);
    open_.erase(found);
}

std::optional<Timestamp> QueueOutcomes::removed(OrderId order) {
    const auto found = open_.find(order.value);
    if (found == open_.end()) return std::nullopt;
    const Timestamp entered = found->second.time;
    ++removed_[found->second.place];
    open_.erase(found);
    return entered;
}

void QueueOutcomes::report(Results& results) const {
    for (std::size_t i = 0; i < k_names.size(); ++i) {
        const std::uint64_t filled = times_s_[i].count();
        const std::uint64_t all = filled + removed_[i];
        if (all == 0) continue;
        const std::string ahead = std::string{"_ahead_"} + k_names[i];
        results.add("fill_rate" + ahead, "share",
                    static_cast<double>(filled) / static_cast<double>(all), all);
        results.add("fill_time" + ahead, "s", times_s_[i].mean(), filled);
    }
}

}  // namespace damrak::measures
