#include <damrak/session/fix/detail/store_turns.hpp>

#include <algorithm>
#include <span>
#include <utility>

#include <damrak/session/fix/store_file.hpp>

namespace damrak::session::fix::detail {

namespace {

using Segments = std::vector<std::unique_ptr<StoreSegment>>;

/// Where a turn ended, and what is behind that, up to the next end.
struct TurnEnd {
    std::size_t segment = 0;
    std::uint64_t offset = 0;
    bool followed = false;        ///< by records
    bool damaged = false;         ///< by more than a record that was not finished
    std::uint64_t last_used = 0;  ///< the largest number of a message behind it
};

/// The end that counts, as far as the files from `first` on tell. Who writes a turn has synced the
/// one before, so a record behind an end proves that all before that end was there once: if it is
/// damaged, that happened later, and costs what it hit. But a turn that nothing follows may have
/// come to the disk in parts, and then it was not sent.
std::optional<TurnEnd> last_turn_end(const Segments& segments, std::size_t first) {
    using Found = StoreFileReader::Found;
    std::optional<TurnEnd> before;
    std::optional<TurnEnd> last;
    for (std::size_t i = first; i < segments.size(); ++i) {
        StoreFileReader reader{segments[i]->bytes(), segments[i]->number};
        for (Found found = reader.next(); found != Found::end; found = reader.next()) {
            if (found == Found::damage) {
                if (last) last->damaged |= !reader.damage().unfinished;
                if (reader.damage().at_the_end) break;
            } else if (reader.record().kind == RecordKind::turn) {
                before = std::exchange(last, TurnEnd{.segment = i, .offset = reader.offset()});
            } else if (last) {
                last->followed = true;
                if (reader.record().kind == RecordKind::message)
                    last->last_used = std::max(last->last_used, reader.record().sequence);
            }
        }
    }
    if (!before && first > 0) return last_turn_end(segments, 0);
    const bool is_torn = before && before->damaged && !last->followed;
    return is_torn ? before : last;
}

}  // namespace

std::expected<std::optional<std::uint64_t>, std::string> give_up_unended(journal::FileSystem& files,
                                                                         Segments& segments) {
    // Of all that is retained the end is almost always in the newest files.
    constexpr std::size_t k_looked_at = 2;
    const auto end =
        last_turn_end(segments, segments.size() - std::min(segments.size(), k_looked_at));
    if (!end) return std::nullopt;
    // The newest first, so that nothing ever seems to follow what is gone.
    while (segments.size() > end->segment + 1) {
        if (auto removed = files.remove(segments.back()->path); !removed)
            return std::unexpected{removed.error()};
        segments.pop_back();
    }
    clear_behind(*segments.back(), end->offset);
    if (!end->damaged) return std::nullopt;
    return end->last_used;
}

bool clear_behind(StoreSegment& segment, std::size_t offset) {
    constexpr std::size_t k_page_bytes = 4'096;
    bool had_any = false;
    const std::size_t size = segment.file->size();
    while ((offset = segment.file->next_data(offset)) < size) {
        const std::size_t end = std::min((offset / k_page_bytes + 1) * k_page_bytes, size);
        const std::span rest{segment.data() + offset, end - offset};
        if (std::ranges::any_of(rest, [](char c) { return c != 0; })) {
            had_any = true;
            std::ranges::fill(rest, char{0});
        }
        offset = end;
    }
    return had_any;
}

}  // namespace damrak::session::fix::detail
