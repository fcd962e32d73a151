// An order that came in by the FIX gateway, as its reports tell it, and the note that the gateway
// leaves with each command (Origin::tag), which comes back with the command's events: names of up
// to 20 characters and UUIDs fit into it. Plain values.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include <damrak/base/wide_integer.hpp>
#include <damrak/domain/command.hpp>
#include <damrak/domain/identifiers.hpp>
#include <damrak/domain/measures.hpp>
#include <damrak/domain/order_terms.hpp>
#include <damrak/domain/origin.hpp>
#include <damrak/gateway/client_order_names.hpp>

namespace damrak::gateway::fix {

/// A name that a client gave to an order or to another request.
class ClOrdId {
  public:
    static constexpr std::size_t k_length = ClientOrderNames::k_longest;

    ClOrdId() = default;
    /// It has at most k_length characters.
    [[nodiscard]] static ClOrdId of(std::string_view text) {
        ClOrdId name;
        name.append(text);
        return name;
    }
    /// The same in its place.
    void set(std::string_view text) {
        length_ = 0;
        append(text);
    }
    void append(std::string_view text) {
        text = text.substr(0, k_length - length_);
        std::ranges::copy(text, characters_.begin() + length_);
        length_ = static_cast<std::uint8_t>(length_ + text.size());
    }
    [[nodiscard]] std::string_view view() const { return {characters_.data(), length_}; }
    friend bool operator==(const ClOrdId& a, const ClOrdId& b) { return a.view() == b.view(); }

  private:
    std::array<char, k_length> characters_{};
    std::uint8_t length_ = 0;
};

/// What the FIX gateway writes into the tag of an origin.
struct FixNote {
    /// How the name of the request is kept.
    enum class Form : std::uint8_t {
        whole = 0,       ///< all of it is here
        uuid = 1,        ///< 16 bytes of a UUID in small letters
        upper_uuid = 2,  ///< of one in capitals
        begun = 3,       ///< the rest is ClOrdID of the attachment
    };
    static constexpr std::uint8_t k_no_time_in_force = 1U << 0U;  ///< D, E: it said none
    static constexpr std::uint8_t k_sell_short = 1U << 1U;
    static constexpr std::uint8_t k_sell_short_exempt = 1U << 2U;
    static constexpr std::uint8_t k_to_limit = 1U << 3U;
    static constexpr std::uint8_t k_pegged = 1U << 4U;
    static constexpr std::uint8_t k_last_of_run = 1U << 0U;  ///< i, Z: of the request's commands

    ShortName name;  ///< of the request, in its form
    char request =
        '\0';  ///< its MsgType: D, E, F, G, i, q, Z; zero: none that a client is answered for
    char scope = '\0';  ///< q: MassCancelRequestType; Z: QuoteCancelType
    std::uint8_t flags = 0;
    Form form = Form::whole;

    /// Sets `form`, too: where the name is only begun, an attachment must have the rest.
    void set_name(std::string_view text);
    /// As it was sent. `attachment` is that of the command.
    [[nodiscard]] ClOrdId full_name(std::string_view attachment) const;

    /// 5 or 6; zero: it said no more than the command does.
    [[nodiscard]] char side_sent() const {
        if ((flags & k_sell_short) != 0) return '5';
        return (flags & k_sell_short_exempt) != 0 ? '6' : '\0';
    }
    /// K or P of OrdType; zero: the event says it.
    [[nodiscard]] char type_sent() const {
        if ((flags & k_to_limit) != 0) return 'K';
        return (flags & k_pegged) != 0 ? 'P' : '\0';
    }
    [[nodiscard]] static FixNote of(const Tag& tag) { return std::bit_cast<FixNote>(tag); }
    [[nodiscard]] Tag tag() const { return std::bit_cast<Tag>(*this); }
};
static_assert(sizeof(FixNote) == sizeof(Tag));

/// What an order was entered with that no event repeats.
struct FixTerms {
    Price stop{};        ///< zero: it is no stop order
    Quantity display{};  ///< zero: all of it is shown, unless it is hidden
    Quantity minimum{};  ///< of its first execution
    Timestamp expiry{};  ///< of a good-till-date order
    Price limit{};       ///< of a pegged order, or of its replace
    bool hidden = false;
    bool post_only = false;
    bool trailing = false;
    std::uint8_t zero[5]{};

    [[nodiscard]] static FixTerms of(const Command& command) {
        if (command.kind == CommandKind::replace_order)
            return {.stop = command.order.stop_price, .limit = command.price};
        if (command.kind != CommandKind::new_order) return {};
        return {.stop = command.order.stop_price,
                .display = command.order.display_quantity,
                .minimum = command.order.minimum_quantity,
                .expiry = command.order.expire_time,
                .limit = has_flag(command, CommandFlags::k_pegged) ? command.price : Price{},
                .hidden = has_flag(command, CommandFlags::k_hidden),
                .post_only = has_flag(command, CommandFlags::k_post_only),
                .trailing = has_flag(command, CommandFlags::k_trailing)};
    }
    friend bool operator==(const FixTerms&, const FixTerms&) = default;
    /// There is nothing but, perhaps, a stop price or a limit.
    [[nodiscard]] bool is_usual() const {
        return (display.value | minimum.value | expiry.value) == 0 && !hidden && !post_only &&
               !trailing;
    }
};

/// A request that became a command: what its events do not repeat of it.
struct FixRequest {
    FixTerms terms{};
    std::string_view attachment{};  ///< see fix_attachment.hpp
};

enum class FixOrderState : std::uint8_t { open, filled, cancelled, expired };

/// Two cache lines.
struct alignas(64) FixOrder {
    OrderId id{};
    Price price{};        ///< the limit; of a pegged order, where it stands
    Quantity ordered{};   ///< executed quantity included
    Quantity executed{};  ///< without what was taken back
    Price stop{};         ///< zero: it is no stop order
    InstrumentId instrument{};
    ParticipantId participant{};
    Int128 notional = 0;   ///< sum of price x quantity of the executions
    ShortName short_name;  ///< of the last request that changed it; see FixOrders::name()
    /// Whose session it came through: the number in its session's id; zero: that of another
    /// gateway.
    std::uint32_t member = 0;

    // Of FixOrders:
    std::uint32_t name_index = 0;
    std::uint32_t next = 0;  ///< open order of the participant
    std::uint32_t previous_index = 0;

    Side side{};
    OrderType type{};
    TimeInForce time_in_force{};
    FixOrderState state{};
    bool triggered = false;   ///< its stop price was reached
    bool unusual = false;     ///< FixOrders keeps further terms of it
    bool has_fields = false;  ///< and fields to repeat
    bool long_name = false;   ///< and the rest of its name
    char side_sent = '\0';    ///< 5 or 6 of Side; zero: as `side` says
    char type_sent = '\0';    ///< K or P of OrdType; zero: as `type` says
    bool quoted = false;  ///< of a quote, whose id is its name; FixOrders does not find it by that
    Price limit{};        ///< of a pegged order
    Quantity taken_back{};  ///< by busts and corrections; the engine counts it as executed

    [[nodiscard]] bool is_of_fix() const { return member != 0; }
    [[nodiscard]] Quantity open() const {
        return state == FixOrderState::open ? ordered - executed : Quantity{0};
    }
    /// OrderQty as a total of the engine.
    [[nodiscard]] Quantity total(Quantity order_quantity) const {
        return order_quantity + taken_back;
    }
};
static_assert(sizeof(FixOrder) == 128);

}  // namespace damrak::gateway::fix
