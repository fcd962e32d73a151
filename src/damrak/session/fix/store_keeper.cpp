#include <damrak/session/fix/store_keeper.hpp>

#include <algorithm>
#include <utility>

namespace damrak::session::fix {

using detail::StoreSegment;

namespace {

std::expected<std::unique_ptr<StoreSegment>, std::string> make_segment(
    journal::FileSystem& files, const std::filesystem::path& folder, const StoreSettings& settings,
    std::uint64_t number, Timestamp now) {
    auto segment = std::make_unique<StoreSegment>();
    segment->number = number;
    segment->path = folder / store_file_name(number);
    auto unfinished = segment->path;
    unfinished += detail::k_unfinished_suffix;
    auto file = files.create_mapped(unfinished, settings.file_bytes);
    if (!file) return std::unexpected{file.error()};
    segment->file = std::move(*file);
    write_store_header({segment->file->data(), segment->file->size()},
                       {.bytes = settings.file_bytes, .number = number, .created = now});
    // Else a loss of power may leave a name without a header, which the next start refuses.
    auto done = segment->file->sync(0, k_store_header_bytes);
    if (done) done = files.rename(unfinished, segment->path);
    if (!done) {
        // What is left of it is removed at the next start, if not now.
        static_cast<void>(files.remove(unfinished));
        return std::unexpected{done.error()};
    }
    segment->index = detail::MessageIndex{settings.file_bytes / detail::k_least_message_bytes};
    segment->prefaulted_to = std::min<std::size_t>(settings.prefault_bytes, segment->file->size());
    segment->file->prefault(0, segment->prefaulted_to);
    return segment;
}

}  // namespace

StoreKeeper::~StoreKeeper() {
    static_cast<void>(remove_retired());
    // A file that was made ahead and has nothing in it yet.
    const std::unique_ptr<StoreSegment> unused{next_.load()};
    if (unused != nullptr) static_cast<void>(files_->remove(unused->path));
}

std::size_t StoreKeeper::do_work(std::int64_t now_ns) {
    std::size_t work = prefault_ahead() ? 1 : 0;
    if (next_.load(std::memory_order_relaxed) == nullptr && now_ns >= retry_at_ns_) {
        const std::scoped_lock lock{mutex_};
        auto made = make_next(Timestamp{now_ns});
        if (made == nullptr) {
            retry_at_ns_ = now_ns + k_retry_ns;
        } else {
            ++work;
            next_.store(made.release(), std::memory_order_release);
        }
    }
    return work + remove_retired();
}

void StoreKeeper::on_close() {
    attached_.store(false);
    // The store removes what it retires from here on; not what it left to the agent before.
    static_cast<void>(remove_retired());
}

std::unique_ptr<StoreSegment> StoreKeeper::make_next(Timestamp now) {
    auto made = make_segment(*files_, folder_, settings_, next_number_, now);
    if (!made) {
        trouble_ = made.error();
        return nullptr;
    }
    trouble_.clear();
    ++next_number_;
    return std::move(*made);
}

std::unique_ptr<StoreSegment> StoreKeeper::take_next(Timestamp now, bool& waited) {
    std::unique_ptr<StoreSegment> next{next_.exchange(nullptr, std::memory_order_acquire)};
    waited = next == nullptr;
    if (!waited) return next;
    const std::scoped_lock lock{mutex_};
    // The agent may have been at it.
    next.reset(next_.exchange(nullptr, std::memory_order_acquire));
    return next != nullptr ? std::move(next) : make_next(now);
}

void StoreKeeper::begin_at(StoreSegment& segment, std::size_t offset) {
    // In this order: who sees the segment does not see how far the one before it was written.
    written_.store(offset, std::memory_order_relaxed);
    current_.store(&segment, std::memory_order_release);
}

bool StoreKeeper::prefault_ahead() {
    StoreSegment* segment = current_.load(std::memory_order_acquire);
    if (segment == nullptr) return false;
    const std::size_t written = written_.load(std::memory_order_acquire);
    const std::size_t wanted =
        std::min<std::size_t>(written + settings_.prefault_bytes, segment->file->size());
    // In quarters, so that it is one call for many pages.
    const bool worth_a_call = wanted >= segment->prefaulted_to + settings_.prefault_bytes / 4 ||
                              wanted == segment->file->size();
    if (wanted <= segment->prefaulted_to || !worth_a_call) return false;
    const std::size_t from = std::max(segment->prefaulted_to, written);
    segment->file->prefault(from, wanted - from);
    segment->prefaulted_to = wanted;
    return true;
}

void StoreKeeper::retire(std::unique_ptr<StoreSegment> segment) {
    segment->next_retired = retired_.load(std::memory_order_relaxed);
    while (!retired_.compare_exchange_weak(segment->next_retired, segment.get(),
                                           std::memory_order_release, std::memory_order_relaxed)) {
    }
    static_cast<void>(segment.release());
    if (!attached_.load()) static_cast<void>(remove_retired());
}

std::size_t StoreKeeper::remove_retired() {
    // The list begins with the newest; the oldest goes first, so that a kill leaves no hole.
    StoreSegment* oldest = nullptr;
    for (StoreSegment* at = retired_.exchange(nullptr, std::memory_order_acquire); at != nullptr;) {
        StoreSegment* older = std::exchange(at->next_retired, oldest);
        oldest = at;
        at = older;
    }
    std::size_t removed = 0;
    while (oldest != nullptr) {
        const std::unique_ptr<StoreSegment> segment{oldest};
        oldest = segment->next_retired;
        // If it cannot be removed it stays, and is counted among the others at the next start.
        static_cast<void>(files_->remove(segment->path));
        ++removed;
    }
    return removed;
}

std::string StoreKeeper::trouble() const {
    const std::scoped_lock lock{mutex_};
    return trouble_;
}

}  // namespace damrak::session::fix
