// The helper of a MessageStore: an agent for a thread that may wait for the disk. It prepares the
// next file, and the next pages of the current one, before they are needed. It removes old files,
// or recycles them. One runner may drive the preallocators of many sessions. Without one the store
// does the same work when needed, and the session waits for it.
//
// Most of the cost is the kernel's work for new pages. So a fast session gets large pages, and
// files that left retention soon are recycled: their pages are in memory and only need clearing.
// The order of steps allows a kill or a power loss at any moment: a file with the name of a store
// file never has another file's contents. First the old name is removed, then the bytes are
// cleared, then a new header is written to disk, then the new name appears. The first file of a
// folder has its name at once, without waiting for the disk: without a header it counts as empty.
// Each record also contains the number of its file, as some cleared pages may not have reached the
// disk. A file that somebody reads (FileSystem::is_being_read()) is removed instead of recycled, so
// that `damrak fix` can finish.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <filesystem>
#include <memory>
#include <mutex>
#include <string>

#include <damrak/domain/measures.hpp>
#include <damrak/journal/file_system.hpp>
#include <damrak/session/fix/detail/store_segment.hpp>

namespace damrak::session::fix {

/// The sizes of a store on disk.
struct StoreSettings {
    /// Size of a file; a multiple of 4 KiB, at least 16 KiB. What finds its messages takes 1/16 of
    /// this in memory while the file is written, and 1/1000 from then on.
    std::uint64_t file_bytes = std::uint64_t{64} << 20U;
    /// Size of the first file, if smaller; each is twice as large as the previous one, up to
    /// file_bytes.
    std::uint64_t first_file_bytes = std::uint64_t{128} << 10U;
    /// Total size of the folder's files besides the current one; older files are removed.
    std::uint64_t retained_bytes = std::uint64_t{1} << 30U;
    /// Pages made present and writable ahead of the last record; covers what is sent while the
    /// helper sleeps.
    std::uint64_t prefault_bytes = std::uint64_t{16} << 20U;
    /// Store incoming messages beside ours, for inspection.
    bool keep_incoming = true;
    /// False: the owner of the store holds a lock on a folder above, for all stores in it.
    bool lock_folder = true;
};

class StorePreallocator {
  public:
    StorePreallocator(journal::FileSystem& files, std::filesystem::path folder,
                      StoreSettings settings, std::uint64_t next_number,
                      std::uint64_t indexed_bytes)
        : files_(&files),
          folder_(std::move(folder)),
          settings_(settings),
          next_number_(next_number),
          indexed_bytes_(indexed_bytes) {}
    StorePreallocator(const StorePreallocator&) = delete;
    StorePreallocator& operator=(const StorePreallocator&) = delete;
    ~StorePreallocator();

    // Called by the agent's runner; `now_ns` is calendar time.
    void on_start() { attached_.store(true); }
    std::size_t do_work(std::int64_t now_ns);
    void on_close();

    // For the store:

    /// Returns the next file; null if it could not be created (see trouble()). Creates it now if it
    /// is not ready, and sets `waited`.
    [[nodiscard]] std::unique_ptr<detail::StoreSegment> take_next(Timestamp now, bool& waited);
    /// Sets the current file, and the offset where writing begins.
    void begin_at(detail::StoreSegment& segment, std::size_t offset);
    /// Reports how far the store has written.
    void written_to(std::size_t offset) { written_.store(offset, std::memory_order_release); }
    /// A file that is no longer needed: unmapped and removed, or recycled.
    void retire(std::unique_ptr<detail::StoreSegment> segment);

    [[nodiscard]] std::string trouble() const;
    [[nodiscard]] const StoreSettings& settings() const { return settings_; }

  private:
    /// Recycles an old file if there is one and it is worth it.
    [[nodiscard]] std::unique_ptr<detail::StoreSegment> make_next(
        Timestamp now, std::unique_ptr<detail::StoreSegment> old);
    [[nodiscard]] std::unique_ptr<detail::StoreSegment> not_made(std::string why);
    [[nodiscard]] bool prefault_ahead(std::int64_t now_ns);
    [[nodiscard]] std::uint64_t next_bytes() const;
    /// While files still grow, a session that sends little gets no further file in advance.
    [[nodiscard]] bool wants_next() const;
    /// Called when pages were prepared; `bytes` were written since the last call.
    void note_pace(std::int64_t now_ns, std::size_t bytes);
    [[nodiscard]] std::size_t remove_retired();

    /// Wait after failing to create a file: the disk may have room by then.
    static constexpr std::int64_t k_retry_ns = 1'000'000'000;
    /// A session that writes a byte in less than this (a large page in two seconds) counts as fast.
    static constexpr std::int64_t k_haste_ns_per_byte = 1'000;

    journal::FileSystem* files_;
    std::filesystem::path folder_;
    StoreSettings settings_;
    std::atomic<bool> attached_{false};
    std::int64_t retry_at_ns_ = INT64_MIN;  ///< for the agent
    std::int64_t last_pages_ns_ = 0;        ///< for the agent
    std::atomic<bool> in_haste_{false};     ///< the session is fast, as the agent measured

    alignas(64) std::atomic<std::size_t> written_{0};
    std::atomic<std::uint64_t> current_bytes_{0};  ///< of the current file
    std::atomic<detail::StoreSegment*> current_{nullptr};
    std::atomic<detail::StoreSegment*> next_{nullptr};
    std::atomic<detail::StoreSegment*> retired_{nullptr};

    /// Held by the creator of a file: the agent, or the store if none was ready.
    mutable std::mutex mutex_;
    std::uint64_t next_number_;
    std::uint64_t indexed_bytes_;  ///< the largest file for which the store has an index
    std::string trouble_;
};

}  // namespace damrak::session::fix
