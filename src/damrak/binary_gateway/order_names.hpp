// Who entered each open order of the binary door, and the name the client gave it: a trade of a
// resting order may come hours after the order, and is told to its owner under that name. An order
// keeps its owner whoever changes it. Follows the events of the exchange; owned by a door or by a
// state that follows the journal, one thread. O(1) an event, no allocation after construction;
// orders of other doors take no room.
#pragma once

#include <cstdint>

#include <damrak/base/index_pool.hpp>
#include <damrak/base/reserved_array.hpp>
#include <damrak/domain/event.hpp>
#include <damrak/domain/origin.hpp>
#include <damrak/engine/engine_config.hpp>
#include <damrak/journal/door_states.hpp>
#include <damrak/views/growing_map.hpp>

namespace damrak::gateway {

inline constexpr DoorNumber k_binary_door = k_counting_door;

class OrderNames {
  public:
    /// For as many orders as the engine can have open.
    explicit OrderNames(const EngineConfig& engine)
        : pool_(engine.maximum_orders),
          entries_(engine.maximum_orders + std::size_t{1}),
          map_(engine.maximum_orders),
          open_(engine.maximum_participants + std::size_t{1}) {}

    /// Each event, after those who want to look up its order have had it. True: it ended the last
    /// open order of its participant.
    bool on_event(const Event& event, const Origin& cause) {
        switch (event.kind) {
            case EventKind::accepted:
                if (cause.session && door_of(cause.session) == k_binary_door)
                    add({event.order_id, event.client_order_id(), cause.session},
                        event.participant);
                break;
            case EventKind::replaced:
                if (event.new_order_id() != event.order_id)
                    rename(event.order_id, event.new_order_id());
                break;
            case EventKind::executed:
            case EventKind::cancelled:
            case EventKind::expired:
                return event.remaining.value == 0 && forget(event.order_id, event.participant);
            default:
                break;
        }
        return false;
    }

    /// The same of a journal, see journal::DoorStates.
    template <class Observer>
    void follow(const Event& event, const journal::RecordedCommand& recorded, Observer&) {
        on_event(event, recorded.origin);
    }

    /// Zero for an order that has no name or is not open.
    [[nodiscard]] ClientOrderId client_order_id(OrderId id) const {
        return entries_[find(id)].name;  // entry 0 is never used
    }
    /// The session that entered it; zero for an order of another door, or one that is not open.
    [[nodiscard]] SessionId owner(OrderId id) const { return entries_[find(id)].owner; }
    /// How many open orders a participant entered at the binary door.
    [[nodiscard]] std::uint32_t open_orders(ParticipantId id) const { return open_[id.value]; }
    [[nodiscard]] std::uint32_t size() const { return pool_.used(); }
    [[nodiscard]] std::size_t bytes() const {
        return pool_.bytes() + entries_.bytes() + map_.bytes();
    }
    /// See base/archive.hpp.
    template <class Self, class Archive>
    static void transfer(Self& self, Archive& archive) {
        IndexPool::transfer(self.pool_, archive);
        archive.values(self.entries_.data(), self.pool_.highest() + std::size_t{1});
        views::GrowingMap::transfer(self.map_, archive);
        archive.sparse(self.open_);
    }

  private:
    struct Entry {
        OrderId id;
        ClientOrderId name;
        SessionId owner;
    };

    [[nodiscard]] std::uint32_t find(OrderId id) const {
        if (pool_.used() == 0) return 0;
        return map_.find(views::tag_of_count(id.value),
                         [&](std::uint32_t i) { return entries_[i].id == id; });
    }
    void add(const Entry& entry, ParticipantId participant) {
        ++open_[participant.value];
        const std::uint32_t index = pool_.take();
        entries_[index] = entry;
        map_.insert(views::tag_of_count(entry.id.value), index);
    }
    void rename(OrderId from, OrderId to) {
        const std::uint32_t index = find(from);
        if (index == 0) return;
        map_.erase(index);
        entries_[index].id = to;
        map_.insert(views::tag_of_count(to.value), index);
    }
    bool forget(OrderId id, ParticipantId participant) {
        const std::uint32_t index = find(id);
        if (index == 0) return false;
        map_.erase(index);
        pool_.give_back(index);
        return --open_[participant.value] == 0;
    }

    IndexPool pool_;
    ReservedArray<Entry> entries_;
    views::GrowingMap map_;
    ReservedArray<std::uint32_t> open_;  ///< orders, by participant
};

}  // namespace damrak::gateway
