// Converts the order events of a DBN file to ITCH messages that give the same books. Adds, cancels,
// changes and clears count; a fill turns the next cancel into an execution; trades are skipped.
// Times are nanoseconds since midnight UTC of the file's first day, and never decrease. One thread.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include <damrak/archive/day_writer.hpp>
#include <damrak/wire/dbn/reader.hpp>

namespace damrak::archive {

class DbnImport {
  public:
    DbnImport(DayWriter& writer, const wire::dbn::Metadata& metadata)
        : writer_{&writer}, metadata_{&metadata} {}

    void on(const wire::dbn::Mbo& event);
    /// Orders at prices that ITCH cannot carry: negative, undefined, or finer than 0.0001.
    [[nodiscard]] std::uint64_t left_out() const { return left_out_; }
    /// There are more instruments than ITCH locates; events of the rest are left out.
    [[nodiscard]] bool too_many_instruments() const { return too_many_; }

  private:
    /// By locate, then number: a clear finds the orders of an instrument in a deterministic order.
    using Key = std::pair<std::uint16_t, std::uint64_t>;
    struct Open {
        std::uint64_t reference = 0;  ///< its number, unless another instrument uses it
        Side side{};
        std::uint32_t price_e4 = 0;
        std::uint32_t shares = 0;
        std::uint32_t filled = 0;  ///< filled quantity that no cancel has removed yet
    };
    struct Listed {
        std::uint16_t locate = 0;
        wire::itch::Stock stock{};
    };

    const Listed* listed(std::uint32_t instrument);
    [[nodiscard]] std::string symbol_of(std::uint32_t instrument) const;
    void add(const wire::dbn::Mbo& event, const Listed& listed);
    void change(const wire::dbn::Mbo& event, const Listed& listed);
    /// Removes shares from the order; ends the order and its references when none are left.
    void take(const Key& key, std::uint32_t shares);
    void clear(const Listed& listed);

    DayWriter* writer_;
    const wire::dbn::Metadata* metadata_;
    std::unordered_map<std::uint32_t, Listed> listed_;
    std::map<Key, Open> open_;
    std::unordered_set<std::uint64_t> references_;  ///< of the orders in open_
    std::uint64_t renamed_ = std::uint64_t{1} << 63U;
    std::uint64_t midnight_ns_ = 0;
    std::int64_t now_ns_ = -1;
    std::uint64_t matches_ = 0;
    std::uint64_t left_out_ = 0;
    bool too_many_ = false;
};

}  // namespace damrak::archive
