#include <damrak/replay/lobster_verify.hpp>

#include <fmt/format.h>

namespace damrak::replay {

std::string_view name(LobsterCheck check) {
    return check == LobsterCheck::transition ? "transition" : "full_replay";
}

std::expected<LobsterCheck, std::string> choose_check(const LobsterShape& shape) {
    const std::string sizes =
        fmt::format("the message file has {} rows, but the order book file has {}",
                    shape.message_rows, shape.book_rows);
    if (shape.message_rows == 0 || shape.book_rows == 0)
        return std::unexpected{sizes + ": there is nothing to check"};
    if (shape.message_levels && *shape.message_levels < shape.book_levels)
        return std::unexpected{
            fmt::format("a message file of {} levels does not cover an order book file of {}: use "
                        "the files of one download, or a message file with more levels",
                        *shape.message_levels, shape.book_levels)};
    if (shape.message_levels && *shape.message_levels > shape.book_levels)
        return LobsterCheck::full_replay;
    if (shape.message_rows == shape.book_rows) return LobsterCheck::transition;
    if (shape.message_levels)
        return std::unexpected{
            fmt::format("{}, though both have {} levels and need one row for each event: use the "
                        "files of one download",
                        sizes, shape.book_levels)};
    if (shape.message_rows < shape.book_rows)
        return std::unexpected{sizes + ": a book file cannot have more rows than the message file"};
    // Without names, more messages than rows can only mean that the message file has more levels.
    return LobsterCheck::full_replay;
}

}  // namespace damrak::replay
