// The events of the days for the operator: the event files of the archive, including that of the
// current session. One thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <damrak/archive/event_file.hpp>
#include <damrak/archive/event_search.hpp>
#include <damrak/archive/participant_accounts.hpp>
#include <damrak/market_data_api/detail/days.hpp>
#include <damrak/market_data_api/query.hpp>

namespace damrak::market_data_api {

/// Brings all events so far into the current file. Returns what keeps some of them out; empty:
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
    /// Whether it is the current session.
    [[nodiscard]] bool is_present(const Events& day) const;
    /// Newest first.
    [[nodiscard]] std::vector<std::string> names() const;
    /// The group of each participant of a simulated day, from NAME.participants.csv; empty if there
    /// is no such file.
    [[nodiscard]] std::map<std::uint32_t, std::string> groups(const std::string& name) const;

  private:
    std::filesystem::path folder_;
    PresentSession present_;
    WriteEvents write_;
};

/// The instrument of a day with this symbol.
[[nodiscard]] Result<archive::LoggedInstrument> find_instrument(const EventDays::Events& day,
                                                                std::string_view symbol);

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
    [[nodiscard]] bool read(std::string& piece);

    EventDays::Events day_;
    archive::EventFilter filter_;
    bool has_begun_ = false;
    std::size_t block_ = 0;
    std::vector<archive::LoggedEvent> events_;  ///< of the last block that was read
    std::size_t used_ = 0;                      ///< of these
};

/// What each participant did on the day, as JSON.
[[nodiscard]] std::string totals_of_participants(EventDays::Events& day,
                                                 const std::map<std::uint32_t, std::string>& groups,
                                                 const Fees& fees);

}  // namespace damrak::market_data_api
