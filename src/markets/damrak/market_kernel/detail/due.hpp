// Entries of the event queue of a market, and what they refer to.
#pragma once

#include <cstdint>

#include <damrak/domain/command.hpp>
#include <damrak/market_kernel/participant.hpp>

namespace damrak::market_kernel::detail {

struct Due {
    enum class Kind : std::uint8_t {
        arrival,   ///< a message reaches the gateway; index into the messages
        matching,  ///< a message has passed the gateway's queue and the speed bump
        report,    ///< a report reaches its participant; index into the reports
        timer,     ///< index into the timers
        news,      ///< public news reaches a subscriber; index into the news
        phases,    ///< the venue's timetable has something to do
        end,       ///< of a call of run_until()
    };
    std::int64_t time_ns = 0;
    std::uint32_t index = 0;
    Kind kind{};
};

/// A request in flight to the exchange.
struct Message {
    Command command{};
    std::uint32_t seat = 0;
    std::uint32_t slot = 0;
};

/// A report in flight to its participant.
struct ReportInFlight {
    Report::Kind kind{};
    Reason reason{};
    bool is_maker = false;
    bool ends_order = false;
    std::uint32_t seat = 0;
    std::uint32_t slot = 0;
    std::int64_t fee = 0;
    Price price{};
    Quantity quantity{};
    Quantity remaining{};
    Timestamp exchange_time{};
};

struct Timer {
    std::uint32_t seat = 0;
    std::uint64_t key = 0;
};

struct Subscription {
    InstrumentId instrument{};
    std::uint32_t seat = 0;
    MarketNews news{};
    std::int64_t last_ns = 0;     ///< when the latest news in flight arrives
    std::uint32_t last_news = 0;  ///< index of it
};

/// Public news in flight to a subscriber.
struct News {
    std::uint32_t subscription = 0;
    Timestamp change{};
};

/// An order, from when it is sent until its owner knows that it is done.
struct OrderSlot {
    OrderId id{};  ///< of the exchange; zero until it is accepted
    std::uint32_t seat = 0;
    std::uint32_t generation = 0;
    std::uint32_t in_flight = 0;  ///< messages and reports about it in flight
    bool is_filed = false;        ///< the exchange has it
    bool is_post_only = false;    ///< never takes, even after a replace
    OwnOrder known{};             ///< as its owner knows it
    Price book_price{};           ///< in the public book
    Quantity displayed{};
};

}  // namespace damrak::market_kernel::detail
