#include <damrak/session/fix/store_preallocator.hpp>

#include <algorithm>
#include <cstring>
#include <utility>

#include <damrak/journal/segment.hpp>
#include <damrak/session/fix/store_file.hpp>

namespace damrak::session::fix {

using detail::StoreSegment;

namespace {

using journal::k_page_bytes;

void use_large_pages(StoreSegment& segment) {
    if (!segment.has_large_pages) segment.file->use_large_pages();
    segment.has_large_pages = true;
}

/// Pages of a recently written file are still in memory and mapped, so clearing them is cheaper
/// than new pages. Older ones may have to be read from disk first; and if files last longer, new
/// ones are rarely needed.
bool is_worth_clearing(const StoreSegment& old, const StoreSettings& settings, Timestamp now) {
    constexpr Timestamp k_not_long{60'000'000'000};
    const auto header = read_store_header(old.path, old.bytes());
    return header && old.file->size() == settings.file_bytes && now < header->created + k_not_long;
}

/// Recycles `old` as a file of zeros. If that is impossible or not worth it, removes the file and
/// returns null.
std::unique_ptr<StoreSegment> use_again(journal::FileSystem& files,
                                        std::unique_ptr<StoreSegment> old,
                                        const std::filesystem::path& unfinished,
                                        const StoreSettings& settings, Timestamp now) {
    if (old == nullptr) return nullptr;
    // Nobody opens it under its new name.
    if (is_worth_clearing(*old, settings, now) && files.rename(old->path, unfinished) &&
        !files.is_being_read(unfinished)) {
        std::memset(old->data(), 0, old->file->size());
        old->ranges.drop_all();
        old->spare_index = {};
        return old;
    }
    for (const auto& name : {old->path, unfinished}) static_cast<void>(files.remove(name));
    return nullptr;
}

std::expected<std::unique_ptr<StoreSegment>, std::string> make_new(
    journal::FileSystem& files, const std::filesystem::path& unfinished, std::uint64_t bytes) {
    auto file = files.create_mapped(unfinished, bytes);
    if (!file) return std::unexpected{file.error()};
    auto segment = std::make_unique<StoreSegment>();
    segment->file = std::move(*file);
    segment->file->close_descriptor();
    segment->ranges = detail::MessageRanges{bytes};
    return segment;
}

/// Gives a file of zeros its header and its name.
std::expected<void, std::string> finish(journal::FileSystem& files, StoreSegment& segment,
                                        const std::filesystem::path& unfinished, Timestamp now) {
    write_store_header({segment.file->data(), segment.file->size()},
                       {.bytes = segment.file->size(), .number = segment.number, .created = now});
    // The first file of a folder follows no other: without a header it counts as absent (open()).
    if (unfinished == segment.path) return {};
    // Otherwise a power loss could leave a name without a header, which the next start rejects, or
    // a header followed by another file's record.
    auto done = segment.file->sync(0, k_store_header_bytes + k_page_bytes);
    if (done) done = files.rename(unfinished, segment.path);
    // If it cannot be removed now, the next start removes it.
    if (!done) static_cast<void>(files.remove(unfinished));
    return done;
}

/// The list begins with the newest; the oldest is removed first, so that a kill leaves no gap.
std::size_t remove_all(journal::FileSystem& files, StoreSegment* retired) {
    StoreSegment* oldest = nullptr;
    while (retired != nullptr) {
        StoreSegment* older = std::exchange(retired->next_retired, oldest);
        oldest = std::exchange(retired, older);
    }
    std::size_t removed = 0;
    for (; oldest != nullptr; ++removed) {
        const std::unique_ptr<StoreSegment> segment{oldest};
        oldest = segment->next_retired;
        // If it cannot be removed it stays; the next start counts it with the others.
        static_cast<void>(files.remove(segment->path));
    }
    return removed;
}

}  // namespace

StorePreallocator::~StorePreallocator() {
    static_cast<void>(remove_retired());
    // A preallocated file without contents.
    const std::unique_ptr<StoreSegment> unused{next_.load()};
    if (unused != nullptr) static_cast<void>(files_->remove(unused->path));
}

std::size_t StorePreallocator::do_work(std::int64_t now_ns) {
    std::size_t work = prefault_ahead(now_ns) ? 1 : 0;
    if (next_.load(std::memory_order_relaxed) == nullptr && now_ns >= retry_at_ns_ &&
        wants_next()) {
        note_pace(now_ns, std::min(settings_.prefault_bytes, next_bytes()));
        const std::scoped_lock lock{mutex_};
        // Taken here, not by the store: the agent may be using one of them.
        std::unique_ptr<StoreSegment> old{retired_.exchange(nullptr, std::memory_order_acquire)};
        if (old != nullptr) remove_all(*files_, std::exchange(old->next_retired, nullptr));
        auto made = make_next(Timestamp{now_ns}, std::move(old));
        if (made == nullptr) {
            retry_at_ns_ = now_ns + k_retry_ns;
        } else {
            ++work;
            next_.store(made.release(), std::memory_order_release);
        }
    }
    return work + remove_retired();
}

void StorePreallocator::on_close() {
    attached_.store(false);
    // From now on the store removes what it retires, but not what it left to the agent earlier.
    static_cast<void>(remove_retired());
}

std::unique_ptr<StoreSegment> StorePreallocator::make_next(Timestamp now,
                                                           std::unique_ptr<StoreSegment> old) {
    const auto path = folder_ / store_file_name(next_number_);
    auto unfinished = path;
    // Many may be created at once, and the disk is slow.
    if (next_number_ > 1) unfinished += detail::k_unfinished_suffix;
    auto segment = use_again(*files_, std::move(old), unfinished, settings_, now);
    if (segment == nullptr) {
        auto made = make_new(*files_, unfinished, next_bytes());
        if (!made) return not_made(made.error());
        segment = std::move(*made);
    }
    segment->number = next_number_;
    segment->path = path;
    if (auto done = finish(*files_, *segment, unfinished, now); !done)
        return not_made(done.error());
    if (segment->file->size() > indexed_bytes_) {
        segment->spare_index = detail::MessageIndex{segment->file->size()};
        indexed_bytes_ = segment->file->size();
    }
    if (StoreSegment* current = current_.load(std::memory_order_acquire); current != nullptr)
        current->spare_index = {};
    if (in_haste_.load(std::memory_order_relaxed)) use_large_pages(*segment);
    segment->prefaulted_to = std::min<std::size_t>(settings_.prefault_bytes, segment->file->size());
    segment->file->prefault(0, segment->prefaulted_to);
    trouble_.clear();
    ++next_number_;
    return segment;
}

std::uint64_t StorePreallocator::next_bytes() const {
    const std::uint64_t current = current_bytes_.load(std::memory_order_relaxed);
    return std::min(settings_.file_bytes, current == 0 ? settings_.first_file_bytes : 2 * current);
}

bool StorePreallocator::wants_next() const {
    const std::uint64_t current = current_bytes_.load(std::memory_order_relaxed);
    return current == 0 || current >= settings_.file_bytes ||
           2 * written_.load(std::memory_order_relaxed) >= current;
}

std::unique_ptr<StoreSegment> StorePreallocator::not_made(std::string why) {
    trouble_ = std::move(why);
    return nullptr;
}

std::unique_ptr<StoreSegment> StorePreallocator::take_next(Timestamp now, bool& waited) {
    std::unique_ptr<StoreSegment> next{next_.exchange(nullptr, std::memory_order_acquire)};
    waited = next == nullptr;
    if (!waited) return next;
    const std::scoped_lock lock{mutex_};
    // The agent may just have created one.
    next.reset(next_.exchange(nullptr, std::memory_order_acquire));
    return next != nullptr ? std::move(next) : make_next(now, nullptr);
}

void StorePreallocator::begin_at(StoreSegment& segment, std::size_t offset) {
    // In this order: a reader that sees the segment does not use the position in the previous one.
    written_.store(offset, std::memory_order_relaxed);
    current_bytes_.store(segment.file->size(), std::memory_order_relaxed);
    current_.store(&segment, std::memory_order_release);
}

bool StorePreallocator::prefault_ahead(std::int64_t now_ns) {
    StoreSegment* segment = current_.load(std::memory_order_acquire);
    if (segment == nullptr) return false;
    const std::size_t written = written_.load(std::memory_order_acquire);
    const std::size_t wanted =
        std::min<std::size_t>(written + settings_.prefault_bytes, segment->file->size());
    // In quarters, so that one call covers many pages.
    const bool worth_a_call = wanted >= segment->prefaulted_to + settings_.prefault_bytes / 4 ||
                              wanted == segment->file->size();
    if (wanted <= segment->prefaulted_to || !worth_a_call) return false;
    note_pace(now_ns, wanted - segment->prefaulted_to);
    if (in_haste_.load(std::memory_order_relaxed)) use_large_pages(*segment);
    const std::size_t from = std::max(segment->prefaulted_to, written);
    segment->file->prefault(from, wanted - from);
    segment->prefaulted_to = wanted;
    return true;
}

void StorePreallocator::note_pace(std::int64_t now_ns, std::size_t bytes) {
    const std::int64_t elapsed_ns = now_ns - std::exchange(last_pages_ns_, now_ns);
    in_haste_.store(elapsed_ns < static_cast<std::int64_t>(bytes) * k_haste_ns_per_byte,
                    std::memory_order_relaxed);
}

void StorePreallocator::retire(std::unique_ptr<StoreSegment> segment) {
    segment->next_retired = retired_.load(std::memory_order_relaxed);
    while (!retired_.compare_exchange_weak(segment->next_retired, segment.get(),
                                           std::memory_order_release, std::memory_order_relaxed)) {
    }
    static_cast<void>(segment.release());
    if (!attached_.load()) static_cast<void>(remove_retired());
}

std::size_t StorePreallocator::remove_retired() {
    return remove_all(*files_, retired_.exchange(nullptr, std::memory_order_acquire));
}

std::string StorePreallocator::trouble() const {
    const std::scoped_lock lock{mutex_};
    return trouble_;
}

}  // namespace damrak::session::fix
