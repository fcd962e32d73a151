// A participant that is written in Python, as the kernel of a market sees it: like every other one,
// called back in virtual time, with the interpreter's lock for the time of a call.
#pragma once

#include <cstdint>
#include <exception>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <nanobind/nanobind.h>

#include <damrak/domain/instrument.hpp>
#include <damrak/market_kernel/participant.hpp>
#include <damrak/views/public_change.hpp>

#include "watch.hpp"

namespace damrak::python {

/// A run of a market, for its participants in Python.
struct ScriptedRun {
    Watch* watch = nullptr;
    Timestamp begin{};
    std::exception_ptr error{};  ///< that a callback raised; nothing is called after it
};

/// An own order, kept up to date by its reports.
struct OrderOfScript {
    std::uint64_t script = 0;  ///< whose it is
    std::uint64_t number = 0;  ///< in the order of sending, from 1
    Symbol symbol{};
    double scale = 1;  ///< price units of the currency
    market_kernel::OwnOrder known{};
    std::int64_t filled = 0;
};

struct FillOfScript {
    nanobind::object order;
    double price = 0;
    std::int64_t quantity = 0;
    Timestamp time{};
    bool is_maker = false;
};

/// What traded since the participant last heard of it.
struct TradesOfScript {
    double price = 0;  ///< of the last one
    Side side{};
    std::uint64_t quantity = 0;
    std::uint64_t trades = 0;
};

class Script;

/// What a participant sees and does, for one of its instruments: the argument of its callbacks.
struct AccessOfScript {
    std::shared_ptr<Script> script;
    std::size_t index = 0;  ///< of its instruments
};

class Script : public std::enable_shared_from_this<Script> {
  public:
    /// `callbacks`: those that the participant has, by name.
    Script(std::string name, nanobind::dict callbacks);

    /// Before a run, and after it; with the interpreter's lock.
    void begin(ScriptedRun& run, std::vector<InstrumentId> instruments,
               const std::vector<InstrumentDefinition>& all);
    void end();

    // Of the kernel, without the lock:
    void start(market_kernel::MarketAccess& access);
    void hear_of_market(market_kernel::MarketAccess& access, InstrumentId instrument);
    void hear(market_kernel::MarketAccess& access, const market_kernel::Report& report);
    void wake(market_kernel::MarketAccess& access, std::uint64_t timer);

    // Of Python, in a callback; otherwise these raise:
    [[nodiscard]] market_kernel::MarketAccess& access() const;
    void set_timer(Timestamp first, std::int64_t interval_ns, std::int64_t key);
    nanobind::object enter(std::size_t index, market_kernel::NewOrder order);
    bool cancel(const nanobind::handle& order, std::int64_t quantity);
    bool replace(const nanobind::handle& order, std::optional<double> price,
                 std::optional<std::int64_t> quantity);
    /// How many cancels were sent.
    std::int64_t cancel_all(std::size_t index);
    [[nodiscard]] nanobind::list open_orders(std::size_t index) const;
    [[nodiscard]] nanobind::object random(const std::string& purpose);
    [[nodiscard]] double fees() const;

    [[nodiscard]] const std::vector<InstrumentId>& instruments() const { return instruments_; }
    [[nodiscard]] const InstrumentDefinition& definition(std::size_t index) const {
        return definitions_[index];
    }
    [[nodiscard]] double scale(std::size_t index) const { return scales_[index]; }
    [[nodiscard]] nanobind::object of(std::size_t index) const { return handles_.at(index); }
    /// The index of the instrument; raises if it is none of its own.
    [[nodiscard]] std::size_t find(std::string_view symbol) const;
    [[nodiscard]] std::int64_t timer_key() const { return timer_key_; }
    [[nodiscard]] Timestamp begun() const { return run_->begin; }
    /// In price units, on a tick; raises otherwise.
    [[nodiscard]] Price price(std::size_t index, double price) const;

  private:
    struct Callbacks {
        nanobind::object start, timer, fill, ack, reject, cancel, replace, bbo, book, trade, state;
    };
    struct Alarm {
        std::int64_t interval_ns = 0;  ///< zero: once
        std::int64_t key = 0;
    };
    template <class F>
    void call(market_kernel::MarketAccess& access, const char* what, F&& f);
    void note(nanobind::python_error& error, const char* what, Timestamp time) const;
    void subscribe(market_kernel::MarketAccess& access);
    void tell(const market_kernel::Report& report, const nanobind::object& order, double scale);
    [[nodiscard]] OrderOfScript& own(const nanobind::handle& order) const;

    std::string name_;
    std::uint64_t serial_;
    Callbacks callbacks_;
    ScriptedRun* run_ = nullptr;                     ///< while it runs
    market_kernel::MarketAccess* access_ = nullptr;  ///< in a callback
    std::vector<InstrumentId> instruments_;
    std::vector<InstrumentDefinition> definitions_;
    std::vector<double> scales_;
    std::vector<nanobind::object> handles_;
    std::vector<views::PublicChange> seen_;
    std::vector<Alarm> alarms_;
    std::vector<std::uint32_t> free_alarms_;
    std::int64_t timer_key_ = 0;
    std::unordered_map<std::uint64_t, nanobind::object> orders_;  ///< by handle; not done
    std::map<std::uint64_t, OrderOfScript*> open_;                ///< the same, by number
    std::uint64_t sent_ = 0;
    std::int64_t without_fees_ = 0;  ///< received less paid
    nanobind::dict random_;
};

/// In the market; the script outlives it.
class ScriptedParticipant final : public market_kernel::Participant {
  public:
    explicit ScriptedParticipant(Script& script) : script_(&script) {}
    void on_start(market_kernel::MarketAccess& access) override { script_->start(access); }
    void on_market(market_kernel::MarketAccess& access, InstrumentId instrument) override {
        script_->hear_of_market(access, instrument);
    }
    void on_report(market_kernel::MarketAccess& access,
                   const market_kernel::Report& report) override {
        script_->hear(access, report);
    }
    void on_timer(market_kernel::MarketAccess& access, std::uint64_t key) override {
        script_->wake(access, key);
    }

  private:
    Script* script_;
};

}  // namespace damrak::python
