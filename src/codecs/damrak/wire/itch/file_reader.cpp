#include <damrak/wire/itch/file_reader.hpp>

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include <damrak/base/assert.hpp>

namespace damrak::wire::itch {

namespace {

// An end mark, and of a frame behind it the length and the type.
constexpr std::size_t k_start_behind_mark = 2 * k_frame_header_length + 1;

// Whether the last of these frames is the system event C. Checking its locate, always 0, avoids
// confusing the end of an order message with one.
bool ends_a_day(std::span<const std::byte> frames) {
    constexpr std::size_t k_frame = k_frame_header_length + Layout<SystemEvent>::k_length;
    if (frames.size() < k_frame) return false;
    const std::byte* const at = frames.last(k_frame).data();
    const std::byte* const message = at + k_frame_header_length;
    return load_be<std::uint16_t>(at) == Layout<SystemEvent>::k_length &&
           *message == std::byte{'S'} && load_be<std::uint16_t>(message + 1) == 0 &&
           frames.back() == std::byte{'C'};
}

}  // namespace

std::expected<FileReader, ReadError> FileReader::open(const std::filesystem::path& path,
                                                      std::size_t block_bytes) {
    auto source = files::ByteSource::open(path);
    if (!source) return std::unexpected{ReadError{{.fault = Fault::source}, source.error()}};
    return FileReader{std::move(*source), block_bytes};
}

// After a walk at most an incomplete frame remains; it is carried over to the next block.
FileReader::FileReader(files::ByteSource source, std::size_t block_bytes)
    : source_{std::move(source)},
      capacity_{block_bytes + k_max_frame_length},
      buffer_{std::make_unique_for_overwrite<std::byte[]>(capacity_)} {
    DAMRAK_ASSERT(block_bytes > 0);
}

std::expected<void, ReadError> FileReader::refill() {
    std::copy(buffer_.get() + begin_, buffer_.get() + end_, buffer_.get());
    end_ -= begin_;
    begin_ = 0;
    const std::size_t room = std::min(capacity_ - end_, capacity_ - k_max_frame_length);
    const auto count = source_.read({buffer_.get() + end_, room});
    if (!count) {
        return std::unexpected{
            ReadError{{.fault = Fault::source, .offset = offset_ + end_ - begin_}, count.error()}};
    }
    source_ended_ = *count == 0;
    end_ += *count;
    return {};
}

std::expected<ReadStep, ReadError> FileReader::conclude(const WalkResult& result) {
    const bool first_frame = messages_ == 0 && result.messages == 0;
    begin_ += result.consumed_bytes;
    if (result.messages > 0) saw_end_of_messages_ = ends_a_day({buffer_.get(), begin_});
    messages_ += result.messages;
    const std::uint64_t walked_from = std::exchange(offset_, offset_ + result.consumed_bytes);
    inside_block_ = result.end == WalkEnd::stopped;
    switch (result.end) {
        case WalkEnd::stopped:
            return ReadStep::stopped;
        case WalkEnd::end_mark:
            return conclude_end_mark();
        case WalkEnd::need_more:
            return source_ended_ ? conclude_end() : ReadStep::more;
        case WalkEnd::fault: {
            DecodeError error = result.error;
            error.offset += walked_from;
            if (first_frame && error.fault <= Fault::wrong_length) {
                error = {.fault = Fault::not_itch, .offset = walked_from};
            }
            return fail(error);
        }
    }
    std::unreachable();
}

std::expected<ReadStep, ReadError> FileReader::conclude_end() {
    const auto rest = pending();
    if (rest.empty()) {
        if (messages_ == 0) return fail({.fault = Fault::no_messages, .offset = offset_});
        return ReadStep::end;
    }
    DecodeError error{.fault = Fault::truncated,
                      .offset = offset_,
                      .found = static_cast<std::uint32_t>(rest.size()),
                      .expected = k_frame_header_length + k_min_message_length};
    if (rest.size() >= k_frame_header_length) {
        error.expected = k_frame_header_length + load_be<std::uint16_t>(rest.data());
    }
    if (rest.size() > k_frame_header_length) {
        error.type = static_cast<char>(rest[k_frame_header_length]);
    }
    if (messages_ == 0) error.fault = Fault::not_itch;
    return fail(error);
}

std::expected<ReadStep, ReadError> FileReader::conclude_end_mark() {
    while (pending().size() < k_start_behind_mark && !source_ended_)
        if (auto refilled = refill(); !refilled) return std::unexpected{refilled.error()};
    if (pass_zero_length()) {
        inside_block_ = true;
        return ReadStep::more;
    }
    constexpr std::uint64_t k_mark_bytes = k_frame_header_length;
    const std::uint64_t mark = offset_;
    do {
        const auto rest = pending();
        const auto other =
            std::ranges::find_if(rest, [](std::byte b) { return b != std::byte{0}; });
        const auto zeros = static_cast<std::size_t>(other - rest.begin());
        begin_ += zeros;
        offset_ += zeros;
        if (other != rest.end()) {
            const Fault fault = messages_ == 0 ? Fault::not_itch : Fault::after_end;
            return fail(
                {.fault = fault, .offset = offset_, .found = static_cast<std::uint32_t>(*other)});
        }
        if (auto refilled = refill(); !refilled) return std::unexpected{refilled.error()};
    } while (!source_ended_);
    if (messages_ == 0) return fail({.fault = Fault::no_messages, .offset = mark});
    if (offset_ - mark > k_mark_bytes && !saw_end_of_messages_)
        return fail({.fault = Fault::unfinished, .offset = mark});
    return ReadStep::end;
}

// A single frame of length 0 with a message behind it: either the message's own, whose length
// follows from its type, or an empty one before the message's.
bool FileReader::pass_zero_length() {
    const auto rest = pending();
    if (rest.size() < k_start_behind_mark) return false;
    const auto type_at = [&](std::size_t at) { return static_cast<char>(rest[at]); };
    if (const std::uint32_t length = message_length(type_at(k_frame_header_length));
        length != k_no_message) {
        buffer_[begin_] = std::byte{0};
        buffer_[begin_ + 1] = static_cast<std::byte>(length);
        ++lengths_of_zero_;
        return true;
    }
    if (load_be<std::uint16_t>(rest.data() + k_frame_header_length) !=
        message_length(type_at(2 * k_frame_header_length)))
        return false;
    begin_ += k_frame_header_length;
    offset_ += k_frame_header_length;
    ++empty_frames_;
    return true;
}

std::vector<std::string> FileReader::notes() const {
    std::vector<std::string> notes;
    if (lengths_of_zero_ > 0)
        notes.push_back(
            fmt::format("{} messages have a length of 0 before them; their type told the length",
                        lengths_of_zero_));
    if (empty_frames_ > 0)
        notes.push_back(
            fmt::format("{} frames of length 0 between messages were skipped", empty_frames_));
    return notes;
}

std::unexpected<ReadError> FileReader::fail(DecodeError cause) const {
    std::string text = fmt::format("{}: {}", source_.name(), describe(cause));
    if (cause.fault == Fault::not_itch) {
        if (const auto guess = guess_framing(pending()); !guess.empty()) {
            text += fmt::format(" ({})", guess);
        }
    }
    return std::unexpected{ReadError{cause, std::move(text)}};
}

}  // namespace damrak::wire::itch
