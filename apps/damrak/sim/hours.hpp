// What commands share that read a recorded day: the options --from and --until, and notes.
#pragma once

#include <expected>
#include <string>

#include <damrak/study/recorded_measures.hpp>

namespace damrak::app {

/// Empty: from the begin, to the end. The error is one of usage.
[[nodiscard]] std::expected<study::MeasuredHours, std::string> measured_hours(
    const std::string& from, const std::string& until);

/// What is missing in the day, on standard error.
void tell_notes(const study::RecordedDay& day);

}  // namespace damrak::app
