// The speed bump of a venue: requests of clients wait here before they are stamped. What waits is
// not taken and not acknowledged, and a kill loses it like bytes in a socket. In one session
// nothing overtakes: a request without a delay waits behind one with a delay.
//
// Used by the thread that polls the gateways. A request costs a place in a heap; no allocation,
// except for sessions that wait for the first time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <unordered_map>
#include <utility>
#include <vector>

#include <damrak/base/random.hpp>
#include <damrak/domain/attachment.hpp>
#include <damrak/domain/command.hpp>
#include <damrak/domain/origin.hpp>
#include <damrak/venue/venue.hpp>

namespace damrak::exchange {

class DelayStage {
  public:
    /// Requests that may wait at a time.
    static constexpr std::uint32_t k_capacity = 16'384;

    struct Waiting {
        Command command{};
        Origin origin{};
        Attachment attachment{};
        std::uint32_t delay_ns = 0;  ///< that was drawn for it
    };

    explicit DelayStage(std::uint64_t seed) : random_(seed) { waiting_.reserve(k_capacity); }

    /// For requests that come from now on.
    void set(const venue::Delay& delay) { delay_ = delay; }

    [[nodiscard]] bool empty() const { return due_.empty(); }
    /// Whether a session may add one that has this many here: a quarter of what is free, so the
    /// others always find room.
    [[nodiscard]] bool has_room_for(std::uint32_t waiting) const {
        const auto used = static_cast<std::uint32_t>(due_.size());
        return used < k_capacity && waiting <= (k_capacity - used) / 4;
    }

    /// Of the next command that is added or passes.
    void attach(const Attachment& attachment) { attachment_ = attachment; }
    [[nodiscard]] Attachment take_attachment() { return std::exchange(attachment_, {}); }

    /// Takes the command if it must wait; false: it may pass at once.
    [[nodiscard]] bool hold(const Command& command, const Origin& origin, Timestamp now);

    /// The next one that is due by then, or null.
    [[nodiscard]] const Waiting* due(Timestamp now) const {
        return due_.empty() || due_.front().at > now ? nullptr : &waiting_[due_.front().place];
    }
    /// It left.
    void remove_first();

  private:
    struct Due {
        Timestamp at{};
        std::uint64_t number = 0;  ///< in the order of arrival
        std::uint32_t place = 0;
        [[nodiscard]] bool operator>(const Due& other) const {
            return at != other.at ? at > other.at : number > other.number;
        }
    };
    /// Of a session that waits.
    struct Lane {
        std::uint32_t count = 0;
        Timestamp last{};
    };

    [[nodiscard]] std::uint32_t draw(const venue::Delay::Wait& wait);

    venue::Delay delay_{};
    RandomStream random_;
    std::vector<Waiting> waiting_;
    std::vector<std::uint32_t> free_;  ///< places in it
    std::vector<Due> due_;             ///< a heap, the earliest first
    std::pmr::unsynchronized_pool_resource memory_;
    std::pmr::unordered_map<std::uint64_t, Lane> lanes_{&memory_};  ///< by session
    Attachment attachment_{};
    std::uint64_t arrived_ = 0;
    Timestamp now_{};
};

}  // namespace damrak::exchange
