// What the imports of all DBN schemas share: records go to the UTC day of their time, instruments
// get locates and names, and what is dropped is counted by kind. One thread.
#pragma once

#include <cstdint>
#include <expected>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <damrak/archive/detail/day_files.hpp>
#include <damrak/domain/order_terms.hpp>
#include <damrak/wire/dbn/reader.hpp>
#include <damrak/wire/itch/messages.hpp>

namespace damrak::archive {

struct DbnInstrument {
    std::uint16_t locate = 0;
    wire::itch::Stock stock{};
    std::size_t listed_on = 0;  ///< the last day, from 1, that has its directory
};

class DbnDays {
  public:
    DbnDays(DayFiles& files, const wire::dbn::Metadata& metadata, const DayDepth& depth)
        : files_{&files}, metadata_{&metadata}, depth_{depth} {
        set_flag(DayDepth::k_marked);
    }

    /// Time advances to this one, nanoseconds since the epoch, UTC; it never goes back. If another
    /// day begins, calls `carry` at its midnight, to tell what is left of the day before.
    [[nodiscard]] std::expected<void, std::string> move_to(std::uint64_t time_ns,
                                                           const std::function<void()>& carry);
    [[nodiscard]] std::int64_t now_ns() const { return now_ns_; }
    /// Null if there are more instruments than ITCH locates; the record is counted then.
    [[nodiscard]] const DbnInstrument* instrument(std::uint32_t number);

    template <class M>
    void add(const M& message) {
        files_->writer().add(message);
    }
    /// About this instrument, now.
    template <class M>
    void add(const DbnInstrument& of, M message) {
        message.stock_locate = of.locate;
        message.timestamp_ns = now_ns_;
        add(message);
    }
    /// A price of a record in 0.0001; empty, and counted, if ITCH cannot carry it.
    [[nodiscard]] std::optional<std::uint32_t> price(std::int64_t price_e9);
    /// A trade against quantity that the book does not name: against displayed quantity, so that
    /// the aggressor's side is known, or against what nobody saw.
    void trade_displayed(const DbnInstrument& of, Side resting, std::uint32_t price_e4,
                         std::uint32_t shares);
    void trade_hidden(const DbnInstrument& of, std::optional<Side> resting, std::uint32_t price_e4,
                      std::uint32_t shares);
    [[nodiscard]] std::uint64_t next_match() { return ++matches_; }

    void drop(std::string_view kind) { ++dropped_[std::string{kind}]; }
    /// Notes that a record left the book of its instrument crossed.
    void note_crossed();
    void set_flag(std::uint32_t flag) { depth_.book_flags |= flag; }
    /// Tells the result what was left out, and ends the last day.
    [[nodiscard]] std::expected<Imported, std::string> finish();

  private:
    [[nodiscard]] std::expected<void, std::string> begin_day(std::uint64_t time_ns);
    [[nodiscard]] DbnInstrument made(std::uint32_t number) const;
    [[nodiscard]] std::string symbol_of(std::uint32_t number) const;

    DayFiles* files_;
    const wire::dbn::Metadata* metadata_;
    DayDepth depth_;
    std::unordered_map<std::uint32_t, DbnInstrument> instruments_;
    std::optional<std::uint64_t> day_;  ///< since the epoch
    std::size_t days_ = 0;
    std::int64_t now_ns_ = 0;
    std::uint64_t matches_ = 0;
    std::uint64_t displayed_trades_ = 0;
    std::uint64_t too_fine_ = 0;
    std::uint64_t beyond_ = 0;  ///< prices that are zero, negative, or too large
    std::uint64_t crossed_ = 0;
    std::string first_crossed_;
    std::map<std::string, std::uint64_t, std::less<>> dropped_;
};

}  // namespace damrak::archive
