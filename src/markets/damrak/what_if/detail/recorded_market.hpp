// The recorded market beside a replay: the book of one instrument as the record has it, and its
// trades. One thread; a message costs its decoding and a change of a book.
#pragma once

#include <cstdint>
#include <string>

#include <damrak/order_flow/book_builder.hpp>
#include <damrak/order_flow/itch_flow.hpp>
#include <damrak/recorded_market/recorded_messages.hpp>

namespace damrak::what_if {

struct Top {
    Price bid{};
    Price ask{};
    Quantity bid_quantity{};
    Quantity ask_quantity{};
    [[nodiscard]] bool has_both() const { return bid_quantity.value > 0 && ask_quantity.value > 0; }
    [[nodiscard]] std::int64_t twice_mid() const { return bid.value + ask.value; }
    friend bool operator==(const Top&, const Top&) = default;
};

class RecordedMarket {
  public:
    /// The window names the one instrument.
    RecordedMarket(recorded_market::RecordedMessages messages, std::uint16_t locate)
        : messages_(std::move(messages)), locate_(locate) {}

    /// Applies what was recorded up to this time.
    void advance(std::int64_t until_ns);
    /// Applies messages until both sides have a price; false: the day ends before.
    [[nodiscard]] bool find_first_quote();

    [[nodiscard]] const Top& top() const { return top_; }
    [[nodiscard]] std::uint64_t trades() const { return trades_; }
    [[nodiscard]] std::uint64_t messages() const { return count_; }
    [[nodiscard]] const archive::Completeness& completeness() const {
        return messages_.completeness();
    }
    [[nodiscard]] const order_flow::BookBuilder<>& books() const { return builder_; }
    /// Zero: the record has said nothing of it yet.
    [[nodiscard]] InstrumentId instrument() const { return flow_.instrument(locate_); }

  private:
    void apply(const recorded_market::Recorded& recorded);
    void look();

    recorded_market::RecordedMessages messages_;
    std::uint16_t locate_;
    order_flow::BookBuilder<> builder_;
    order_flow::ItchFlow<order_flow::BookBuilder<>> flow_{builder_, {}};
    Top top_{};
    std::uint64_t trades_ = 0;
    std::uint64_t count_ = 0;
};

}  // namespace damrak::what_if
