// Orders in columns as commands: a row is one, and all rows are understood before the first is
// applied.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string_view>
#include <vector>

#include <damrak/domain/command.hpp>

#include "engine.hpp"
#include "engine_columns.hpp"
#include "watch.hpp"

namespace damrak::python {

class Rows {
  public:
    /// Both have to live as long.
    Rows(const Market& market, const std::vector<Block>& blocks);

    /// Throws what is wrong with the first row that is. `now` is the time of the engine.
    void check(std::int64_t now, Watch& watch) const;

    /// What a command is where there is no column.
    [[nodiscard]] Command preset() const;
    /// Makes commands of rows that were checked, the first of which is `first` of the block. They
    /// are presets, or were made of other rows: only what there are columns for is written. Values
    /// may have changed since the check: what a command needs to be one is seen to here, the rest
    /// the engine checks again.
    void make(const Block& block, std::size_t first, std::int64_t now,
              std::span<Command> commands) const;

  private:
    static constexpr std::uint32_t k_several = std::numeric_limits<std::uint32_t>::max();

    /// How prices of an instrument become units.
    struct Scale {
        double units = 1;             ///< in a whole
        std::int64_t billionths = 1;  ///< in a unit
        double tick = 0;              ///< zero: it depends on the price
        std::int64_t step = 0;        ///< tick in billionths; zero: it depends on the price
        bool is_there = false;
    };

    [[nodiscard]] bool is_plain(const Block& block, std::size_t first, std::size_t count,
                                std::int64_t& now) const;
    [[nodiscard]] bool has_plain_prices(const Block& block, Field field, std::size_t first,
                                        std::size_t count) const;
    void check(const Block& block, std::size_t row, std::size_t at, std::int64_t& now) const;
    void check_price(const Block& block, Field field, std::size_t row, std::size_t at,
                     std::uint32_t place) const;
    /// `of(command)` is the price.
    void make_prices(const Block& block, Field field, std::size_t first,
                     std::span<Command> commands, const auto& of) const;
    [[nodiscard]] bool is_known(std::uint32_t instrument) const {
        return instrument - 1 < scales_.size() && scales_[instrument - 1].is_there;
    }

    [[noreturn]] void refuse_instrument(std::size_t row, std::uint32_t id) const;
    [[noreturn]] void refuse_tick(std::size_t row, Field field, Price price,
                                  const InstrumentDefinition& in) const;

    const Market* market_;
    const std::vector<Block>* blocks_;
    std::uint32_t only_ = 0;  ///< the instrument of rows that name none
    std::vector<Scale> scales_;
};

}  // namespace damrak::python
