// Opens and closes the trading days of an exchange: says which commands are due. The state is of
// the journal, the time from the caller. What was missed while nothing ran is due at the start.
//
//   end_day       of all instruments: day orders expire
//   day_closed    what follows belongs to no day
//   day_opened    with the date, and the number of its feed session
#pragma once

#include <vector>

#include <damrak/domain/command.hpp>
#include <damrak/domain/trading_day.hpp>
#include <damrak/exchange/trading_calendar.hpp>

namespace damrak::exchange {

class DayClock {
  public:
    /// `day`: as the journal has it. `published`: date and number of the last feed session that has
    /// a file; a journal that is begun anew does not know of it, and its numbers go on behind it.
    DayClock(TradingCalendar calendar, TradingDay day, TradingDay published = {})
        : calendar_(calendar), day_(day), published_(published) {}

    /// The commands that are due, in the order in which they are to be submitted; usually none.
    [[nodiscard]] std::vector<Command> due(Timestamp now) {
        return now < next_ ? std::vector<Command>{} : change(now);
    }
    /// What was published is not true any more, or not there any more: the day that is open goes on
    /// with a new feed session.
    void renew_feed_session() {
        renews_ = day_.is_open != 0;
        next_ = {};
    }

  private:
    [[nodiscard]] std::vector<Command> change(Timestamp now);

    TradingCalendar calendar_;
    TradingDay day_;
    TradingDay published_;
    Timestamp next_{};
    bool renews_ = false;
};

}  // namespace damrak::exchange
