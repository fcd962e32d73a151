// The users of OUCH: their open orders, their taken tokens, and every message sent to them in the
// session of the day and, as long as there is room, in those of the last days. All of it follows
// from the records and events of the journal, so after a kill of the exchange a client finds its
// messages under the same numbers. Part of snapshots. Owned by the gateway, and by a state that
// follows the journal; one thread each.
//
// An event of another gateway's order costs a comparison or two. A message costs its bytes of
// memory until the session is dropped; no other allocation after a user's first login.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <vector>

#include <damrak/base/reserved_array.hpp>
#include <damrak/domain/command.hpp>
#include <damrak/domain/event.hpp>
#include <damrak/domain/origin.hpp>
#include <damrak/engine/engine_config.hpp>
#include <damrak/gateway/client_order_names.hpp>
#include <damrak/gateway/ouch/detail/ouch_tag.hpp>
#include <damrak/gateway/settings.hpp>
#include <damrak/journal/gateway_states.hpp>
#include <damrak/session/ouch/order.hpp>
#include <damrak/session/ouch/stream.hpp>
#include <damrak/views/order_table.hpp>

namespace damrak::gateway::ouch {

/// The data of a user besides its messages.
struct OuchUser {
    SessionId id{};
    ParticipantId participant{};
    session::ouch::Version version{};
    bool disabled = false;       ///< it disabled its own order entry
    bool ending = false;         ///< the day of its session is over, but messages are to come
    bool ended = false;          ///< its session has ended: the next message begins another one
    std::uint32_t session = 1;   ///< counts its sessions
    std::uint32_t last_ref = 0;  ///< 5.0: the last reference used
    std::uint32_t open_orders = 0;
    std::uint32_t newest_order = 0;  ///< of its open orders
    std::uint32_t tokens = 0;        ///< taken and remembered one by one
    std::uint64_t last_request = 0;  ///< the largest number of its requests
};

class OuchOrders {
  public:
    using Order = session::ouch::Order;
    using Token = session::ouch::Token;

    static constexpr std::uint32_t k_maximum_users = 4'095;
    /// Tokens remembered after their orders ended, for all users of 4.2 in a day.
    static constexpr std::uint32_t k_past_tokens = 4'194'304;
    /// Ended sessions of a user that can be read again, as long as there is room.
    static constexpr std::size_t k_past_sessions = 5;

    explicit OuchOrders(const EngineConfig& engine);
    /// Reserves the room of the first user now: where memory is limited, that is no time to fail.
    void reserve() {
        if (open_ == nullptr) make_room();
    }

    // Users; index 0 means none.

    /// Whether there was one in this journal. If not, no event says anything to anybody.
    [[nodiscard]] bool has_users() const { return users_.size() > 1; }
    [[nodiscard]] std::uint32_t find(SessionId id) const {
        const auto found = by_session_.find(id.value);
        return found == by_session_.end() ? 0 : found->second;
    }
    [[nodiscard]] const OuchUser& user(std::uint32_t index) const { return users_[index].user; }
    [[nodiscard]] const session::ouch::MessageStream& messages(std::uint32_t index) const {
        return users_[index].messages;
    }
    /// It never had a message.
    [[nodiscard]] bool did_nothing(std::uint32_t index) const {
        return users_[index].messages.empty() && users_[index].past.empty();
    }
    /// Of one of its sessions; null: it is not kept, or was never there.
    [[nodiscard]] const session::ouch::MessageStream* messages(std::uint32_t index,
                                                               std::uint32_t session) const;
    /// Memory of all messages above which past sessions are dropped, beginning with those of the
    /// user that has most.
    void limit_bytes(std::uint64_t most) { most_bytes_ = most; }
    void configure(const Settings& settings);
    [[nodiscard]] std::uint32_t highest_user() const {
        return static_cast<std::uint32_t>(users_.size() - 1);
    }
    [[nodiscard]] std::uint32_t open_orders(ParticipantId participant) const;
    template <class F>
    void each_participant(const F& f) const {
        for (const Entry& entry : users_)
            if (entry.user.participant) f(entry.user.participant);
    }

    // Orders:

    /// Whether it names nobody on the feeds, whatever the settings say of its participant. False
    /// for orders of other gateways.
    [[nodiscard]] bool is_anonymous(OrderId id) const {
        const std::uint32_t index = open_ == nullptr ? 0 : open_->orders.find(id);
        return index != 0 && !open_->orders[index].terms.attributes();
    }
    /// An order that a replace has taken out of the book, to enter it again with other terms. It
    /// counts as open, under its old token, until the exchange has answered.
    struct Withdrawn {
        std::uint32_t order = 0;  ///< its index
        session::ouch::Request wanted{};
    };
    [[nodiscard]] std::span<const Withdrawn> withdrawn() const { return withdrawn_; }
    [[nodiscard]] const Order& order_of(const Withdrawn& one) const {
        return open_->orders[one.order];
    }
    [[nodiscard]] bool has_withdrawn(std::uint32_t user) const {
        return std::ranges::any_of(
            withdrawn_, [&](const Withdrawn& one) { return order_of(one).user == user; });
    }
    /// Calls f with each open order of the user.
    template <class F>
    void each_order(std::uint32_t user, const F& f) const {
        for (std::uint32_t i = users_[user].user.newest_order; i != 0; i = open_->orders[i].next)
            f(std::as_const(open_->orders[i]));
    }
    /// Null if no open order has this token.
    [[nodiscard]] const Order* find(std::uint32_t user, const Token& token) const;
    /// Whether an order of the day has or had it.
    [[nodiscard]] bool is_taken(std::uint32_t user, const Token& token) const;
    /// Remembered tokens of all users.
    [[nodiscard]] std::uint32_t tokens() const { return names_used_; }
    [[nodiscard]] std::uint32_t most_tokens() const { return names_capacity_; }

    /// Of a user without orders and tokens: forgets it, and another one gets its index.
    void release(ParticipantId participant);

    /// Takes each record of a session of this gateway; a login registers its user.
    void note_record(const Command& command, const Origin& origin) {
        if (gateway_of(origin.session) == k_ouch_gateway) [[unlikely]]
            note_own(command, origin);
    }
    /// Sets the decimals of the instrument's prices.
    void note_instrument(InstrumentId id, std::uint8_t price_decimals) {
        if (id.value < decimals_.size()) decimals_[id.value] = price_decimals + 1U;
    }
    /// 4.2 and 5.0 have four decimals. Returns nothing for an instrument with more, or whose prices
    /// do not fit.
    [[nodiscard]] std::int64_t scale(InstrumentId id) const;

    /// Takes each event in order, with the request of its command if it came by this gateway.
    /// Returns the user that has a new message; zero for none.
    std::uint32_t apply(const Event& event, const Origin& origin, std::string_view request,
                        const CommandStamp& stamp) {
        return has_users() ? apply_for_users(event, origin, request, stamp) : 0;
    }

    /// The same for a journal, see journal::GatewayStates.
    template <class Observer>
    void follow(const Event& event, const journal::RecordedCommand& recorded, Observer&) {
        if (event.kind == EventKind::instrument_added)
            note_instrument(event.instrument, recorded.command.definition.price_decimals);
        apply(event, recorded.origin, recorded.attachment, recorded.stamp);
    }

    /// See base/serialize.hpp.
    template <class Self, class Archive>
    static void transfer(Self& self, Archive& archive) {
        auto users = static_cast<std::uint64_t>(self.users_.size());
        archive.count(users, k_maximum_users + std::uint64_t{1});
        if constexpr (!std::is_const_v<Self>) {
            self.users_.resize(users);
            self.bytes_ = 0;
        }
        for (std::uint64_t i = 1; i < users; ++i) {
            archive.value(self.users_[i].user);
            transfer_messages(self.users_[i], archive);
            if constexpr (!std::is_const_v<Self>) {
                if (self.users_[i].user.id)
                    self.by_session_[self.users_[i].user.id.value] = static_cast<std::uint32_t>(i);
                self.bytes_ += self.users_[i].bytes();
            }
        }
        archive.sparse(self.decimals_);
        archive.value(self.names_used_);
        if (users <= 1) return;  // no user of OUCH: nothing else is saved
        if constexpr (!std::is_const_v<Self>) self.make_room();
        // The constness of a pointer does not extend to its target, but decides whether the archive
        // saves or loads.
        using Kept = std::conditional_t<std::is_const_v<Self>, const Open, Open>;
        Kept& open = *self.open_;
        Orders::transfer_orders(open.orders, archive);
        Orders::transfer_ids(open.orders, archive);
        ClientOrderNames::transfer(open.names, archive);
        auto withdrawn = static_cast<std::uint64_t>(self.withdrawn_.size());
        archive.count(withdrawn, self.orders_capacity_);
        if constexpr (!std::is_const_v<Self>) self.withdrawn_.resize(withdrawn);
        for (auto& one : self.withdrawn_) archive.value(one);
    }

  private:
    struct PastSession {
        std::uint32_t number = 0;
        session::ouch::MessageStream messages;
    };
    struct Entry {
        OuchUser user;
        session::ouch::MessageStream messages;
        std::vector<PastSession> past;  ///< the oldest first

        [[nodiscard]] std::uint64_t past_bytes() const {
            std::uint64_t sum = 0;
            for (const PastSession& one : past) sum += one.messages.bytes();
            return sum;
        }
        [[nodiscard]] std::uint64_t bytes() const { return messages.bytes() + past_bytes(); }
    };
    template <class Self, class Archive>
    static void transfer_messages(Self& entry, Archive& archive) {
        session::ouch::MessageStream::transfer(entry.messages, archive);
        auto past = static_cast<std::uint64_t>(entry.past.size());
        archive.count(past, k_past_sessions);
        if constexpr (!std::is_const_v<Self>) entry.past.resize(past);
        for (auto& one : entry.past) {
            archive.value(one.number);
            session::ouch::MessageStream::transfer(one.messages, archive);
            if constexpr (!std::is_const_v<Self>) one.messages.finish();
        }
    }
    using Orders = views::OrderTable<Order>;
    /// Where nobody uses OUCH, none of it is touched.
    struct Open {
        Open(std::uint32_t most_orders, std::uint32_t most_names)
            : orders(most_orders), names(most_names) {}
        Orders orders;
        ClientOrderNames names;
    };
    using Reports = session::ouch::Reports;
    using Request = session::ouch::Request;

    [[nodiscard]] static ParticipantId owner_of(std::uint32_t user, std::uint32_t session) {
        return {session << 12U | user};
    }
    [[nodiscard]] std::uint32_t name_of(std::uint32_t user, const Token& token) const {
        return open_->names.find(owner_of(user, users_[user].user.session), token.text());
    }
    void make_room() {
        open_.reset();  // both at once may be more than there is
        open_ = std::make_unique<Open>(orders_capacity_, names_capacity_);
    }
    void take_token(std::uint32_t user, const Request& request, std::uint32_t order);
    void let_go(Order& order);
    void link(std::uint32_t index);
    void unlink(const Order& order);
    void send(std::uint32_t user, const CommandStamp& stamp, Reports::Bytes message);
    void note_growth(std::uint64_t more_bytes) {
        if (more_bytes == 0) [[likely]]
            return;
        bytes_ += more_bytes;
        make_room_for_messages();
    }
    [[nodiscard]] std::uint32_t add_user(SessionId id);
    void begin_session(Entry& entry);
    void keep_messages(Entry& entry);
    void make_room_for_messages();
    void end_session(std::uint32_t user, const CommandStamp& stamp);
    void end_day();

    void note_own(const Command& command, const Origin& origin);
    std::uint32_t apply_for_users(const Event& event, const Origin& origin,
                                  std::string_view request, const CommandStamp& stamp);
    [[nodiscard]] std::uint64_t price_e4(const Order& order, Price price) const;
    /// Of a pegged order, in the exchange's unit; zero: none.
    [[nodiscard]] Price limit_of(const Order& order) const;
    std::uint32_t on_accepted(std::uint32_t user, const Event& event, std::string_view request,
                              const CommandStamp& stamp);
    std::uint32_t on_refused(std::uint32_t user, const Event& event, const OuchTag& tag,
                             std::string_view request, const CommandStamp& stamp);
    std::uint32_t on_kept(std::uint32_t user, const Event& event, const OuchTag& tag,
                          const Request& request, const CommandStamp& stamp);
    std::uint32_t on_broken(const Event& event, const CommandStamp& stamp);
    std::uint32_t on_mass_cancelled(std::uint32_t user, const OuchTag& tag,
                                    std::string_view request, const CommandStamp& stamp);
    std::uint32_t on_order(const Event& event, const Origin& origin, std::string_view request,
                           const CommandStamp& stamp);
    [[nodiscard]] session::ouch::PreventedTrade prevented_trade(const Order& order,
                                                                const Event& event,
                                                                const OuchTag& tag,
                                                                const CommandStamp& stamp) const;
    void note_prevented(const Event& event, const CommandStamp& stamp);
    void set_price(Order& order, const Event& event);
    void close(std::uint32_t index);
    [[nodiscard]] bool withdraw(const Order& order, std::string_view request);
    /// What was wanted of an order that was withdrawn; nothing if it was not.
    [[nodiscard]] std::optional<Request> take_wanted(std::uint32_t order);
    std::uint32_t on_entered_anew(const Event& event, const CommandStamp& stamp);
    std::uint32_t on_not_entered_anew(const Event& event, const CommandStamp& stamp);
    void on_replaced(Order& order, const Event& event, const OuchTag& tag, std::string_view request,
                     const CommandStamp& stamp);

    std::vector<Entry> users_;
    std::unordered_map<std::uint64_t, std::uint32_t> by_session_;
    std::unique_ptr<Open> open_;
    std::vector<Withdrawn> withdrawn_;
    std::uint32_t orders_capacity_;
    std::uint32_t names_capacity_;
    std::uint32_t names_used_ = 0;
    std::uint64_t bytes_ = 0;  ///< of the messages of all sessions
    std::uint64_t most_bytes_ = std::uint64_t{1} << 30U;
    ReservedArray<std::uint8_t> decimals_;  ///< plus one, by instrument; zero: not known
    // Of one command, whose events all come before the next: the order that came in with it, and
    // the last resting one, of whatever gateway, that it did not trade with.
    struct {
        SequenceNumber command{};
        OrderId order{};
    } incoming_;
    struct {
        SequenceNumber command{};
        std::int64_t quantity = 0;
        Price price{};
    } met_;
    CallKind call_{};  ///< of the auction whose trades come next; all come with one command
};

}  // namespace damrak::gateway::ouch
