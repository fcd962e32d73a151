// The orders of the FIX gateway: what their reports need beyond an event (the client's names, what
// was executed and for how much), the names that are taken, and orders that ended lately. Follows
// the events of the exchange with their origins, so that it can be rebuilt from the journal; part
// of snapshots. Owned by the gateway, and by a state that follows the journal; one thread each.
// O(1) an event, no allocation after construction; events of others cost a comparison or two. With
// follow_all() it also has the open orders of the other gateways, for copies of their reports:
// under the client's number of the order, without a name that is taken and without a member.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>

#include <damrak/base/reserved_array.hpp>
#include <damrak/domain/attachment.hpp>
#include <damrak/domain/event.hpp>
#include <damrak/domain/origin.hpp>
#include <damrak/engine/engine_config.hpp>
#include <damrak/gateway/client_order_names.hpp>
#include <damrak/gateway/fix/detail/fix_order.hpp>
#include <damrak/journal/gateway_states.hpp>
#include <damrak/views/order_table.hpp>

namespace damrak::gateway {
struct Settings;
}

namespace damrak::gateway::fix {

inline constexpr GatewayNumber k_fix_gateway{1};

class FixOrders {
  public:
    /// This many orders are remembered after their end, and this many names that an order had
    /// before. An order that has gone from this memory has no name any more.
    static constexpr std::uint32_t k_history = 65'536;

    /// For as many orders as the engine can have open.
    explicit FixOrders(const EngineConfig& engine, std::uint32_t history = k_history);

    /// What an event says about an order that came in by FIX.
    struct Applied {
        const FixOrder* order = nullptr;    ///< null: none of them; good until the next event
        const FixOrders* orders = nullptr;  ///< where it is
        bool renamed = false;               ///< by the request that the event answers
        std::string_view previous{};        ///< its name before that
        std::string_view attachment{};      ///< of the request
    };
    /// False: apply() says nothing of this event.
    [[nodiscard]] bool concerns(const Event& event, const Origin& origin) const {
        return follows_all_ || gateway_of(origin.session) == k_fix_gateway ||
               has_open(event.participant) || concerns_past(event);
    }
    /// Each event, in order, with what its command's request said.
    Applied apply(const Event& event, const Origin& origin, const FixRequest& request) {
        if (!concerns(event, origin)) [[likely]]
            return {};
        return apply_own(event, origin, request);
    }

    /// The same of a journal, see journal::GatewayStates. The observer hears what was found out, if
    /// it has on_fix_event(event, origin, stamp, applied).
    template <class Observer>
    void follow(const Event& event, const journal::RecordedCommand& recorded, Observer& observer) {
        [[maybe_unused]] Applied applied;
        if (concerns(event, recorded.origin)) [[unlikely]]
            applied = apply_own(
                event, recorded.origin,
                {.terms = FixTerms::of(recorded.command), .attachment = recorded.attachment});
        if constexpr (requires {
                          observer.on_fix_event(event, recorded.origin, recorded.stamp, applied);
                      })
            observer.on_fix_event(event, recorded.origin, recorded.stamp, applied);
    }

    /// Whether orders of other gateways are followed, too: from their acceptance on, so that those
    /// which are open now stay unknown. Those that are known are forgotten where it ends.
    void follow_all(bool follows);
    /// As the settings of the exchange require.
    void configure(const Settings& settings);

    /// The order that has this name now; null if none has, or it is not remembered.
    [[nodiscard]] const FixOrder* find(ParticipantId participant, std::string_view name) const;
    /// The same of the order that has or had this name: a change, and a cancel too, replaces it.
    [[nodiscard]] const FixOrder* find_ever(ParticipantId participant, std::string_view name) const;
    [[nodiscard]] const FixOrder* find(OrderId id) const {
        const std::uint32_t index = orders_.find(id);
        return index == 0 ? nullptr : &orders_[index];
    }
    /// By an order or by a change of one, as far as is remembered.
    [[nodiscard]] bool is_taken(ParticipantId participant, std::string_view name) const {
        return names_.find(owner(participant), name) != 0;
    }
    /// The open orders of a participant, the newest first: index 0 is the end.
    [[nodiscard]] std::uint32_t first_open(ParticipantId participant) const {
        return participant.value < first_.size() ? first_[participant.value] : 0;
    }
    [[nodiscard]] const FixOrder& at(std::uint32_t index) const { return orders_[index]; }
    // Of an order that was found here:

    /// Not if the number of a participant that was released is another client's since then.
    [[nodiscard]] bool is_of(const FixOrder& order, ParticipantId participant) const {
        return order.is_of_fix() && order.participant == participant &&
               (order.name_index == 0 || names_.owner_of(order.name_index) == owner(participant));
    }

    /// The name of the last request that changed it.
    [[nodiscard]] std::string_view name(const FixOrder& order) const {
        return order.long_name ? names_.text(order.name_index) : order.short_name.view();
    }
    /// Fields that its reports repeat (FixFields).
    [[nodiscard]] std::string_view fields(const FixOrder& order) const {
        return order.has_fields ? fields_[orders_.index_of(order)].view() : std::string_view{};
    }
    [[nodiscard]] FixTerms terms(const FixOrder& order) const {
        FixTerms terms = order.unusual ? terms_[orders_.index_of(order)] : FixTerms{};
        terms.stop = order.stop;
        return terms;
    }
    [[nodiscard]] std::uint32_t open() const { return orders_.used() - ended_.count; }
    /// The highest number of a FIX session that an order came from, as far as is remembered.
    [[nodiscard]] std::uint32_t highest_session() const;

    /// See base/serialize.hpp.
    template <class Self, class Archive>
    static void transfer(Self& self, Archive& archive) {
        // Where nobody trades by FIX, nothing is touched.
        std::uint8_t used = self.orders_.highest() == 0 ? 0 : k_used;
        if (self.follows_all_) used |= k_follows_all;
        archive.value(used);
        if constexpr (!std::is_const_v<Self>) self.follows_all_ = (used & k_follows_all) != 0;
        if ((used & k_used) == 0) return;
        Orders::transfer_orders(self.orders_, archive);
        for (std::uint32_t i = 1; i <= self.orders_.highest(); ++i) {
            if (self.orders_[i].unusual) archive.value(self.terms_[i]);
            if (self.orders_[i].has_fields) archive.value(self.fields_[i]);
        }
        Orders::transfer_ids(self.orders_, archive);
        ClientOrderNames::transfer(self.names_, archive);
        Ring::transfer(self.ended_, archive);
        Ring::transfer(self.past_, archive);
        for (std::uint32_t i = 0; i < self.past_.count; ++i)
            archive.value(self.named_[self.past_.indices[i]]);
        archive.sparse(self.first_);
        archive.value(self.released_);
        archive.sparse(self.owners_);
    }

  private:
    using Orders = views::OrderTable<FixOrder>;
    // Of what an archive begins with.
    static constexpr std::uint8_t k_used = 1U << 0U;
    static constexpr std::uint8_t k_follows_all = 1U << 1U;

    /// The last indices, of a fixed number.
    struct Ring {
        explicit Ring(std::uint32_t capacity) : indices(capacity) {}
        ReservedArray<std::uint32_t> indices;
        std::uint32_t count = 0;
        std::uint32_t next = 0;

        /// The oldest goes if there is no room; zero: there was.
        [[nodiscard]] std::uint32_t push(std::uint32_t index);
        /// What goes after so many more; zero: nothing yet.
        [[nodiscard]] std::uint32_t goes_after(std::uint32_t more) const {
            const std::size_t at = next + std::size_t{more};
            return indices[at < indices.size() ? at : at % indices.size()];
        }
        template <class Self, class Archive>
        static void transfer(Self& self, Archive& archive) {
            archive.count(self.count, self.indices.size());
            archive.count(self.next, self.indices.size());
            archive.values(self.indices.data(), self.count);
        }
    };

    /// Whose the names of a participant are: itself, or who it is since its number was released.
    [[nodiscard]] ParticipantId owner(ParticipantId id) const {
        const ParticipantId later = owners_[id.value];
        return later ? later : id;
    }
    void release(ParticipantId id);
    [[nodiscard]] bool has_open(ParticipantId id) const { return first_open(id) != 0; }
    [[nodiscard]] Applied apply_own(const Event& event, const Origin& origin,
                                    const FixRequest& request);
    [[nodiscard]] Applied add(const Event& event, const Origin& origin, const FixRequest& request);
    [[nodiscard]] Applied add_other(const Event& event);
    /// Of orders that have ended, regardless of the cause.
    [[nodiscard]] static bool concerns_past(const Event& event) {
        return event.kind == EventKind::trade_busted || event.kind == EventKind::trade_corrected ||
               event.kind == EventKind::participant_released;
    }
    void execute(FixOrder& order, const Event& event);
    static void change_trade(FixOrder& order, const Event& event);
    void replace(FixOrder& order, const Event& event, const FixTerms& terms);
    void rename(FixOrder& order, const FixNote& note, std::string_view attachment);
    void keep_fields(FixOrder& order, std::string_view attachment);
    void end(FixOrder& order, FixOrderState state);
    void forget(std::uint32_t index);
    void fetch_ahead() const;
    [[nodiscard]] std::uint32_t add_name(FixOrder& order, const FixNote& note,
                                         std::string_view attachment);

    Orders orders_;
    // Of each order, touched for those alone that have them.
    ReservedArray<FixTerms> terms_;
    ReservedArray<Attachment> fields_;
    ClientOrderNames names_;
    Ring ended_;                           ///< orders
    Ring past_;                            ///< names
    ReservedArray<OrderId> named_;         ///< by a name of past_; perhaps forgotten since
    ReservedArray<std::uint32_t> first_;   ///< by participant
    ReservedArray<ParticipantId> owners_;  ///< by participant; zero: itself
    std::uint32_t released_ = 0;
    bool follows_all_ = false;
};

}  // namespace damrak::gateway::fix
