// Own participants for tests of what-if replays: one that does what a list says.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include <damrak/market_kernel/participant.hpp>
#include <damrak/market_runs/market_file.hpp>

namespace damrak::what_if {

/// An order at a time since the begin; cancelled after `cancel_after_ns`, if that is not zero.
struct Entry {
    std::int64_t at_ns = 0;
    Side side{};
    std::int64_t cents = 0;
    std::int64_t quantity = 0;
    std::int64_t cancel_after_ns = 0;
};

class Scripted final : public market_kernel::Participant {
  public:
    explicit Scripted(std::vector<Entry> entries) : entries_(std::move(entries)) {}

    void on_start(market_kernel::MarketAccess& access) override {
        const std::int64_t begin_ns = access.now().value;
        for (std::size_t i = 0; i < entries_.size(); ++i) {
            const Entry& entry = entries_[i];
            access.wake_at({begin_ns + entry.at_ns}, i);
            if (entry.cancel_after_ns > 0)
                access.wake_at({begin_ns + entry.at_ns + entry.cancel_after_ns},
                               entries_.size() + i);
        }
        handles_.resize(entries_.size());
    }
    void on_timer(market_kernel::MarketAccess& access, std::uint64_t key) override {
        if (key >= entries_.size()) {
            static_cast<void>(access.cancel(handles_[key - entries_.size()], {}));
            return;
        }
        const Entry& entry = entries_[key];
        handles_[key] = access.enter({.instrument = {1},
                                      .side = entry.side,
                                      .price = {entry.cents * 100},
                                      .quantity = {entry.quantity}});
    }

  private:
    std::vector<Entry> entries_;
    std::vector<market_kernel::OrderHandle> handles_;
};

/// A kind of participants that does this.
inline participants::Kind scripted(std::vector<Entry> entries) {
    participants::Kind kind{.name = "scripted",
                            .summary = "Does what a list says",
                            .source = "",
                            .parameters = {},
                            .check = {},
                            .fits = {},
                            .make = {}};
    kind.make = [entries = std::move(entries)](const auto&, const auto&) {
        return std::make_unique<Scripted>(entries);
    };
    return kind;
}

}  // namespace damrak::what_if
