// The owner of each open order of the binary gateway, and the client's name for it. A resting order
// may trade hours later; the owner is sent the trade under that name. An order keeps its owner,
// even if another session amends it. Follows the events of the exchange; owned by a gateway or by a
// state that follows the journal, one thread. O(1) an event, no allocation after construction.
// Orders of other gateways use no memory.
#pragma once

#include <cstdint>
#include <type_traits>

#include <damrak/base/inline.hpp>
#include <damrak/base/reserved_array.hpp>
#include <damrak/domain/event.hpp>
#include <damrak/domain/origin.hpp>
#include <damrak/engine/engine_config.hpp>
#include <damrak/journal/gateway_states.hpp>
#include <damrak/views/order_table.hpp>

namespace damrak::gateway::binary {

inline constexpr GatewayNumber k_binary_gateway = k_counting_gateway;

class OrderNames {
  public:
    /// Sized for the engine's capacity of open orders.
    explicit OrderNames(const EngineConfig& engine)
        : orders_(engine.maximum_orders), open_(engine.maximum_participants + std::size_t{1}) {}

    /// Takes each event, after everyone who looks up its order. Returns true if it ended the last
    /// open order of its participant.
    DAMRAK_HOT bool on_event(const Event& event, const Origin& cause) {
        switch (event.kind) {
            case EventKind::accepted:
                if (cause.session && gateway_of(cause.session) == k_binary_gateway)
                    add({event.order_id, event.client_order_id(), cause.session},
                        event.participant);
                break;
            case EventKind::replaced:
                if (const std::uint32_t index = find(event.order_id); index != 0) {
                    orders_.change_id(index, event.new_order_id());
                    found_ = {};
                }
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

    /// The same for a journal, see journal::GatewayStates.
    template <class Observer>
    void follow(const Event& event, const journal::RecordedCommand& recorded, Observer&) {
        on_event(event, recorded.origin);
    }

    /// Zero if the order has no name or is not open.
    [[nodiscard]] ClientOrderId client_order_id(OrderId id) const {
        return orders_[find(id)].name;  // entry 0 is never used
    }
    /// The session that entered it; zero if it belongs to another gateway or is not open.
    [[nodiscard]] SessionId owner(OrderId id) const { return orders_[find(id)].owner; }
    /// How many open orders a participant entered at the binary gateway.
    [[nodiscard]] std::uint32_t open_orders(ParticipantId id) const { return open_[id.value]; }
    [[nodiscard]] std::uint32_t size() const { return orders_.used(); }
    [[nodiscard]] std::size_t bytes() const { return orders_.bytes(); }
    /// See base/serialize.hpp.
    template <class Self, class Archive>
    static void transfer(Self& self, Archive& archive) {
        Orders::transfer_orders(self.orders_, archive);
        Orders::transfer_ids(self.orders_, archive);
        archive.sparse(self.open_);
        if constexpr (!std::is_const_v<Self>) self.found_ = {};
    }

  private:
    struct Entry {
        OrderId id;
        ClientOrderId name;
        SessionId owner;
    };

    using Orders = views::OrderTable<Entry>;

    /// Of the order that was looked up last: for an event, its gateway asks several times in a row.
    struct Found {
        OrderId id;
        std::uint32_t index = 0;
    };

    [[nodiscard]] std::uint32_t find(OrderId id) const {
        if (id != found_.id) found_ = {id, orders_.find(id)};
        return found_.index;
    }
    void add(const Entry& entry, ParticipantId participant) {
        ++open_[participant.value];
        const std::uint32_t index = orders_.take();
        orders_[index] = entry;
        orders_.file(index);
        found_ = {entry.id, index};
    }
    bool forget(OrderId id, ParticipantId participant) {
        const std::uint32_t index = find(id);
        if (index == 0) return false;
        orders_.unfile(index);
        orders_.give_back(index);
        found_ = {};
        return --open_[participant.value] == 0;
    }

    Orders orders_;
    mutable Found found_;
    ReservedArray<std::uint32_t> open_;  ///< orders, by participant
};

}  // namespace damrak::gateway::binary
