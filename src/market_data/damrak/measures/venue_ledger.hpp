// What a venue's own rules come to in an exchange that runs: fees by participant, how market makers
// keep their obligations, and the value of the index. An observer of the exchange: since its start,
// or the begin of its trading day if that is later.
//
// It follows the market from its state: at the start, at the begin of a day and with another venue
// it takes over the orders that rest and the last trades, so nothing waits for an event. Another
// venue keeps what it does not change: fees that are charged, and obligations of the same terms.
//
// Fed on the thread that follows the journal, read on any. An event costs a lock and a look-up in
// small maps; the exchange has this observer only if it has a venue.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <damrak/domain/instrument.hpp>
#include <damrak/feed/market_observer.hpp>
#include <damrak/measures/obligation.hpp>
#include <damrak/venue/venue.hpp>

namespace damrak::measures {

/// What a participant traded in an instrument. Fees are in price units.
struct FeeAccount {
    ParticipantId participant{};
    std::string symbol;
    std::uint8_t price_decimals = 0;
    std::uint64_t trades = 0;
    std::int64_t maker_volume = 0;
    std::int64_t taker_volume = 0;
    std::int64_t auction_volume = 0;
    std::int64_t fees = 0;
};

/// How a participant keeps an obligation in an instrument.
struct Keeping {
    std::string obligation;
    ParticipantId participant{};
    std::string symbol;
    std::uint8_t price_decimals = 0;
    double presence = 0;     ///< wanted share of each period
    QuotingResult result{};  ///< spreads in price units
};

class VenueLedger final : public feed::MarketObserver {
  public:
    /// The fees and obligations of a day.
    struct Report {
        std::int32_t day = 0;  ///< yyyymmdd; zero: none began yet
        std::vector<FeeAccount> fees;
        std::vector<Keeping> obligations;
        std::optional<double> index;  ///< in the currency, once each part has a price
    };

    [[nodiscard]] static bool is_needed(const venue::Venue& venue) {
        return venue.fees.exist() || !venue.obligations.empty() || venue.index;
    }

    /// Without a venue. `on_day_end` hears what the day came to, on the thread that follows the
    /// journal.
    explicit VenueLedger(std::function<void(const Report&)> on_day_end)
        : on_day_end_(std::move(on_day_end)) {}

    /// The trading day that had not ended when the exchange ended. Before it follows the journal.
    void resume(std::int32_t day) { day_ = day; }

    // Any thread:
    /// By this venue from `now` on; null: by none. Seen after the next turn of the thread that
    /// follows the journal.
    void use(std::shared_ptr<const venue::Venue> venue, Timestamp now);
    /// At this time, which is not before the last event.
    [[nodiscard]] Report report(Timestamp now) const;
    /// The last one used, if it needs a ledger.
    [[nodiscard]] std::shared_ptr<const venue::Venue> venue() const;

    [[nodiscard]] std::expected<void, std::string> begin(const Engine& engine,
                                                         std::uint64_t position) override;
    void on_command(const Command& command, const CommandStamp& stamp) override;
    void on_event(const Event& event, const CommandStamp& stamp) override;
    void on_turn(std::int64_t now_ns) override;

  private:
    struct Watch {
        Obligation terms;
        ParticipantId participant{};
        QuotingWatch quoting;
    };
    struct Instrument {
        InstrumentDefinition definition{};
        std::int64_t weight = 0;    ///< in the index; zero: none
        std::optional<Price> last;  ///< trade
        std::vector<Watch> watches;
        std::map<ParticipantId, FeeAccount> accounts;
    };

    struct Change {
        std::shared_ptr<const venue::Venue> venue;
        Timestamp at{};
    };

    void come_to(Timestamp time);
    void change_venue();
    void follow_all(Timestamp since);
    void follow(const InstrumentState& in, Timestamp since);
    [[nodiscard]] std::vector<Watch> watches_of(const InstrumentState& in, Timestamp since) const;
    void note_resting(const InstrumentState& in, const std::vector<QuotingWatch*>& watches,
                      Timestamp time) const;
    void note_fill(const Event& event, Instrument& of) const;
    [[nodiscard]] std::optional<double> index_value() const;
    [[nodiscard]] Report report_at(Timestamp now) const;

    mutable std::mutex mutex_;
    std::shared_ptr<const venue::Venue> venue_;    ///< null: none that needs a ledger
    std::shared_ptr<const venue::Venue> earlier_;  ///< the one before it, until since_
    Timestamp since_{};
    std::optional<Change> next_;
    std::function<void(const Report&)> on_day_end_;
    const Engine* engine_ = nullptr;
    std::int32_t day_ = 0;
    Timestamp now_{};
    std::map<InstrumentId, Instrument> instruments_;
};

}  // namespace damrak::measures
