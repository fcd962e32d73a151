// Prepares a recorded day as the market of an exchange, before the exchange starts.
//
//   auto opened = exchange::open_recorded_day({.file = "day.dar", .speed = 60}, settings);
//   auto exchange = exchange::Exchange::start(settings);
//
// Afterwards the settings contain the day's instruments and the participant of the recording.
#pragma once

#include <cstdint>
#include <memory>

#include <damrak/exchange/settings.hpp>
#include <damrak/journal/file_system.hpp>
#include <damrak/recorded_market/replayed_day.hpp>

namespace damrak::exchange {

/// Opens the day. A file in another format is first archived into settings.data. If that directory
/// has the journal of a replayed day, the start continues that day. An error if it has the journal
/// of another market.
[[nodiscard]] journal::Result<void> open_recorded_day(recorded_market::ReplaySettings replay,
                                                      Settings& settings);
/// Makes the next open_recorded_day() in this data directory begin the day again at this time
/// (nanoseconds since midnight), whatever `replay.window.from_ns` says: with a new journal and feed
/// session, without the clients' orders and sessions. Call it after Exchange::stop(). It is
/// synced to disk on return.
[[nodiscard]] journal::Result<void> seek_recorded_day(const Settings& settings,
                                                      std::int64_t from_ns);
/// At a restart: brings the day to its position in the journal, which ends with this record.
[[nodiscard]] journal::Result<void> resume_recorded_day(const Settings& settings,
                                                        std::uint64_t last);
/// The reverse check: an error if the data directory belongs to a replayed day.
[[nodiscard]] journal::Result<void> check_no_recorded_day(const Settings& settings);
/// Puts the day into reloaded settings, whose file does not name it.
void use_recorded_day(std::shared_ptr<recorded_market::ReplayedDay> day, Settings& settings);

}  // namespace damrak::exchange
