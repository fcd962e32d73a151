// The matching engine for Python: an engine, alone or led by a venue, with its clock, its order ids
// and the events of each call. One thread at a time, which `Use` ensures.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <nanobind/nanobind.h>

#include <damrak/base/local_days.hpp>
#include <damrak/domain/command.hpp>
#include <damrak/domain/event.hpp>
#include <damrak/domain/instrument.hpp>
#include <damrak/engine/engine.hpp>
#include <damrak/script/command_script.hpp>
#include <damrak/venue/venue.hpp>
#include <damrak/venue/venue_run.hpp>

namespace damrak::python {

/// The definitions by instrument id, from 1; those that are not there have no id.
using Market = std::vector<InstrumentDefinition>;

/// Where an event comes from that no line, row or order caused: the venue, or time itself.
inline constexpr std::uint32_t k_no_line = std::numeric_limits<std::uint32_t>::max();

struct Told {
    Event event{};
    std::int64_t time = 0;
    std::uint32_t line = k_no_line;
    std::uint32_t rule = 0;              ///< place in Events::rules, from 1; zero: none
    std::optional<std::int64_t> stop{};  ///< stop price of a stop order, in price units
};

/// The events of a call, which become Python objects when they are read.
struct Events {
    std::vector<Told> told;
    std::vector<Command> rules;  ///< commands whose events do not say all
    std::shared_ptr<const Market> market;

    /// Keeps the memory.
    void clear() {
        told.clear();
        rules.clear();
    }
};

class EventTable;

/// A command whose words and prices are understood, for one engine.
struct Prepared {
    Command command{};
    std::uint64_t engine = 0;
    bool has_next_id = false;      ///< gets its order id when it is submitted
    bool has_next_ask_id = false;  ///< of a quote
};

struct EngineOptions {
    EngineConfig config{};
    std::shared_ptr<const venue::Venue> venue;
    std::uint64_t seed = 1;
    std::int64_t now = 0;
};

class EngineOfPython {
  public:
    static constexpr std::int64_t k_latest_time = 9'000'000'000'000'000'000;  ///< in 2255

    using Tell = std::function<void(const Command&, const Event&)>;

    explicit EngineOfPython(const EngineOptions& options);
    ~EngineOfPython();
    EngineOfPython(const EngineOfPython&) = delete;
    EngineOfPython& operator=(const EngineOfPython&) = delete;

    /// Throws if the engine is in use already, as by a thread without the interpreter's lock.
    class Use {
      public:
        explicit Use(EngineOfPython& engine);
        ~Use() { engine_->in_use_ = false; }
        Use(const Use&) = delete;
        Use& operator=(const Use&) = delete;

      private:
        EngineOfPython* engine_;
    };

    /// One line of a script, without a time.
    [[nodiscard]] Prepared prepare(const std::string& what, const std::string& line) const;
    /// The units of a price as a float, if it is one of the instrument: it has the right decimals
    /// but for the noise of arithmetic, and is on the tick or out of range, which the engine
    /// rejects.
    [[nodiscard]] static std::optional<Price> units_of(double price,
                                                       const InstrumentDefinition& in);
    /// Adds to `events`.
    void submit(const Prepared& prepared, std::int64_t time, Events& events);
    /// `look` is called now and then; what it throws ends it where it is.
    void advance(std::int64_t time, Events& events, const std::function<void(std::uint64_t)>& look);
    /// All lines, or none if one has a mistake. `look` is called now and then.
    void run(std::string_view script, std::string_view where, Events& events,
             const std::function<void(std::uint64_t)>& look);

    /// The object for the events of the next command: that of the last one, if nobody has it any
    /// more. An order that is sent without reading its events then allocates nothing.
    [[nodiscard]] std::pair<nanobind::object, Events*> next_events();

    [[nodiscard]] std::int64_t now() const { return now_; }
    /// Of a time of day of the engine's date, by the clock of the venue.
    [[nodiscard]] std::int64_t at(std::int64_t after_midnight_ns) const;
    [[nodiscard]] const Engine& engine() const { return run_->engine(); }
    [[nodiscard]] const std::shared_ptr<const Market>& market() const { return market_; }
    /// Throws if there is none.
    [[nodiscard]] const InstrumentDefinition& find(std::string_view symbol) const;
    [[nodiscard]] const InstrumentDefinition* find_quietly(std::string_view symbol) const;
    [[nodiscard]] std::uint64_t serial() const { return serial_; }
    [[nodiscard]] const std::string& zone() const { return zone_; }

    /// All state but the venue, which loading takes from this engine. Throws if it is not that of
    /// such an engine.
    [[nodiscard]] std::vector<std::byte> save() const;
    void load(std::span<const std::byte> bytes);

  private:
    friend class OrdersInRows;

    /// Where the events of a call go, until it ends.
    class Telling {
      public:
        Telling(EngineOfPython& engine, Events& events) : engine_(&engine) {
            if (events.market != engine.market_) events.market = engine.market_;
            engine.events_ = &events;
        }
        Telling(EngineOfPython& engine, EventTable& table) : engine_(&engine) {
            engine.sink_ = &table;
        }
        ~Telling() {
            engine_->events_ = nullptr;
            engine_->sink_ = nullptr;
            engine_->own_ = nullptr;
        }
        Telling(const Telling&) = delete;
        Telling& operator=(const Telling&) = delete;

      private:
        EngineOfPython* engine_;
    };

    void check_time(std::int64_t time) const;
    void check_ticks(const std::string& what, const Command& command) const;
    void go_on_until(std::int64_t time);
    void apply(const Command& command);
    void note(const Command& command, const Event& event);
    void tell(const Command& command, const Event& event, std::uint32_t line) {
        Told& told = events_->told.emplace_back(event, command.timestamp.value, line);
        if (is_stop(event.order_type) || is_rule(event.kind)) [[unlikely]]
            tell_more(told, command);
    }
    void tell_more(Told& told, const Command& command);
    /// Whether the event does not say all that its command does.
    static bool is_rule(EventKind kind) {
        return kind == EventKind::price_limits_set || kind == EventKind::price_band_set ||
               kind == EventKind::limits_set;
    }
    void look_at_market();
    [[nodiscard]] script::ScriptTerms terms() const;

    std::shared_ptr<const venue::Venue> venue_;
    std::string zone_;
    LocalDays days_;
    std::uint64_t serial_;
    std::uint64_t last_id_ = 0;
    std::int64_t now_;
    std::map<std::string, std::uint32_t, std::less<>> places_;  ///< in the market
    nanobind::object last_events_;
    Events* in_last_events_ = nullptr;
    bool is_new_ = true;  ///< nothing has happened, so it may become any time
    bool in_use_ = false;
    std::unique_ptr<venue::VenueRun> run_;
    std::shared_ptr<const Market> market_ = std::make_shared<const Market>();
    // Of the call under way.
    Events* events_ = nullptr;
    EventTable* sink_ = nullptr;    ///< in place of `events_`
    const Command* own_ = nullptr;  ///< the command of `line_`
    std::uint32_t line_ = 0;
};

}  // namespace damrak::python
