#include <damrak/archive/day_depth.hpp>

#include <fmt/format.h>

#include <damrak/archive/day_json.hpp>

namespace damrak::archive {

namespace {

constexpr const char* k_trades_alone = "no book is known: the day has trades alone";
constexpr const char* k_quantities_alone =
    "no orders are known: the day has the quantities of levels alone";

std::string before_the_book(const DayDepth& depth) {
    if (depth.book_from_ns == DayDepth::k_to_the_end) return "no book is known up to here";
    return fmt::format("the book is not known before {}", time_text(depth.book_from_ns));
}
std::string after_the_book(const DayDepth& depth) {
    return fmt::format("the book is not known after {}", time_text(depth.book_until_ns));
}

}  // namespace

std::vector<std::string> sentences(const DayDepth& depth) {
    std::vector<std::string> result;
    if (depth.has(DayDepth::k_no_book)) result.emplace_back(k_trades_alone);
    if (depth.depth > 0)
        result.push_back(fmt::format("the book is not known below level {}", depth.depth));
    if (depth.has(DayDepth::k_levels_alone)) result.emplace_back(k_quantities_alone);
    if (depth.has(DayDepth::k_messages_alone))
        result.emplace_back(
            "the book is what the messages alone say: orders from before them are missing, and "
            "levels that came into view; prices may be wrong");
    if (depth.has(DayDepth::k_instants_only))
        result.emplace_back("the book is known only at instants, and not between them");
    if (depth.misfits > 0)
        result.push_back(fmt::format(
            "the books near {}{} of the order book file's rows are doubtful: these rows do not "
            "follow from the messages",
            depth.misfits, depth.misfits == DayDepth::k_most_misfits ? " or more" : ""));
    if (depth.book_from_ns > 0) result.push_back(before_the_book(depth));
    if (depth.book_until_ns != DayDepth::k_to_the_end) result.push_back(after_the_book(depth));
    return result;
}

std::string why_no_book(const DayDepth& depth) {
    return depth.has(DayDepth::k_no_book) ? k_trades_alone : std::string{};
}

std::string why_no_orders(const DayDepth& depth) {
    return depth.has(DayDepth::k_levels_alone) ? k_quantities_alone : why_no_book(depth);
}

DayDepth depth_of(std::uint16_t marked_levels) {
    return {
        .depth = marked_levels,
        .book_flags = DayDepth::k_marked | (marked_levels == 0 ? DayDepth::k_messages_alone : 0U)};
}

std::string why_not_known(const DayDepth& depth, std::int64_t time_ns) {
    if (depth.has(DayDepth::k_no_book)) return why_no_book(depth);
    if (time_ns < depth.book_from_ns) return before_the_book(depth);
    return time_ns > depth.book_until_ns ? after_the_book(depth) : "";
}

std::string why_no_book_yet(const DayDepth& depth) {
    return depth.depth == 0 ? ""
                            : "the book is not known before the first message about its orders";
}

}  // namespace damrak::archive
