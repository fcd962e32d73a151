// What one participant has of a market in virtual time: its connection, its views, its own orders
// and account as it knows them. See participant.hpp for the contract.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include <damrak/market_kernel/detail/due.hpp>
#include <damrak/market_kernel/market_setup.hpp>
#include <damrak/views/public_change.hpp>

namespace damrak::market_kernel::detail {

class Kernel;

class SeatAccess final : public MarketAccess {
  public:
    SeatAccess(Kernel& kernel, std::uint32_t index, Seat seat, std::uint64_t seed);

    [[nodiscard]] Timestamp now() const override;
    void wake_at(Timestamp at, std::uint64_t key) override;
    OrderHandle enter(const NewOrder& order) override;
    bool cancel(OrderHandle order, Quantity quantity) override;
    bool replace(OrderHandle order, Price price, Quantity quantity) override;
    [[nodiscard]] const OwnOrder* order(OrderHandle order) const override;
    [[nodiscard]] const views::PublicChange& view(InstrumentId instrument) override;
    [[nodiscard]] const views::VisibleDepth& depth(InstrumentId instrument) override;
    void subscribe(InstrumentId instrument, MarketNews news) override;
    [[nodiscard]] std::uint32_t instruments() const override;
    [[nodiscard]] const InstrumentDefinition& definition(InstrumentId id) const override;
    [[nodiscard]] double fundamental(InstrumentId id, Timestamp at) override;
    [[nodiscard]] Quantity position(InstrumentId id) const override;
    [[nodiscard]] std::int64_t cash() const override { return cash_; }
    [[nodiscard]] Draws draws(std::string_view purpose) const override;
    [[nodiscard]] std::uint32_t member() const override { return seat_.member; }
    [[nodiscard]] std::uint32_t members() const override { return seat_.members; }

    // For the kernel:
    [[nodiscard]] const Seat& seat() const { return seat_; }
    [[nodiscard]] Participant& participant() const { return *seat_.participant; }
    [[nodiscard]] ParticipantId id() const { return {index_ + 1}; }
    /// When a message that is sent now reaches the exchange.
    [[nodiscard]] std::int64_t arrival_of_message();
    /// When a report that the exchange sends now is here.
    [[nodiscard]] std::int64_t arrival_of_report();
    /// When public data of now is here.
    [[nodiscard]] std::int64_t arrival_of_data();
    /// Not overtaken by a later message of the session: when it is matched.
    [[nodiscard]] std::int64_t in_turn(std::int64_t matching_ns) {
        return last_matching_ns_ =
                   matching_ns > last_matching_ns_ ? matching_ns : last_matching_ns_;
    }
    /// The random part of a speed bump.
    [[nodiscard]] std::int64_t draw_bump(std::int64_t most_ns) {
        return most_ns == 0 ? 0
                            : static_cast<std::int64_t>(
                                  bump_draws_.below(static_cast<std::uint64_t>(most_ns) + 1));
    }
    void note_seen(InstrumentId instrument, Timestamp change);
    void hear(const ReportInFlight& report);
    void scale_latency(double factor) { factor_ = factor; }
    [[nodiscard]] std::int64_t most_data_ns() const;
    /// Brings the depth it follows to what it sees at least at `time`; the number from which on it
    /// still needs the changes.
    [[nodiscard]] std::uint64_t catch_up(InstrumentId instrument, Timestamp time);

    bool is_muted = false;    ///< isolated for a fault: nothing in, nothing out
    bool is_out = false;      ///< without connection
    bool has_outage = false;  ///< without market data
    std::uint32_t open_orders = 0;
    std::uint64_t sent_in_callback = 0;
    std::uint64_t calls_at_instant = 0;
    std::int64_t instant_ns = 0;
    std::vector<ReportInFlight> held_reports;  ///< while it is out

  private:
    struct View {
        views::PublicChange seen{};
        std::uint64_t number = 0;  ///< of `seen` in the log
        std::int64_t looked_ns = INT64_MIN;
        std::int64_t visible_ns = INT64_MIN;  ///< changes up to here are visible
        std::unique_ptr<views::VisibleDepth> depth;
        std::uint64_t depth_end = 0;  ///< changes before it are in `depth`
    };
    struct Wire {
        Latency latency;
        Draws draws;
        std::int64_t last_ns = INT64_MIN;  ///< arrival of the last message
    };

    [[nodiscard]] std::int64_t delay_of(Wire& wire);
    [[nodiscard]] std::int64_t delay_of_data();
    [[nodiscard]] View& look(InstrumentId instrument);
    void send(Command& command, std::uint32_t slot);
    [[nodiscard]] OrderSlot* find(OrderHandle handle) const;

    Kernel* kernel_;
    std::uint32_t index_;
    Seat seat_;
    std::uint64_t seed_;
    Draws bump_draws_;
    Wire orders_;
    Wire reports_;
    Wire data_;
    double factor_ = 1;
    std::int64_t busy_until_ns_ = INT64_MIN;
    std::int64_t last_matching_ns_ = INT64_MIN;
    std::uint64_t client_order_ids_ = 0;
    std::int64_t cash_ = 0;
    std::vector<std::int64_t> positions_;  ///< by instrument
    std::vector<View> views_;              ///< by instrument; empty until it looks
};

}  // namespace damrak::market_kernel::detail
