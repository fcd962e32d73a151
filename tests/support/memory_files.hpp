// A file system in memory, for fuzzing and for tests with thousands of journals a second. Nothing
// fails in it. One thread.
#pragma once

#include <cstddef>
#include <cstring>
#include <filesystem>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <damrak/journal/file_system.hpp>

namespace damrak::testing {

class MemoryFiles final : public journal::FileSystem {
  public:
    template <class T>
    using Result = journal::Result<T>;

    Result<std::unique_ptr<journal::MappedFile>> create_mapped(const std::filesystem::path& path,
                                                               std::uint64_t bytes) override {
        Page* pages = make(path, bytes);
        return std::make_unique<Mapped>(pages, bytes);
    }
    Result<std::unique_ptr<journal::MappedFile>> open_mapped(const std::filesystem::path& path,
                                                             Access /*access*/) override {
        const auto found = files_.find(path.string());
        if (found == files_.end()) return std::unexpected{"cannot open " + path.string()};
        return std::make_unique<Mapped>(found->second.pages.get(), found->second.bytes);
    }
    Result<std::unique_ptr<journal::OutputFile>> create_output(
        const std::filesystem::path& path) override {
        return std::unexpected{"cannot write " + path.string() + ": segments only"};
    }
    Result<void> rename(const std::filesystem::path& from,
                        const std::filesystem::path& to) override {
        auto moved = files_.extract(from.string());
        if (moved.empty()) return std::unexpected{"cannot rename " + from.string()};
        moved.key() = to.string();
        files_.erase(to.string());
        files_.insert(std::move(moved));
        return {};
    }
    // Existing maps stay readable, so keep the pages.
    Result<void> remove(const std::filesystem::path& path) override {
        removed_.push_back(std::move(files_.extract(path.string()).mapped()));
        return {};
    }
    Result<std::vector<Entry>> list(const std::filesystem::path& folder) override {
        std::vector<Entry> entries;
        for (const auto& [name, file] : files_)
            if (const std::filesystem::path path = name; path.parent_path() == folder)
                entries.push_back({path.filename().string(), file.bytes});
        return entries;
    }
    Result<void> create_folder(const std::filesystem::path& /*folder*/) override { return {}; }
    Result<std::unique_ptr<journal::FolderLock>> lock(
        const std::filesystem::path& /*folder*/) override {
        return std::make_unique<Lock>();
    }

    /// Creates or replaces a file with this content.
    void put(const std::filesystem::path& path, std::span<const std::byte> content) {
        files_.erase(path.string());
        Page* pages = make(path, content.size());
        if (!content.empty()) std::memcpy(pages, content.data(), content.size());
    }

  private:
    struct alignas(4'096) Page {
        std::byte bytes[4'096];
    };
    struct File {
        std::unique_ptr<Page[]> pages;
        std::uint64_t bytes = 0;
    };
    class Mapped final : public journal::MappedFile {
      public:
        Mapped(Page* pages, std::uint64_t bytes) {
            data_ = reinterpret_cast<std::byte*>(pages);
            size_ = bytes;
        }
        Result<void> sync(std::size_t /*offset*/, std::size_t /*length*/) override { return {}; }
        void prefault(std::size_t /*offset*/, std::size_t /*length*/) override {}
    };
    class Lock final : public journal::FolderLock {};

    Page* make(const std::filesystem::path& path, std::uint64_t bytes) {
        auto pages = std::make_unique<Page[]>(bytes / sizeof(Page) + 1);
        Page* first = pages.get();
        files_.insert_or_assign(path.string(), File{std::move(pages), bytes});
        return first;
    }

    std::map<std::string, File> files_;
    std::vector<File> removed_;
};

}  // namespace damrak::testing
