// The events of many orders as a table, a column at a time.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <damrak/domain/event.hpp>
#include <damrak/tables/arrow.hpp>

#include "engine.hpp"

namespace damrak::python {

class EventTable {
  public:
    EventTable(const Market& market, bool has_exact_prices);

    /// `rows` are expected.
    void reserve(std::size_t rows);
    void add(const Event& event, std::int64_t time, std::uint32_t line) {
        waiting_[count_] = {event, time, line};
        if (++count_ == waiting_.size()) [[unlikely]]
            flush();
    }
    [[nodiscard]] std::shared_ptr<const tables::MemoryTable> finish(const std::string& zone);

  private:
    struct Row {
        Event event;
        std::int64_t time;
        std::uint32_t line;
    };
    using Keys = std::array<std::uint32_t, 256>;  ///< of the texts of an enumeration

    void flush();
    std::uint32_t key_of(std::string_view text);
    template <class Enum>
    Keys keys_of();

    std::vector<std::string> texts_;
    std::vector<std::uint32_t> symbols_;  ///< by instrument id, from 1; keys
    Keys events_, commands_, sides_, types_, tifs_, reasons_;
    struct Scale {
        double units = 1e4;
        std::int64_t billionths = 100'000;
        bool has_zero = false;  ///< zero may be a price
    };
    std::vector<Scale> scales_;  ///< by instrument id, from 0: none
    bool has_exact_prices_;

    std::vector<Row> waiting_;
    std::size_t count_ = 0;

    // The columns.
    std::vector<std::int64_t> times_, exact_prices_;
    std::vector<std::uint32_t> lines_, event_, command_, symbol_, participant_, side_, type_, tif_,
        reason_, flags_;
    std::vector<std::uint64_t> order_, reference_, quantity_, remaining_, displayed_;
    std::vector<double> prices_;
    std::vector<std::uint8_t> has_line_, has_symbol_, has_reason_, has_price_, has_quantity_;
};

}  // namespace damrak::python
