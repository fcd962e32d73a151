// A consumer of recorded order flow (order_flow/recorded.hpp) that builds the book of one
// instrument and feeds measures with what the public saw of it. One thread.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include <damrak/measures/measures.hpp>
#include <damrak/order_flow/book_builder.hpp>
#include <damrak/views/public_change.hpp>

namespace damrak::measures {

class PublicRecording {
  public:
    /// Tells the measures nothing before `begin_ns`, and then first the book as it is; zero: from
    /// the first message on.
    PublicRecording(Measures& measures, std::int64_t begin_ns)
        : measures_(&measures), begin_ns_(begin_ns) {}

    /// From now on others measure: first of all the book as it is, at `begin_ns`.
    void measure_with(Measures& others, std::int64_t begin_ns);

    InstrumentId declare(std::string_view symbol) { return builder_.declare(symbol); }

    bool on_add(const order_flow::At& at, OrderId id, Side side, Price price, Quantity quantity);
    bool on_execute(const order_flow::At& at, OrderId id, Quantity quantity);
    bool on_execute_at(const order_flow::At& at, OrderId id, Quantity quantity, Price price,
                       bool printable);
    bool on_reduce(const order_flow::At& at, OrderId id, Quantity quantity);
    bool on_remove(const order_flow::At& at, OrderId id);
    bool on_replace(const order_flow::At& at, OrderId id, OrderId fresh, Price price,
                    Quantity quantity);
    bool on_trade(const order_flow::At& at, order_flow::TradeKind kind, Price price,
                  Quantity quantity, std::optional<Side> aggressor);
    bool on_phase(const order_flow::At& at, order_flow::StateChange phase);
    void ahead(InstrumentId instrument, OrderId id) { builder_.ahead(instrument, id); }

    [[nodiscard]] const Order* find(InstrumentId instrument, OrderId id) const {
        return builder_.find(instrument, id);
    }
    [[nodiscard]] Price price_of(const Order& order) const { return builder_.price_of(order); }
    [[nodiscard]] order_flow::Anomalies& anomalies() { return builder_.anomalies(); }
    /// Nothing happens up to this time.
    void reach(std::int64_t time_ns) { last_ns_ = std::max(last_ns_, time_ns); }
    [[nodiscard]] std::int64_t last_ns() const { return last_ns_; }

  private:
    struct Place {
        Side side{};
        Price price{};
        friend bool operator==(const Place&, const Place&) = default;
    };
    /// Where the order rests, before a message changes that.
    [[nodiscard]] std::optional<Place> place_of(InstrumentId instrument, OrderId id) const;
    /// Whether the measures hear of this moment.
    bool begins(const order_flow::At& at);
    [[nodiscard]] views::PublicChange change_of(const order_flow::At& at) const;
    void tell_level(const order_flow::At& at, const Place& place);
    /// The levels that the view changed before this message, but not the message's own.
    void tell_revealed(const order_flow::At& at, const std::optional<Place>& own);
    void tell_trade(const order_flow::At& at, Side aggressor, Price price, Quantity quantity);
    void tell_message(const order_flow::At& at, OrderMessage::Kind kind, Quantity quantity,
                      OrderId order, const Place& place);
    void tell_book(const order_flow::At& at);

    Measures* measures_;
    std::int64_t begin_ns_;
    order_flow::BookBuilder<> builder_;
    std::vector<Place> revealed_;  ///< since the last message of a participant
    std::int64_t last_ns_ = 0;
    bool has_begun_ = false;
    bool is_halted_ = false;
};

}  // namespace damrak::measures
