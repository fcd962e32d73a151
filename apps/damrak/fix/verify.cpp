// `damrak fix verify`: whether every record of a store is sound, and every message in it.
#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <damrak/fix_codec/decode.hpp>

#include "cli.hpp"
#include "fix/jobs.hpp"

namespace damrak::app {

namespace {

using fix_codec::Scan;
using session::fix::RecordKind;
using session::fix::StoreFileReader;
using session::fix::StoreRecord;

class Verification {
  public:
    void file(const FixStoreFile& file) {
        if (files_++ > 0 && file.header.number != last_file_ + 1)
            wrong_.push_back(
                fmt::format("files {} to {} are missing", last_file_ + 1, file.header.number - 1));
        last_file_ = file.header.number;
        if (file.header.bytes != file.file->size())
            wrong_.push_back(fmt::format("{}: the file has {} bytes, but its header says {}",
                                         file.path.string(), file.file->size(), file.header.bytes));
        StoreFileReader reader{file.bytes(), file.header.number};
        using Found = StoreFileReader::Found;
        for (Found found = reader.next(); found != Found::end; found = reader.next()) {
            if (found == Found::record) {
                record(file, reader.record());
                continue;
            }
            const auto& damage = reader.damage();
            if (damage.unfinished) {
                ++unfinished_;
            } else {
                wrong_.push_back(fmt::format("{}: {} bytes at offset {} are damaged",
                                             file.path.string(), damage.bytes, damage.offset));
            }
            if (damage.at_the_end) break;
        }
    }

    [[nodiscard]] nlohmann::ordered_json to_json(const FixOptions& options) const {
        nlohmann::ordered_json object{{"ok", wrong_.empty()},
                                      {"directory", options.path.string()},
                                      {"files", files_},
                                      {"messages", messages_},
                                      {"administrative", administrative_},
                                      {"first_sequence", first_sequence_},
                                      {"last_sequence", last_sequence_},
                                      {"next_outgoing", next_outgoing_},
                                      {"next_incoming", next_incoming_},
                                      {"resets", resets_},
                                      {"unfinished", unfinished_}};
        if (!wrong_.empty()) object["damage"] = wrong_;
        return object;
    }
    void print() const {
        fmt::print("messages       {}, of which {} are administrative, in {}\n", messages_,
                   administrative_, counted(static_cast<std::int64_t>(files_), "file"));
        fmt::print("numbers        {} to {}\n", first_sequence_, last_sequence_);
        fmt::print("next           {} out, {} in\n", next_outgoing_, next_incoming_);
        fmt::print("resets         {}\n", resets_);
        if (unfinished_ > 0) fmt::print("note           the last record is incomplete\n");
        for (const std::string& what : wrong_) fmt::print("damage         {}\n", what);
    }
    [[nodiscard]] const std::vector<std::string>& wrong() const { return wrong_; }

  private:
    void record(const FixStoreFile& file, const StoreRecord& record) {
        if (record.kind == RecordKind::incoming) {
            next_incoming_ = record.sequence;
        } else if (record.kind == RecordKind::numbers) {
            if (record.sequence < next_outgoing_) ++resets_;
            next_outgoing_ = record.sequence;
            next_incoming_ = record.numbers.next_incoming;
        } else {
            message(file, record);
        }
    }
    void message(const FixStoreFile& file, const StoreRecord& record) {
        if (messages_++ == 0) first_sequence_ = record.sequence;
        last_sequence_ = record.sequence;
        administrative_ += record.kept.administrative ? 1 : 0;
        const auto where = [&] {
            return fmt::format("{}: offset {}: message {}", file.path.string(), record.offset,
                               record.sequence);
        };
        if (record.sequence < next_outgoing_)
            wrong_.push_back(fmt::format("{}: duplicate sequence number", where()));
        next_outgoing_ = record.sequence + 1;
        const Scan scan = decoder_.scan(record.content, message_);
        if (scan.status != Scan::Status::message || scan.bytes != record.content.size()) {
            wrong_.push_back(
                fmt::format("{} is not a FIX message: {}", where(), text(scan.reason)));
        } else if (message_.sequence() != record.sequence) {
            wrong_.push_back(fmt::format("{} says it is number {}", where(), message_.sequence()));
        }
    }

    fix_codec::Decoder decoder_{fix_codec::Decoder::k_maximum_fields, std::size_t{1} << 20U};
    fix_codec::Message message_;
    std::uint64_t files_ = 0;
    std::uint64_t last_file_ = 0;
    std::uint64_t messages_ = 0;
    std::uint64_t administrative_ = 0;
    std::uint64_t first_sequence_ = 0;
    std::uint64_t last_sequence_ = 0;
    std::uint64_t next_outgoing_ = 1;
    std::uint64_t next_incoming_ = 1;
    std::uint64_t resets_ = 0;
    std::uint64_t unfinished_ = 0;
    std::vector<std::string> wrong_;
};

int fail_with(const FixOptions& options, const std::string& why) {
    if (options.json) print_json({{"ok", false}, {"error", why}});
    return fail(why);
}

}  // namespace

int verify_fix(const FixOptions& options) {
    const auto numbers = fix_file_numbers(options.path, 1);
    if (!numbers) return fail_with(options, numbers.error());
    if (numbers->empty())
        return fail_with(
            options, fmt::format("{}: no files with FIX messages found", options.path.string()));
    Verification verification;
    for (const std::uint64_t number : *numbers) {
        const auto file = open_fix_file(options.path / session::fix::store_file_name(number));
        if (!file) return fail_with(options, file.error());
        verification.file(*file);
    }
    if (options.json) {
        print_json(verification.to_json(options));
    } else {
        verification.print();
    }
    if (verification.wrong().empty()) return k_exit_success;
    return fail(fmt::format("{}: {}", options.path.string(), verification.wrong().front()));
}

}  // namespace damrak::app
