// The events of the days for the operator: the event files of the archive, the one of the present
// session included. One thread.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <damrak/archive/event_file.hpp>
#include <damrak/archive/event_search.hpp>
#include <damrak/market_data_api/days.hpp>
#include <damrak/market_data_api/query.hpp>

namespace damrak::market_data_api {

/// Brings all events so far into the present file. Returns what keeps some of them out; empty:
/// nothing does.
using WriteEvents = std::function<std::string()>;

class EventDays {
  public:
    /// A file of events; none if the session has no events yet.
    struct Events {
        std::string name;
        std::optional<archive::EventFile> file;
        std::string missing;  ///< which events are not in the file
    };

    EventDays(std::filesystem::path folder, PresentSession present, WriteEvents write)
        : folder_(std::move(folder)), present_(std::move(present)), write_(std::move(write)) {}

    /// Finds a day as Days::find() does.
    [[nodiscard]] Result<Events> find(const std::string& text) const;
    /// Newest first.
    [[nodiscard]] std::vector<std::string> names() const;

  private:
    std::filesystem::path folder_;
    PresentSession present_;
    WriteEvents write_;
};

/// The events that a question selects, piece by piece, one JSON object a line. Damage and missing
/// events become lines with an `error`.
class EventLines {
  public:
    EventLines(EventDays::Events events, archive::EventQuestion question);

    /// Appends some of the lines; false: these were the last.
    [[nodiscard]] bool next(std::string& piece);

  private:
    void add_error(std::string& piece, const std::string& error);
    /// Whether there is a next event.
    [[nodiscard]] bool read(std::string& piece, std::size_t& blocks);

    EventDays::Events day_;
    archive::EventFilter filter_;
    bool has_begun_ = false;
    std::size_t block_ = 0;
    std::vector<archive::LoggedEvent> events_;  ///< of the last block that was read
    std::size_t used_ = 0;                      ///< of these
};

}  // namespace damrak::market_data_api
