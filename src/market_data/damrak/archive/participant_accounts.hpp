// What each participant did on a day, from its events: orders, trades, positions, fees, and profit
// at the last trade prices. One thread. An event costs a look-up; memory grows with the
// participants and the instruments that they trade.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <utility>

#include <damrak/archive/detail/event_format.hpp>
#include <damrak/domain/fees.hpp>

namespace damrak::archive {

class ParticipantAccounts {
  public:
    /// What a participant has in an instrument.
    struct Holding {
        std::int64_t position = 0;  ///< bought minus sold
        std::int64_t cash = 0;      ///< in the instrument's price units, before fees
        std::int64_t fees = 0;      ///< likewise
    };
    /// What a participant did in a day.
    struct Account {
        std::uint64_t orders = 0;
        std::uint64_t cancels = 0;
        std::uint64_t trades = 0;
        std::uint64_t volume = 0;
        std::map<std::uint32_t, Holding> holdings{};  ///< by instrument
    };

    /// Fees at these rates; those of a trade stay when it is busted or corrected.
    void add(std::span<const LoggedEvent> events, std::span<const LoggedInstrument> instruments,
             const Fees& fees);

    [[nodiscard]] const std::map<std::uint32_t, Account>& accounts() const { return accounts_; }
    /// Appends an array with an object for each participant. `groups`: names by participant.
    void append_json(std::string& json, std::span<const LoggedInstrument> instruments,
                     const std::map<std::uint32_t, std::string>& groups) const;

  private:
    void charge(const Event& executed, std::span<const LoggedInstrument> instruments,
                const Fees& fees);
    /// A trade of the event's owner and side.
    void hold(const Event& of, Price price, Quantity quantity);

    std::map<std::uint32_t, Account> accounts_;
    std::map<std::uint32_t, std::int64_t> last_prices_;  ///< of trades, by instrument
};

}  // namespace damrak::archive
