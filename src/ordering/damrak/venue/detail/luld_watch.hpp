// Limit up, limit down, of one instrument: what the supervisor sees of it becomes its reference
// price, its bands, its limit states and pauses, and the commands that put them into effect.
//
// What it knows is in the engine, so that a restart continues with it: the band and its reference
// price, and since when a pause lasts. Only the trades of the last five minutes and a running limit
// state start again.
#pragma once

#include <optional>
#include <vector>

#include <damrak/auction/luld_bands.hpp>
#include <damrak/auction/luld_reference.hpp>
#include <damrak/auction/luld_state.hpp>
#include <damrak/domain/command.hpp>
#include <damrak/engine/instrument_state.hpp>
#include <damrak/venue/market_hours.hpp>
#include <damrak/venue/venue.hpp>

namespace damrak::venue::detail {

class LuldWatch {
  public:
    /// `hours` must outlive it.
    LuldWatch(const Luld& rules, const InstrumentDefinition& definition, const MarketHours& hours);

    /// As it stands at the start.
    void begin(const InstrumentState& in, Timestamp now);
    void on_trade(Timestamp now, Price price);
    /// The price of an auction, ahead of the phase that follows it.
    void on_auction(Price price) { auction_price_ = price; }
    void on_phase(const InstrumentState& in, Timestamp now);
    void on_quotes(const InstrumentState& in, const auction::BestQuotes& quotes, Timestamp now);
    /// The reopening auction did not take place.
    void on_refused(Reason reason, Timestamp now);
    /// Something else stops the instrument until it trades again.
    void stand_aside() {
        mode_ = Mode::off;
        is_due_ = true;
    }

    void due(Timestamp now, std::vector<Command>& commands);
    [[nodiscard]] Timestamp next() const;
    [[nodiscard]] auction::LuldPhase phase() const { return state_.phase(); }
    [[nodiscard]] bool is_paused() const { return mode_ == Mode::paused; }

  private:
    enum class Mode : std::uint8_t { off, trading, paused };

    void trade_from(Price reference, Timestamp now);
    void look_at_quotes(Timestamp now);
    [[nodiscard]] Timestamp straddle_end() const;
    void move_bands(Timestamp now);
    void begin_pause();
    void end_pause(Timestamp now, std::vector<Command>& commands);
    void ask_band(std::vector<Command>& commands);
    [[nodiscard]] PriceBandDetails wanted_band() const;
    [[nodiscard]] bool is_crossed() const {
        return quotes_.bid && quotes_.offer && *quotes_.bid >= *quotes_.offer;
    }
    [[nodiscard]] std::optional<Side> surplus() const;

    InstrumentId id_;
    const MarketHours* hours_;
    auction::LuldPlan plan_;
    auction::LuldSecurity security_;
    auction::ReopeningCollar::Terms collar_terms_;
    Mode mode_ = Mode::off;
    Timestamp close_{};
    auction::LuldState state_{{}, {}};
    std::optional<auction::LuldReference> reference_;
    PriceBandDetails band_{};                       ///< of continuous trading, once it is known
    auction::LuldReference::Standing in_effect_{};  ///< the reference price of this band
    std::optional<auction::ReopeningCollar> collar_;
    std::int64_t extensions_ = 0;  ///< of the pause
    PriceBandDetails asked_{};     ///< the band that the engine has, or was sent last
    auction::BestQuotes quotes_{};
    AuctionRule auction_{};
    Price auction_price_{};  ///< since the phase changed last; zero: none
    Price last_{};
    bool is_halted_ = false;   ///< by the operator
    bool is_trading_ = false;  ///< continuously, and is not halted
    bool in_closing_call_ = false;
    bool is_late_ = false;      ///< bands may be doubled
    bool is_due_ = false;       ///< something happened that may need commands
    bool is_extended_ = false;  ///< which the next command announces
    bool asked_auction_ = false;
    Timestamp next_try_{};       ///< of the reopening auction
    bool asked_collar_ = false;  ///< it was sent as the collar of a pause
    std::int64_t straddle_pause_ns_;
    Timestamp straddle_since_{};  ///< of a straddle state; zero: none
};

}  // namespace damrak::venue::detail
