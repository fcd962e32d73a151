// What is asked of the events of a day, and how an event is shown: the same for the program and
// for HTTP.
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <damrak/archive/detail/event_format.hpp>

namespace damrak::archive {

/// Which events are wanted.
struct EventQuestion {
    std::uint64_t order = 0;  ///< under all the ids that it gets by replaces; zero: all orders
    std::uint32_t participant = 0;  ///< zero: all
    std::string symbol{};           ///< empty: all
    std::uint64_t from = 0;         ///< records of the journal
    std::uint64_t to = std::numeric_limits<std::uint64_t>::max();
};

/// The events of a day go through it in order, from the first one on where an order is asked for:
/// its ids follow from them.
class EventFilter {
  public:
    EventFilter(EventQuestion question, std::span<const LoggedInstrument> instruments);

    [[nodiscard]] bool has(const LoggedEvent& logged);
    /// Whether a block can be passed over.
    [[nodiscard]] bool may_skip(const EventBlockHeader& block) const;
    /// No name and no decimals where the file does not have it.
    [[nodiscard]] LoggedInstrument instrument(InstrumentId id) const;

  private:
    EventQuestion question_;
    std::set<std::uint64_t> orders_;
    std::map<std::uint32_t, LoggedInstrument> instruments_;
};

/// An event as columns of text; what it does not have is empty.
struct EventText {
    EventText(const LoggedEvent& logged, const LoggedInstrument& instrument);

    std::string_view event;
    std::string_view side;
    std::string price;
    std::vector<std::string_view> flags;
    std::string_view reason;
};

/// An object. `symbol` is empty where the event is of no instrument.
void append_event(std::string& json, const LoggedEvent& logged, const LoggedInstrument& instrument);

}  // namespace damrak::archive
