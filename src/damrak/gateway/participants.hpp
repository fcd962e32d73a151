// Who trades: the identities that the configuration names, and a participant for everybody else who
// comes. One for all doors of an exchange, on the thread that polls them. A few comparisons.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include <damrak/domain/identifiers.hpp>
#include <damrak/engine/engine_config.hpp>
#include <damrak/gateway/identities.hpp>

namespace damrak::gateway {

class Participants {
  public:
    explicit Participants(const EngineConfig& engine)
        : taken_(engine.maximum_participants + std::size_t{1}), named_(taken_.size()) {
        unused_.reserve(engine.maximum_participants);
    }

    /// For logins from now on; who is in stays in.
    void set_identities(Identities identities) {
        identities_ = std::move(identities);
        named_.assign(named_.size(), false);
        identities_.for_each_participant([this](ParticipantId id) {
            note_taken(id);
            if (id.value < named_.size()) named_[id.value] = true;
        });
    }
    [[nodiscard]] const Identities& identities() const { return identities_; }

    /// Whether it takes a credential to be this one.
    [[nodiscard]] bool is_named(ParticipantId id) const {
        return id.value < named_.size() && named_[id.value];
    }

    /// This one is somebody's.
    void note_taken(ParticipantId id) {
        if (id.value < taken_.size()) taken_[id.value] = true;
    }
    /// An earlier run gave out all up to this one.
    void note_given_out(ParticipantId id) {
        if (id <= last_) return;
        count(static_cast<std::int64_t>(id.value) - last_.value);
        last_ = id;
    }

    /// Zero if there are no more.
    [[nodiscard]] ParticipantId take() {
        while (!unused_.empty()) {
            const ParticipantId given_back = unused_.back();
            unused_.pop_back();
            if (taken_[given_back.value]) continue;
            count(1);
            return given_back;
        }
        while (last_.value < capacity()) {
            if (taken_[++last_.value]) continue;
            count(1);
            return last_;
        }
        return {};
    }
    /// By one who never ordered.
    void give_back(ParticipantId id) {
        unused_.push_back(id);
        count(-1);
    }
    /// Given out and not given back; any thread's.
    [[nodiscard]] std::uint32_t anonymous() const {
        return anonymous_.load(std::memory_order_relaxed);
    }

    /// The largest there can be.
    [[nodiscard]] std::size_t capacity() const { return taken_.size() - 1; }

  private:
    void count(std::int64_t more) {
        anonymous_.store(static_cast<std::uint32_t>(anonymous() + more), std::memory_order_relaxed);
    }

    Identities identities_;
    ParticipantId last_{};
    std::vector<bool> taken_;  ///< by somebody who keeps it, by participant
    std::vector<bool> named_;  ///< by the identities
    std::vector<ParticipantId> unused_;
    std::atomic<std::uint32_t> anonymous_{0};  ///< written by one thread
};

}  // namespace damrak::gateway
