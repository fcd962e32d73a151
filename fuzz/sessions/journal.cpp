// Any bytes as a segment of a journal: as a whole file, and as changes to a valid one. The reader
// must never crash, return only written records, and report missing ones.
//
// The first byte selects: odd, the rest is the file; even, the rest are changes to a journal with
// some records, of which some were synced: offset (2 bytes) and value (1) each.
#include <damrak/journal/journal.hpp>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <vector>

#include <damrak/base/assert.hpp>

#include "support/fuzz_target.hpp"
#include "support/memory_files.hpp"

namespace damrak::fuzz_journal {

namespace {

using namespace damrak;           // NOLINT(google-build-using-namespace): one file, one program
using namespace damrak::journal;  // NOLINT(google-build-using-namespace)
using damrak::testing::MemoryFiles;

const std::filesystem::path k_folder = "journal";
constexpr std::size_t k_segment_bytes = 3 * k_page_bytes;

Record record_of(std::uint64_t n) {
    Record record{};
    record.head.session = n;
    record.head.tag_length = static_cast<std::uint8_t>(n % 25);
    record.command.kind = CommandKind::new_order;
    record.command.timestamp = Timestamp{static_cast<std::int64_t>(n)};
    record.command.quantity = Quantity{static_cast<std::int64_t>(1 + n)};
    return record;
}

// The bytes of a segment with `records` records, of which `synced` are synced.
std::vector<std::byte> sound_segment(std::uint64_t records, std::uint64_t synced) {
    MemoryFiles files;
    const JournalConfig config{.directory = k_folder, .segment_bytes = k_segment_bytes};
    const auto recovery = recover(files, k_folder, {}, [](auto) {});
    const auto opened = Journal::open(files, config, *recovery, {.instance = {1, 2}}, Timestamp{0});
    DAMRAK_ASSERT(opened.has_value());
    for (std::uint64_t n = 1; n <= records; ++n) {
        DAMRAK_ASSERT((*opened)->writer().append(record_of(n)));
        if (n == synced) (*opened)->syncer().do_work(0);
    }
    const auto file = files.open_mapped(k_folder / segment_name(1), FileSystem::Access::read);
    return {(*file)->data(), (*file)->data() + (*file)->size()};
}

struct Outcome {
    std::vector<Record> records;
    Result<Recovery> recovery;
};
Outcome read(MemoryFiles& files, bool cut) {
    std::vector<Record> records;
    auto recovery = recover(files, k_folder, {.cut = cut}, [&](std::span<const Record> batch) {
        records.insert(records.end(), batch.begin(), batch.end());
    });
    return {std::move(records), std::move(recovery)};
}

void any_file(std::span<const std::byte> bytes) {
    MemoryFiles files;
    files.put(k_folder / segment_name(1), bytes);
    const Outcome outcome = read(files, true);
    if (!outcome.recovery) DAMRAK_ASSERT(!outcome.recovery.error().empty());
    for (std::size_t i = 0; i < outcome.records.size(); ++i) {
        const Record& record = outcome.records[i];
        DAMRAK_ASSERT(record.head.sequence == i + 1);
        DAMRAK_ASSERT(record.head.crc == crc_of(record, i + 1));
    }
}

void changed_file(std::span<const std::byte> changes) {
    constexpr std::uint64_t k_records = 20;
    constexpr std::uint64_t k_synced = 12;
    static const std::vector<std::byte> k_sound = sound_segment(k_records, k_synced);
    std::vector<std::byte> bytes = k_sound;
    for (; changes.size() >= 3; changes = changes.subspan(3)) {
        std::uint16_t offset = 0;
        std::memcpy(&offset, changes.data(), sizeof offset);
        bytes[offset % bytes.size()] = changes[2];
    }
    MemoryFiles files;
    files.put(k_folder / segment_name(1), bytes);
    const Outcome outcome = read(files, true);
    if (!outcome.recovery) {
        DAMRAK_ASSERT(!outcome.recovery.error().empty());
        return;
    }
    const std::size_t count = outcome.records.size();
    DAMRAK_ASSERT(count <= k_records);
    DAMRAK_ASSERT(count == 0 || std::memcmp(outcome.records.data(), k_sound.data() + k_header_bytes,
                                            count * k_record_bytes) == 0);
    DAMRAK_ASSERT(count >= outcome.recovery->synced);
    const auto rest = std::span{bytes}.subspan(k_header_bytes + count * k_record_bytes);
    const bool blank =
        std::ranges::all_of(rest.first(rest.size() / k_record_bytes * k_record_bytes),
                            [](std::byte b) { return b == std::byte{0}; });
    DAMRAK_ASSERT(outcome.recovery->cut.empty() == blank);
    // The torn end was cut: the next start must find the same records and a clean end.
    const Outcome again = read(files, false);
    DAMRAK_ASSERT(again.recovery.has_value() && again.records.size() == count);
    DAMRAK_ASSERT(again.recovery->cut.empty());
}

}  // namespace

DAMRAK_FUZZ_TARGET(journal)(const std::uint8_t* data, std::size_t size) {
    if (size == 0) return 0;
    const auto rest = std::as_bytes(std::span{data, size}).subspan(1);
    if ((data[0] & 1U) != 0) {
        any_file(rest);
    } else {
        changed_file(rest);
    }
    return 0;
}

}  // namespace damrak::fuzz_journal
