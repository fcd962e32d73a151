// The fast path through framed ITCH: walks contiguous bytes and calls the visitor's on(message) for
// each message type that the visitor takes. Any other type costs its length check and a skip. On
// the hot path of replay. No allocation, no exception, no virtual call. docs/protocols/itch.md has
// the measured cost of a message.
//
//   struct Visitor {
//     void on(const itch::AddOrder&);           // one overload for each type it takes
//     bool on(const itch::SystemEvent&);        // may return bool: false stops after this message
//     static constexpr std::size_t k_ahead = 16;                           // both optional:
//     void ahead(char type, std::uint16_t locate, std::uint64_t order_ref);
//   };
//
// ahead() runs k_ahead messages before on(), once for each message about an order, so that a book
// can prefetch. It is a hint from unchecked bytes: in a faulty file it may announce messages that
// never come.
#pragma once

#include <damrak/wire/itch/decode.hpp>

namespace damrak::wire::itch {

enum class WalkEnd : std::uint8_t {
    need_more,  // the rest, if any, is the beginning of a frame
    end_mark,   // a frame of length 0
    stopped,    // on request of the visitor
    fault,      // see error
};

/// How far a walk over framed messages came, and why it ended.
struct WalkResult {
    std::size_t consumed_bytes{};  // whole frames only
    std::uint64_t messages{};      // in these frames, whatever types the visitor takes
    WalkEnd end{WalkEnd::need_more};
    DecodeError error{};  // offsets count from the first byte walked
};

template <class V, class M>
concept Takes = requires(V& visitor, const M& message) { visitor.on(message); };

template <class V>
concept LooksAhead = requires(V& visitor) {
    visitor.ahead(char{}, std::uint16_t{}, std::uint64_t{});
    { V::k_ahead } -> std::convertible_to<std::size_t>;
};

namespace detail {

enum class Step : std::uint8_t { next, stop, fault };

// Classifies bytes that are not a valid frame of known length.
[[nodiscard]] WalkResult end_of_walk(std::span<const std::byte> bytes, std::size_t at,
                                     std::uint64_t messages);

// Length and type of the frame at `at`; impossible values if its first three bytes are not all
// present.
struct FrameStart {
    std::uint32_t length;
    char type;
};

[[nodiscard]] inline FrameStart frame_start(const std::byte* at, const std::byte* end) noexcept {
    if (end - at <= static_cast<std::ptrdiff_t>(k_frame_header_length)) [[unlikely]]
        return {0, 0};
    return {load_be<std::uint16_t>(at), static_cast<char>(at[k_frame_header_length])};
}

// Passes one message, whose length was checked, to the visitor.
template <class M, class V>
[[gnu::always_inline]] inline Step visit(const std::byte* message, V& visitor) {
    if (check_as<M>(message) != Fault::none) [[unlikely]]
        return Step::fault;
    if constexpr (std::is_same_v<decltype(visitor.on(std::declval<const M&>())), bool>) {
        return visitor.on(decode_as<M>(message)) ? Step::next : Step::stop;
    } else {
        visitor.on(decode_as<M>(message));
        return Step::next;
    }
}

// The order in which dispatch() tests types: by their frequency on real days.
using ByFrequency =
    std::variant<AddOrder, OrderDelete, OrderReplace, OrderExecuted, AddOrderAttributed,
                 OrderCancel, Trade, OrderExecutedWithPrice, NetOrderImbalance, CrossTrade,
                 StockTradingAction, MarketParticipantPosition, StockDirectory, RegShoRestriction,
                 SystemEvent, MwcbDeclineLevels, MwcbStatus, IpoQuotingPeriod, LuldAuctionCollar,
                 OperationalHalt, BrokenTrade, RetailPriceImprovement, DirectListing>;
static_assert(std::variant_size_v<ByFrequency> == std::variant_size_v<Message>);

// One branch on the type, among the types that the visitor takes.
template <class V, class... Ms>
[[gnu::always_inline]] inline Step dispatch(char type, const std::byte* message, V& visitor,
                                            std::variant<Ms...>*) {
    Step step = Step::next;
    const auto is = [&]<class M>(M*) {
        if constexpr (Takes<V, M>) {
            if (type != Layout<M>::k_type) return false;
            step = visit<M>(message, visitor);
            return true;
        } else {
            return false;
        }
    };
    (void)(is(static_cast<Ms*>(nullptr)) || ...);
    return step;
}

// Runs ahead of the walk and announces messages about orders.
class Scout {
  public:
    explicit Scout(std::span<const std::byte> bytes) noexcept
        : at_{bytes.data()}, end_{bytes.data() + bytes.size()} {}

    template <class V>
    void advance(V& visitor) noexcept {
        constexpr std::size_t k_needed =
            k_frame_header_length + k_order_ref_offset + sizeof(std::uint64_t);
        if (static_cast<std::size_t>(end_ - at_) < k_needed) return;
        const std::byte* message = at_ + k_frame_header_length;
        const char type = static_cast<char>(message[k_type_offset]);
        if (is_about_order(type)) {
            visitor.ahead(type, load_be<std::uint16_t>(message + k_stock_locate_offset),
                          load_be<std::uint64_t>(message + k_order_ref_offset));
        }
        const std::size_t frame_length = k_frame_header_length + load_be<std::uint16_t>(at_);
        at_ += std::min(frame_length, static_cast<std::size_t>(end_ - at_));
    }

  private:
    const std::byte* at_;
    const std::byte* end_;
};

}  // namespace detail

template <class V>
[[nodiscard]] WalkResult walk(std::span<const std::byte> bytes, V& visitor) {
    const std::byte* at = bytes.data();
    const std::byte* const end = at + bytes.size();
    std::uint64_t messages = 0;
    [[maybe_unused]] detail::Scout scout{bytes};
    if constexpr (LooksAhead<V>) {
        for (std::size_t i = 0; i < V::k_ahead; ++i) scout.advance(visitor);
    }
    for (;;) {
        const detail::FrameStart frame = detail::frame_start(at, end);
        if (frame.length != message_length(frame.type)) [[unlikely]]
            break;
        const std::size_t frame_length = k_frame_header_length + frame.length;
        if (static_cast<std::size_t>(end - at) < frame_length) [[unlikely]]
            break;
        if constexpr (LooksAhead<V>) scout.advance(visitor);
        const detail::Step step = detail::dispatch(frame.type, at + k_frame_header_length, visitor,
                                                   static_cast<detail::ByFrequency*>(nullptr));
        if (step == detail::Step::fault) [[unlikely]]
            break;
        at += frame_length;
        ++messages;
        if (step == detail::Step::stop) [[unlikely]] {
            return {static_cast<std::size_t>(at - bytes.data()), messages, WalkEnd::stopped, {}};
        }
    }
    return detail::end_of_walk(bytes, static_cast<std::size_t>(at - bytes.data()), messages);
}

}  // namespace damrak::wire::itch
