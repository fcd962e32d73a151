// Who trades: gives those who come without a name of their own in the configuration the next
// participant. One for all doors of an exchange, on the thread that polls them. A few comparisons.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include <damrak/domain/identifiers.hpp>
#include <damrak/engine/engine_config.hpp>

namespace damrak::gateway {

class Participants {
  public:
    explicit Participants(const EngineConfig& engine) : capacity_(engine.maximum_participants) {
        unused_.reserve(capacity_);
    }

    /// All up to this one are taken.
    void note_taken(ParticipantId id) { last_ = std::max(last_, id); }

    /// Zero if there are no more.
    [[nodiscard]] ParticipantId take() {
        if (!unused_.empty()) {
            const ParticipantId given_back = unused_.back();
            unused_.pop_back();
            return given_back;
        }
        if (last_.value >= capacity_) return {};
        ++last_.value;
        return last_;
    }
    /// By one who never ordered.
    void give_back(ParticipantId id) { unused_.push_back(id); }

    /// The largest there can be.
    [[nodiscard]] std::size_t capacity() const { return capacity_; }

  private:
    std::uint32_t capacity_;
    ParticipantId last_{};
    std::vector<ParticipantId> unused_;
};

}  // namespace damrak::gateway
