// Messages and folders for the tests of both stores.
#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <damrak/fix_codec/encode.hpp>
#include <damrak/journal/file_system.hpp>
#include <damrak/session/fix/message_store.hpp>

namespace damrak::session::fix::store_messages {

inline constexpr Timestamp k_now{1'767'205'296'457'245'600};

[[nodiscard]] inline Timestamp time_of(std::uint64_t sequence) {
    return {k_now.value + static_cast<std::int64_t>(sequence)};
}
/// Text of message number `sequence`; the lengths vary.
[[nodiscard]] inline std::string text_of(std::uint64_t sequence) {
    return "message " + std::to_string(sequence) + std::string(sequence * 7 % 90, '.');
}

template <class S>
std::string write_message(S& store, std::uint64_t sequence, const Kept& kept) {
    static fix_codec::TimestampCache times;
    const auto room = store.claim(512);
    if (room.empty()) return {};
    fix_codec::MessageWriter writer{room, times};
    writer.begin(fix_codec::BeginString::fix44, "B");
    writer.put(fix_codec::tag::msg_seq_num, sequence);
    writer.put(fix_codec::tag::text, text_of(sequence));
    const auto message = store.commit(sequence, writer.finish(), kept);
    return {message.begin(), message.end()};
}
template <class S>
std::string write_message(S& store, std::uint64_t sequence) {
    return write_message(store, sequence,
                         {.time = time_of(sequence), .position = {sequence * 10, 3}});
}
template <class S>
void write_messages(S& store, std::uint64_t first, std::uint64_t last) {
    for (std::uint64_t n = first; n <= last; ++n) ASSERT_FALSE(write_message(store, n).empty());
}

/// Whether the store has message number `sequence` as write_message() wrote it.
template <class S>
::testing::AssertionResult has_message(const S& store, std::uint64_t sequence) {
    const auto found = store.find(sequence);
    if (!found) return ::testing::AssertionFailure() << "no message " << sequence;
    const std::string text{found->message.begin(), found->message.end()};
    const std::string wanted =
        "\x01"
        "34=" +
        std::to_string(sequence) +
        "\x01"
        "58=" +
        text_of(sequence) +
        "\x01"
        "10=";
    if (!text.starts_with("8=FIX.4.4\x01") || text.find(wanted) == std::string::npos)
        return ::testing::AssertionFailure() << "message " << sequence << " is " << text;
    if (found->sequence != sequence) return ::testing::AssertionFailure() << "another number";
    return ::testing::AssertionSuccess();
}

[[nodiscard]] inline std::unique_ptr<MessageStore> open_store(const std::filesystem::path& folder,
                                                              StoreSettings settings,
                                                              Timestamp now = k_now) {
    auto store = MessageStore::open(journal::real_files(), folder, settings, now);
    EXPECT_TRUE(store.has_value()) << store.error();
    return store ? std::move(*store) : nullptr;
}

[[nodiscard]] inline std::vector<std::filesystem::path> files_of(
    const std::filesystem::path& folder) {
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator{folder})
        files.push_back(entry.path());
    std::ranges::sort(files);
    return files;
}

/// Changes one bit of a file.
inline void flip_bit(const std::filesystem::path& path, std::uint64_t offset, unsigned bit = 3) {
    std::fstream file{path, std::ios::binary | std::ios::in | std::ios::out};
    file.seekg(static_cast<std::streamoff>(offset));
    const int byte = file.get();
    ASSERT_NE(byte, EOF);
    file.seekp(static_cast<std::streamoff>(offset));
    file.put(static_cast<char>(static_cast<unsigned>(byte) ^ 1U << bit));
}

}  // namespace damrak::session::fix::store_messages
