// The senders of the UDP gateway: their participants, the numbers received from each, and their
// open orders by the senders' names. Follows the records and events of the exchange and can be
// rebuilt from the journal, so a journaled order that its sender repeats after a restart is not
// entered twice. Part of snapshots.
//
// Owned by the gateway, and by a state that follows the journal; one thread each. O(1) a call, no
// allocation after construction; events of other gateways cost a comparison or two.
#pragma once

#include <cstdint>
#include <type_traits>

#include <damrak/base/index_pool.hpp>
#include <damrak/base/reserved_array.hpp>
#include <damrak/book/order_id_map.hpp>
#include <damrak/domain/command.hpp>
#include <damrak/domain/event.hpp>
#include <damrak/domain/origin.hpp>
#include <damrak/engine/engine_config.hpp>
#include <damrak/gateway/udp/detail/udp_client.hpp>
#include <damrak/journal/gateway_states.hpp>
#include <damrak/views/growing_map.hpp>
#include <damrak/views/order_table.hpp>

namespace damrak::gateway::udp {

class UdpClients {
  public:
    /// Known at a time. A gateway may be set to fewer.
    static constexpr std::uint32_t k_maximum_sources = 16'384;
    /// Orders without an answer of the exchange.
    static constexpr std::uint32_t k_maximum_reserved = 16'384;

    /// `salt` prevents senders from choosing colliding names and addresses.
    explicit UdpClients(const EngineConfig& engine, std::uint64_t salt = 0);

    // Senders; index 0 means none.

    [[nodiscard]] std::uint32_t find(SessionId session) const {
        return by_session_.find(session_key(session),
                                [&](std::uint32_t i) { return sources_[i].session == session; });
    }
    [[nodiscard]] UdpSource& source(std::uint32_t index) { return sources_[index]; }
    [[nodiscard]] const UdpSource& source(std::uint32_t index) const { return sources_[index]; }
    [[nodiscard]] std::uint32_t sources() const { return source_pool_.used(); }
    [[nodiscard]] std::uint32_t highest_source() const { return source_pool_.highest(); }
    /// The sender must be new, and the maximum not reached.
    std::uint32_t add(SessionId session, ParticipantId participant);
    /// Restarts the sender's numbering after this number.
    void begin(std::uint32_t index, std::uint32_t sequence);
    /// It must have no open orders.
    void forget(std::uint32_t index);

    // Orders:

    /// Null if none of its orders has this name.
    [[nodiscard]] const UdpOrder* find(ParticipantId participant, ClientOrderId name) const {
        const std::uint32_t index = index_of(participant, name);
        return index == 0 ? nullptr : &orders_[index];
    }
    /// Reserves the name until the exchange rejects the order or the order ends. False: no space.
    /// The id may still be zero.
    [[nodiscard]] bool reserve(const UdpOrder& order);
    [[nodiscard]] std::uint32_t orders() const { return orders_.used(); }

    /// An event of an order of this gateway.
    struct Applied {
        const UdpOrder* order = nullptr;  ///< null: not one of these; valid until the next event
    };
    /// Takes each event in order.
    Applied apply(const Event& event, const Origin& origin) {
        const bool by_udp = gateway_of(origin.session) == k_udp_gateway;
        if (!by_udp && (orders_.used() == 0 || !has_open(event.participant))) [[likely]]
            return {};
        return apply_own(event, origin, by_udp);
    }
    /// The same for a journal, see journal::GatewayStates.
    template <class Observer>
    void follow(const Event& event, const journal::RecordedCommand& recorded, Observer&) {
        apply(event, recorded.origin);
    }
    /// Takes each record of a journal in order.
    void note_record(const Command& command, const Origin& origin) {
        if (gateway_of(origin.session) == k_udp_gateway) [[unlikely]]
            note_own(command, origin);
    }

    /// See base/serialize.hpp. Rebuilds the tables, because they depend on the salt.
    template <class Self, class Archive>
    static void transfer(Self& self, Archive& archive) {
        IndexPool::transfer(self.source_pool_, archive);
        archive.values(self.sources_.data(), self.source_pool_.highest() + std::size_t{1});
        views::OrderTable<UdpOrder>::transfer_orders(self.orders_, archive);
        archive.sparse(self.open_);
        if constexpr (!std::is_const_v<Self>) self.make_tables();
    }

  private:
    [[nodiscard]] bool has_open(ParticipantId id) const {
        return id.value < open_.size() && open_[id.value] != 0;
    }
    [[nodiscard]] Applied apply_own(const Event& event, const Origin& origin, bool by_udp);
    [[nodiscard]] Applied accept(const Event& event, const Origin& origin);
    [[nodiscard]] Applied refuse(const Event& event, const Origin& origin);
    void note_own(const Command& command, const Origin& origin);
    std::uint32_t insert(const UdpOrder& order);
    void remove(std::uint32_t index);
    void make_tables();

    [[nodiscard]] std::uint32_t index_of(ParticipantId participant, ClientOrderId name) const {
        return by_name_.find(name_tag(participant, name), [&](std::uint32_t i) {
            return orders_[i].name == name && orders_[i].participant == participant;
        });
    }
    [[nodiscard]] OrderIdMap::Key session_key(SessionId session) const {
        return by_session_.key_of({}, OrderId{session.value ^ salt_});
    }
    [[nodiscard]] std::uint32_t name_tag(ParticipantId participant, ClientOrderId name) const {
        return views::tag_of_count(name.value, participant.value ^ salt_);
    }

    std::uint64_t salt_;
    IndexPool source_pool_;
    ReservedArray<UdpSource> sources_;
    OrderIdMap by_session_;
    views::OrderTable<UdpOrder> orders_;
    views::GrowingMap by_name_;
    ReservedArray<std::uint32_t> open_;  ///< orders, by participant
};

}  // namespace damrak::gateway::udp
