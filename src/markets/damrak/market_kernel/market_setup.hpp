// What a market in virtual time is made of: instruments, the exchange's own delays and fees, and a
// seat for each participant. Made from a market file (study/market_file.hpp) or by a program.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <damrak/domain/instrument.hpp>
#include <damrak/domain/measures.hpp>
#include <damrak/market_kernel/detail/latency.hpp>
#include <damrak/market_kernel/fundamental.hpp>
#include <damrak/market_kernel/participant.hpp>
#include <damrak/venue/venue.hpp>

namespace damrak::market_kernel {

/// What the exchange does to orders before and besides matching them.
struct ExchangeModel {
    std::int64_t service_ns = 0;  ///< per message; the gateway is a queue with one server
    venue::Delay delay{};         ///< speed bump
    Fees fees{};
    std::uint32_t maximum_orders = 100'000;  ///< open at a time
};

/// How a participant is connected.
struct Connection {
    Latency orders{};           ///< to the exchange
    Latency reports{};          ///< of own orders, from the exchange
    Latency data{};             ///< of public market data
    Place place{};              ///< added to all three
    std::int64_t think_ns = 0;  ///< of computing for each message that is sent, one after the other
    std::int64_t clock_offset_ns = 0;  ///< its clock less the true time
    std::int64_t value_ns = 0;         ///< of what instruments are worth, which no exchange tells
};

/// A participant with its connection and its limits.
struct Seat {
    std::unique_ptr<Participant> participant;
    std::string group;
    std::uint32_t member = 0;  ///< of its group, from 0
    std::uint32_t members = 1;
    Connection connection{};
    /// Open or in flight at a time.
    std::uint32_t maximum_orders = 10'000;
    /// Its requests come by Market::submit(), as those of a recorded day do; it hears no reports.
    bool is_background = false;
};

/// What happens when a participant throws, or sends without end in one callback.
enum class OnFault : std::uint8_t {
    stop,     ///< the run ends
    isolate,  ///< it is heard no more, and its orders are cancelled
};

struct MarketSetup {
    std::uint64_t seed = 1;
    /// Virtual time begins here.
    Timestamp begin{1'735'810'200'000'000'000};  // 2025-01-02 09:30 UTC
    /// Ids from 1 without a gap.
    std::vector<InstrumentDefinition> instruments;
    std::vector<FactorDescription> factors;
    std::vector<FundamentalDescription> fundamentals;      ///< one for each instrument
    std::int64_t value_step_ns = Fundamentals::k_step_ns;  ///< how long a value is constant
    ExchangeModel exchange{};
    /// Rules and timetable; null: continuous trading. Its rules must suit the instruments.
    std::shared_ptr<const venue::Venue> venue;
    std::vector<Seat> seats;
    OnFault on_fault = OnFault::stop;
    /// The exchange takes prices finer than the tick, which recorded trades have.
    bool takes_any_price = false;
};

}  // namespace damrak::market_kernel
