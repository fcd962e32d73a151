// A recorded day as the market of an exchange: before it is started.
//
//   auto opened = exchange::open_recorded_day({.file = "day.dar", .speed = 60}, settings);
//   auto exchange = exchange::Exchange::start(settings);
//
// The day's instruments and the participant of the recording are among the settings then.
#pragma once

#include <cstdint>
#include <memory>

#include <damrak/exchange/settings.hpp>
#include <damrak/journal/file_system.hpp>
#include <damrak/playback/replayed_day.hpp>

namespace damrak::exchange {

/// Opens the day, with a copy in settings.data of a file that is not archived. Where that directory
/// has the journal of a replayed day, that one goes on when the exchange is started. An error also
/// where it is of another market.
[[nodiscard]] journal::Result<void> open_recorded_day(playback::ReplaySettings replay,
                                                      Settings& settings);
/// The next open_recorded_day() in this data directory begins the day again at this time of day
/// (nanoseconds since midnight), whatever `replay.window.from_ns` says: with a new journal and feed
/// session, without the clients' orders and FIX sessions. Call it after Exchange::stop(). It is on
/// the disk when it returns.
[[nodiscard]] journal::Result<void> seek_recorded_day(const Settings& settings,
                                                      std::int64_t from_ns);
/// At a restart: brings the day to where the journal, which ends with this record, has it.
[[nodiscard]] journal::Result<void> resume_recorded_day(const Settings& settings,
                                                        std::uint64_t last);
/// The other way round: an error where the data directory is that of a replayed day.
[[nodiscard]] journal::Result<void> check_no_recorded_day(const Settings& settings);
/// For settings of a reload, which do not know of it.
void use_recorded_day(std::shared_ptr<playback::ReplayedDay> day, Settings& settings);

}  // namespace damrak::exchange
