// The messages of a day as records in DBN. docs/how-to/archive.md has the record of each message.
// One thread; no allocation a message.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <utility>

#include <damrak/order_flow/book_builder.hpp>
#include <damrak/order_flow/broken_trades.hpp>
#include <damrak/order_flow/itch_flow.hpp>
#include <damrak/wire/dbn/writer.hpp>
#include <damrak/wire/itch/messages.hpp>

namespace damrak::archive {

class DbnExport {
  public:
    /// `midnight_ns`: midnight of the day, since the epoch.
    DbnExport(wire::dbn::Writer& writer, wire::dbn::Schema schema, std::uint64_t midnight_ns,
              order_flow::BrokenTrades broken)
        : writer_(&writer),
          schema_(schema),
          midnight_ns_(midnight_ns),
          broken_(std::move(broken)) {}

    /// `is_wanted`: the message gets records; otherwise it only updates the book.
    void on(std::uint64_t sequence, const auto& message, bool is_wanted) {
        at_ = {.instrument = message.stock_locate,
               .time_ns = midnight_ns_ + static_cast<std::uint64_t>(message.timestamp_ns),
               .sequence = static_cast<std::uint32_t>(sequence)};
        if constexpr (requires { message.match_number; })
            at_.is_broken = broken_.has(message.match_number);
        if constexpr (requires { flow_.on(message); }) {
            if (is_wanted) before(message);
            static_cast<void>(flow_.on(message));
            if (is_wanted) after(message);
        }
    }

  private:
    using Levels = std::array<wire::dbn::LevelPair, 10>;
    struct At {
        std::uint32_t instrument = 0;
        std::uint64_t time_ns = 0;
        std::uint32_t sequence = 0;
        bool is_broken = false;  ///< a trade that was broken later
    };
    /// A resting order before the message.
    struct Resting {
        Side side{};
        std::uint32_t price_e4 = 0;
        std::uint32_t shares = 0;
    };

    [[nodiscard]] std::optional<Resting> find(std::uint16_t locate, std::uint64_t order) const;

    // Records of order events, before the book changes.
    void before(const wire::itch::AddOrder& m) { add(m.order_ref, m.side, m.price_e4, m.shares); }
    void before(const wire::itch::AddOrderAttributed& m) {
        add(m.order_ref, m.side, m.price_e4, m.shares);
    }
    void before(const wire::itch::OrderExecuted& m) {
        execute(m.stock_locate, m.order_ref, m.executed_shares, std::nullopt, true);
    }
    void before(const wire::itch::OrderExecutedWithPrice& m) {
        execute(m.stock_locate, m.order_ref, m.executed_shares, m.execution_price_e4, m.printable);
    }
    void before(const wire::itch::OrderCancel& m) {
        reduce(m.stock_locate, m.order_ref, m.cancelled_shares);
    }
    void before(const wire::itch::OrderDelete& m) {
        reduce(m.stock_locate, m.order_ref, UINT32_MAX);
    }
    void before(const wire::itch::OrderReplace& m);
    void before(const wire::itch::Trade& m) { trade('N', m.price_e4, m.shares, true); }
    void before(const wire::itch::CrossTrade& m);
    void before(const auto& /*other*/) {}

    /// MBP records, after the book has changed.
    void after(const auto& message) {
        if constexpr (requires { message.order_ref; }) level_changed(message.stock_locate);
    }

    void add(std::uint64_t order, Side side, std::uint32_t price_e4, std::uint32_t shares);
    void execute(std::uint16_t locate, std::uint64_t order, std::uint32_t shares,
                 std::optional<std::uint32_t> price_e4, bool printable);
    void reduce(std::uint16_t locate, std::uint64_t order, std::uint32_t shares);
    /// Nothing if it was broken.
    void trade(char aggressor, std::uint32_t price_e4, std::uint32_t shares, bool is_last);

    void put_mbo(char action, char side, std::uint64_t order, std::uint32_t price_e4,
                 std::uint32_t shares, bool is_last);
    /// Stores a change for level_changed(), if the levels show it.
    void note(char action, char side, std::uint32_t price_e4, std::uint32_t shares);
    void level_changed(std::uint16_t locate);
    [[nodiscard]] Levels levels_of(std::uint16_t locate) const;
    template <std::size_t depth>
    void put_levels(const wire::dbn::LevelRecord& change, const Levels& levels);
    [[nodiscard]] wire::dbn::LevelRecord level_record(char action, char side,
                                                      std::uint32_t price_e4,
                                                      std::uint32_t shares) const;
    [[nodiscard]] wire::dbn::RecordHeader header(std::uint8_t type, std::size_t bytes) const;

    wire::dbn::Writer* writer_;
    wire::dbn::Schema schema_;
    std::uint64_t midnight_ns_;
    order_flow::BrokenTrades broken_;
    At at_;
    std::optional<wire::dbn::LevelRecord> change_;
    order_flow::BookBuilder<> builder_;
    order_flow::ItchFlow<order_flow::BookBuilder<>> flow_{builder_, order_flow::Selection{}};
    /// By locate: the levels in the instrument's last record.
    std::unordered_map<std::uint32_t, Levels> shown_;
};

}  // namespace damrak::archive
