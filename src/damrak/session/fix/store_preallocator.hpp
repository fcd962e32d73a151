// The helper of a MessageStore: an agent for a thread that may wait for the disk. It makes the next
// file and the next pages of this one ready before they are needed, and removes files that are old
// enough, or makes the next file of them. One runner may drive the preallocators of many sessions.
// Without one the store does the same work itself when it comes to it, and the session waits for
// it.
//
// What the kernel does for new pages is most of it, so in a session in haste they are large ones,
// and files that soon went out of retention are used again: what lies in memory is only cleared.
// Its order is for a kill, or a loss of power, at any moment: under the name of a store's file
// there is nothing of another. First the old name goes, then the bytes, then a new header is on the
// disk, then the new name is there. The first file of a folder has its name at once and waits for
// nothing: without a header there is nothing in it. A record also says to which file it belongs, as
// of cleared pages some may not have come to the disk. A file that someone else has open is not
// used again but removed: `damrak fix` reads to the end what it has begun.
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

struct StoreSettings {
    /// Size of a file; a multiple of 4 KiB, at least 16 KiB. With its index it takes 9/8 of this in
    /// memory while it is used.
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
};

class StorePreallocator {
  public:
    StorePreallocator(journal::FileSystem& files, std::filesystem::path folder,
                      StoreSettings settings, std::uint64_t next_number)
        : files_(&files),
          folder_(std::move(folder)),
          settings_(settings),
          next_number_(next_number) {}
    StorePreallocator(const StorePreallocator&) = delete;
    StorePreallocator& operator=(const StorePreallocator&) = delete;
    ~StorePreallocator();

    // Called by the agent's runner; `now_ns` is calendar time.
    void on_start() { attached_.store(true); }
    std::size_t do_work(std::int64_t now_ns);
    void on_close();

    // The store's:

    /// Hands over the next file; null if it could not be made (see trouble()). Makes it now if it
    /// is not ready; `waited` reports that.
    [[nodiscard]] std::unique_ptr<detail::StoreSegment> take_next(Timestamp now, bool& waited);
    /// The current file from now on, and the offset where writing begins.
    void begin_at(detail::StoreSegment& segment, std::size_t offset);
    /// How far the store has written.
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
    /// Called when pages were made: as many bytes were written since the last call.
    void note_pace(std::int64_t now_ns, std::size_t bytes);
    [[nodiscard]] std::size_t remove_retired();

    /// Wait after a failure to make a file: the disk may have room again by then.
    static constexpr std::int64_t k_retry_ns = 1'000'000'000;
    /// A session that writes a byte in less than this, a large page in two seconds, counts as fast.
    static constexpr std::int64_t k_haste_ns_per_byte = 1'000;

    journal::FileSystem* files_;
    std::filesystem::path folder_;
    StoreSettings settings_;
    std::atomic<bool> attached_{false};
    std::int64_t retry_at_ns_ = INT64_MIN;  ///< the agent's
    std::int64_t last_pages_ns_ = 0;        ///< the agent's
    std::atomic<bool> in_haste_{false};     ///< the session, as the agent sees it

    alignas(64) std::atomic<std::size_t> written_{0};
    std::atomic<std::uint64_t> current_bytes_{0};  ///< of the file that is written
    std::atomic<detail::StoreSegment*> current_{nullptr};
    std::atomic<detail::StoreSegment*> next_{nullptr};
    std::atomic<detail::StoreSegment*> retired_{nullptr};

    /// Held by the maker of a file: the agent, or the store that found none ready.
    mutable std::mutex mutex_;
    std::uint64_t next_number_;
    std::string trouble_;
};

}  // namespace damrak::session::fix
