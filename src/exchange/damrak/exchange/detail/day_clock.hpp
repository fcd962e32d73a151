// Opens and closes the trading days of an exchange: returns the due commands. The state comes from
// the journal, the time from the caller. Commands missed while the exchange was down are due at the
// start.
//
//   end_day       for all instruments: day orders expire
//   day_closed    later records belong to no day
//   day_opened    with the date, and the number of its feed session
#pragma once

#include <vector>

#include <damrak/domain/command.hpp>
#include <damrak/domain/trading_day.hpp>
#include <damrak/exchange/detail/trading_calendar.hpp>

namespace damrak::exchange {

class DayClock {
  public:
    /// `day`: from the journal. `published`: date and number of the last feed session that has a
    /// file. A new journal does not know of it; feed session numbers continue after it.
    DayClock(TradingCalendar calendar, TradingDay day, TradingDay published = {})
        : calendar_(calendar), day_(day), published_(published) {}

    /// The due commands, in the order of submission; usually none.
    [[nodiscard]] std::vector<Command> due(Timestamp now) {
        return now < next_ ? std::vector<Command>{} : change(now);
    }
    /// The last day that was opened, after the commands that due() has returned.
    [[nodiscard]] const TradingDay& day() const { return day_; }
    /// The published messages are wrong or lost: the open day continues with a new feed session.
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
