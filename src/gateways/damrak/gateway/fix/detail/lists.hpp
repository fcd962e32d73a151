// What a NewOrderList asks for, and what ListStatus tells of it. Called by new_order_list.hpp. Pure
// except for the memory of ListedOrder.
#pragma once

#include <array>
#include <string_view>

#include <damrak/domain/command.hpp>
#include <damrak/fix_codec/decode.hpp>
#include <damrak/fix_codec/encode.hpp>
#include <damrak/fix_codec/message.hpp>
#include <damrak/gateway/fix/detail/order_values.hpp>
#include <damrak/gateway/fix/detail/reports.hpp>

namespace damrak::gateway::fix::detail {

/// One order of a list as a message of its own, with the header and the ListID of the list, so that
/// it is read as any other order.
class ListedOrder {
  public:
    static constexpr std::size_t k_bytes = 4'096;

    /// False: it has more bytes.
    [[nodiscard]] bool read(const fix_codec::Message& list, const fix_codec::Group& entry,
                            fix_codec::TimestampCache& times);
    [[nodiscard]] const fix_codec::Message& message() const { return message_; }

  private:
    fix_codec::Decoder decoder_{256, k_bytes};
    std::array<char, k_bytes> bytes_{};
    fix_codec::Message message_;
};

/// What the list as a whole says, before its orders are read.
[[nodiscard]] Asked<Contingency> read_contingency(const fix_codec::Message& list);
/// What the engine refuses in any market: by then, the other order of the list is in the book.
[[nodiscard]] Asked<void> check_listed(const Command& order,
                                       const InstrumentDefinition& instrument);
/// Whether the engine can link the orders: docs/rule-book/linked-orders.md.
[[nodiscard]] Asked<void> check_pair(const Command& first, const Command& second,
                                     Contingency contingency);

/// The list was received; or, with a refusal, nothing of it is done.
void put_list_status(fix_codec::MessageWriter& writer, const ReportStyle& style,
                     const fix_codec::Message& list, const Refusal* refusal, Timestamp time);

}  // namespace damrak::gateway::fix::detail
