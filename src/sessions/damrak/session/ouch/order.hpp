// An order entered by OUCH, with the data for its reports; and the reports: an event and the
// order's identification as a message of the user's version. Pure; writes into the caller's memory.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include <damrak/domain/event.hpp>
#include <damrak/domain/origin.hpp>
#include <damrak/session/ouch/request.hpp>
#include <damrak/wire/ouch/encode.hpp>

namespace damrak::session::ouch {

struct Order {
    OrderId id{};
    std::uint32_t user = 0;  ///< index of the user that entered it
    std::uint32_t name = 0;  ///< index of its token
    std::uint32_t next = 0;  ///< open order of the user, entered earlier
    std::uint32_t previous = 0;
    InstrumentId instrument{};
    Price price{};  ///< in the exchange's unit
    std::int64_t open = 0;
    std::int64_t executed = 0;
    std::int64_t before = 0;  ///< of that, before it entered again: not known to the engine
    Request terms;            ///< as last requested, with the current price
};

/// A trade between orders of one participant that was prevented.
struct PreventedTrade {
    std::int64_t quantity = 0;  ///< zero, and so the price: not known
    std::uint64_t price_e4 = 0;
    bool was_incoming = false;   ///< the order, not the one that it met
    SelfTradePrevention rule{};  ///< of the incoming order, if it came by OUCH
};

/// One message at a time; the result of write() is valid until the next call.
class Reports {
  public:
    /// When the event happened, in nanoseconds since the epoch.
    explicit Reports(const CommandStamp& stamp)
        : time_(static_cast<std::uint64_t>(stamp.timestamp.value)) {}

    using Bytes = std::span<const std::byte>;

    [[nodiscard]] Bytes system_event(char code);
    [[nodiscard]] Bytes accepted(const Order& order);
    [[nodiscard]] Bytes replaced(const Order& order, const Token& previous);
    [[nodiscard]] Bytes canceled(const Order& order, std::int64_t quantity, char reason);
    /// The same for a trade that was prevented.
    [[nodiscard]] Bytes aiq_canceled(const Order& order, std::int64_t quantity,
                                     const PreventedTrade& trade);
    [[nodiscard]] Bytes modified(const Order& order);
    /// `call`: of the auction, if it traded in one.
    [[nodiscard]] Bytes executed(const Order& order, const Event& event, std::uint64_t price_e4,
                                 CallKind call);
    [[nodiscard]] Bytes priority(const Order& order);
    /// A trade is taken back. The order may have ended: `token` is that of its execution.
    [[nodiscard]] Bytes broken(const Token& token, const Token& cl_ord_id, Version version,
                               std::uint64_t match_number);
    /// Version 5.0.
    [[nodiscard]] Bytes restated(const Order& order, const Event& event);
    [[nodiscard]] Bytes rejected(const Request& request, Refusal refusal);
    /// The order stays as it is: the phase allows no changes.
    [[nodiscard]] Bytes cancel_rejected(const Order& order);
    // Version 5.0:
    [[nodiscard]] Bytes mass_canceled(const Request& request);
    [[nodiscard]] Bytes entry_disabled(const Request& request);
    [[nodiscard]] Bytes entry_enabled(const Request& request);
    [[nodiscard]] Bytes account(std::uint32_t next_user_ref);

  private:
    template <class M>
    [[nodiscard]] Bytes write(const M& message) {
        return std::span{memory_}.first(wire::ouch::encode(message, memory_));
    }

    std::uint64_t time_;
    std::array<std::byte, wire::ouch::k_longest_message> memory_;
};

}  // namespace damrak::session::ouch
