// What MassQuote and QuoteCancel ask for, and what MassQuoteAcknowledgement tells of it. Called by
// mass_quotes.hpp. Pure; no allocation.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include <damrak/domain/command.hpp>
#include <damrak/domain/event.hpp>
#include <damrak/domain/reason.hpp>
#include <damrak/fix_codec/encode.hpp>
#include <damrak/fix_codec/message.hpp>
#include <damrak/gateway/client_order_names.hpp>
#include <damrak/gateway/fix/detail/instruments.hpp>
#include <damrak/gateway/fix/detail/order_values.hpp>
#include <damrak/gateway/fix/detail/reports.hpp>

namespace damrak::gateway::fix::detail {

/// The entries of a session's last MassQuote, to tell which were refused. After a restart it is
/// empty, and the acknowledgement is about the whole.
struct QuoteRun {
    static constexpr std::size_t k_most = 50;
    struct Entry {
        ShortName set;
        ShortName id;
        int refused = 0;  ///< QuoteEntryRejectReason; zero: it is not
    };

    std::array<Entry, k_most> entries{};
    std::size_t count = 0;
    std::size_t refused = 0;
    FixText text;  ///< why the last one was refused

    void refuse(std::size_t entry, int code, const FixText& why);
    [[nodiscard]] std::span<const Entry> all() const { return {entries.data(), count}; }
};

/// Each entry as a command without its participant; what is wrong with one is noted in the run.
[[nodiscard]] Asked<void> read_quotes(const fix_codec::Message& message,
                                      const FixInstruments& instruments, QuoteRun& run,
                                      std::span<Command, QuoteRun::k_most> commands);
/// The instruments of a QuoteCancel for symbols; the run has an entry for each.
[[nodiscard]] Asked<void> read_quote_symbols(const fix_codec::Message& message,
                                             const FixInstruments& instruments, QuoteRun& run,
                                             std::span<Command, QuoteRun::k_most> commands);

/// QuoteRejectReason, or that of an entry, of FIX.5.0SP2.
[[nodiscard]] int quote_reject_reason(Reason reason);

/// What an acknowledgement tells needs no report of an order.
[[nodiscard]] constexpr bool is_told_by_answer(const Event& event) {
    return event.kind == EventKind::accepted || event.kind == EventKind::replaced ||
           event.kind == EventKind::rejected || event.reason == Reason::quote_replaced;
}

struct QuoteAnswer {
    static constexpr char k_accepted = '0';
    static constexpr char k_cancelled_for_symbols = '1';
    static constexpr char k_cancelled_all = '4';
    static constexpr char k_rejected = '5';

    std::string_view quote{};  ///< QuoteID
    char status = k_accepted;
    int reject_reason = 0;
    std::string_view text{};
    const QuoteRun* run = nullptr;  ///< tells its refused entries
};
void put_quote_answer(fix_codec::MessageWriter& writer, fix_codec::ApplVersion version,
                      const QuoteAnswer& answer);

}  // namespace damrak::gateway::fix::detail
