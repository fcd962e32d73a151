// What a venue's own rules come to in an exchange that runs: fees by participant, how market makers
// keep their obligations, and the value of the index. An observer of the exchange: since its start,
// or the begin of its trading day if that is later.
//
// Fed on the thread that follows the journal, read on any. An event costs a lock and a look-up in
// small maps; the exchange has this observer only if its venue needs one.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
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
    struct Report {
        std::int32_t day = 0;  ///< yyyymmdd; zero: none began yet
        std::vector<FeeAccount> fees;
        std::vector<Keeping> obligations;
        std::optional<double> index;  ///< in the currency, once each part has a price
    };

    [[nodiscard]] static bool is_needed(const venue::Venue& venue) {
        return venue.fees.exist() || !venue.obligations.empty() || venue.index;
    }

    /// `on_day_end` hears what the day came to, on the thread that follows the journal.
    VenueLedger(std::shared_ptr<const venue::Venue> venue,
                std::function<void(const Report&)> on_day_end);

    /// From now on by this venue; the day begins anew. Null: by none.
    void use(std::shared_ptr<const venue::Venue> venue);
    /// At this time, which is not before the last event.
    [[nodiscard]] Report report(Timestamp now) const;
    [[nodiscard]] std::shared_ptr<const venue::Venue> venue() const;

    [[nodiscard]] std::expected<void, std::string> begin(const Engine& engine,
                                                         std::uint64_t position) override;
    void on_command(const Command& command, const CommandStamp& stamp) override;
    void on_event(const Event& event, const CommandStamp& stamp) override;

  private:
    struct Watch {
        std::size_t obligation = 0;
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

    void watch_all();
    void watch(const InstrumentState& in);
    void note_fill(const Event& event, Instrument& of) const;
    [[nodiscard]] std::optional<double> index_value() const;
    [[nodiscard]] Report report_at(Timestamp now) const;

    mutable std::mutex mutex_;
    std::shared_ptr<const venue::Venue> venue_;
    std::function<void(const Report&)> on_day_end_;
    const Engine* engine_ = nullptr;
    std::int32_t day_ = 0;
    Timestamp now_{};
    std::map<InstrumentId, Instrument> instruments_;  ///< empty: watches nothing yet
};

}  // namespace damrak::measures
