#include <damrak/files/byte_source.hpp>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include <damrak/base/assert.hpp>

namespace damrak::files {

namespace {

constexpr std::size_t k_input_bytes = 256UL * 1024;

using Count = std::expected<std::size_t, std::string>;

ByteSource::Encoding detect(std::span<const std::byte> first_bytes) {
    using namespace std::string_view_literals;
    const std::string_view text{reinterpret_cast<const char*>(first_bytes.data()),
                                first_bytes.size()};
    if (text.starts_with("\x1f\x8b"sv)) return ByteSource::Encoding::gzip;
    if (text.starts_with("\x28\xb5\x2f\xfd"sv)) return ByteSource::Encoding::zstd;
    // A zstd file may also start with a skippable frame, magic 0x184D2A50 to 0x184D2A5F.
    if (text.size() >= 4 && text.substr(1, 3) == "\x2a\x4d\x18"sv && (text[0] & 0xf0) == 0x50) {
        return ByteSource::Encoding::zstd;
    }
    return ByteSource::Encoding::raw;
}

}  // namespace

// The stored bytes: a buffered file, or memory.
class ByteSource::Input {
  public:
    Input(int file, std::uint64_t total_bytes)
        : file_{file},
          total_bytes_{total_bytes},
          buffer_{std::make_unique_for_overwrite<std::byte[]>(k_input_bytes)} {}
    explicit Input(std::span<const std::byte> bytes) : total_bytes_{bytes.size()}, unread_{bytes} {}
    Input(const Input&) = delete;
    Input& operator=(const Input&) = delete;
    ~Input() {
        if (file_ >= 0) ::close(file_);
    }

    // The next stored bytes, read from the file if the buffer is empty; empty at the end.
    std::expected<std::span<const std::byte>, std::string> peek() {
        if (unread_.empty() && file_ >= 0) {
            const auto count = read_file({buffer_.get(), k_input_bytes});
            if (!count) return std::unexpected{count.error()};
            unread_ = {buffer_.get(), *count};
        }
        return unread_;
    }

    void take(std::size_t count) {
        unread_ = unread_.subspan(count);
        taken_bytes_ += count;
    }

    // Bypasses the buffer: uses its rest first, then reads from the file directly.
    Count read(std::span<std::byte> into) {
        const std::size_t left_over = std::min(unread_.size(), into.size());
        if (left_over > 0) {
            std::memcpy(into.data(), unread_.data(), left_over);
            take(left_over);
        }
        if (left_over == into.size() || file_ < 0) return left_over;
        const auto count = read_file(into.subspan(left_over));
        if (!count) return left_over > 0 ? Count{left_over} : count;
        taken_bytes_ += *count;
        return left_over + *count;
    }

    [[nodiscard]] std::uint64_t taken_bytes() const { return taken_bytes_; }
    [[nodiscard]] std::uint64_t total_bytes() const { return total_bytes_; }

  private:
    Count read_file(std::span<std::byte> into) {
        std::size_t done = 0;
        while (done < into.size()) {
            const ssize_t got = ::read(file_, into.data() + done, into.size() - done);
            if (got == 0) break;
            if (got > 0) {
                done += static_cast<std::size_t>(got);
            } else if (errno != EINTR) {
                if (done > 0) break;  // deliver what was read; the next call meets the error again
                return std::unexpected{fmt::format("cannot read at offset {}: {}", taken_bytes_,
                                                   std::generic_category().message(errno))};
            }
        }
        return done;
    }

    int file_{-1};
    std::uint64_t total_bytes_;
    std::uint64_t taken_bytes_{};
    std::unique_ptr<std::byte[]> buffer_;
    std::span<const std::byte> unread_;
};

// Decodes stored bytes: fills `into` unless the end or an error comes first.
class ByteSource::Decoder {
  public:
    Decoder() = default;
    Decoder(const Decoder&) = delete;
    Decoder& operator=(const Decoder&) = delete;
    virtual ~Decoder() = default;
    virtual Count read(Input& input, std::span<std::byte> into) = 0;
    // Defers the error of a read that also produced bytes to the next call.
    [[nodiscard]] std::optional<std::string> take_error() {
        return std::exchange(error_, std::nullopt);
    }

  protected:
    Count fail(std::size_t produced, std::string text) {
        if (produced == 0) return std::unexpected{std::move(text)};
        error_ = std::move(text);
        return produced;
    }

    std::string damage(std::string_view format, const Input& input, std::string_view why) const {
        return fmt::format(
            "the {} data is damaged at or soon after stored offset {} (after {} bytes of content): "
            "{}; get an "
            "undamaged copy",
            format, input.taken_bytes(), content_bytes_, why);
    }

    std::string truncation(std::string_view format, const Input& input) const {
        return fmt::format(
            "the {} data ends early at stored offset {} (after {} bytes of content): the file is "
            "truncated; get the whole file",
            format, input.taken_bytes(), content_bytes_);
    }

    std::uint64_t content_bytes_{};

  private:
    std::optional<std::string> error_;
};

class ByteSource::RawDecoder final : public Decoder {
  public:
    Count read(Input& input, std::span<std::byte> into) override { return input.read(into); }
};

class ByteSource::GzipDecoder final : public Decoder {
  public:
    GzipDecoder() {
        constexpr int k_gzip_window = 15 + 16;  // the largest window, with gzip header and trailer
        DAMRAK_ASSERT(inflateInit2(&stream_, k_gzip_window) == Z_OK);
    }
    ~GzipDecoder() override { inflateEnd(&stream_); }

    Count read(Input& input, std::span<std::byte> into) override {
        std::size_t produced = 0;
        while (produced < into.size()) {
            const auto stored = input.peek();
            if (!stored) return fail(produced, stored.error());
            if (stored->empty()) {
                if (in_member_) return fail(produced, truncation("gzip", input));
                break;
            }
            if (!in_member_) {
                const std::byte first = stored->front();
                if (members_ > 0 && first == std::byte{0}) {
                    input.take(1);  // zeros that pad the file to a block size
                    continue;
                }
                if (members_ > 0 && first != std::byte{0x1f}) {
                    return fail(produced, damage("gzip", input, "other data follows it"));
                }
                begin_member();
            }
            const auto out = into.subspan(produced);
            set_buffers(*stored, out);
            const int status = inflate(&stream_, Z_NO_FLUSH);
            const auto* const taken_to = reinterpret_cast<const std::byte*>(stream_.next_in);
            const auto* const filled_to = reinterpret_cast<const std::byte*>(stream_.next_out);
            input.take(static_cast<std::size_t>(taken_to - stored->data()));
            const auto count = static_cast<std::size_t>(filled_to - out.data());
            produced += count;
            content_bytes_ += count;
            if (status == Z_STREAM_END) {
                in_member_ = false;
            } else if (status != Z_OK && status != Z_BUF_ERROR) {
                const char* why = stream_.msg != nullptr ? stream_.msg : zError(status);
                return fail(produced, damage("gzip", input, why));
            }
        }
        return produced;
    }

  private:
    void begin_member() {
        DAMRAK_ASSERT(inflateReset(&stream_) == Z_OK);
        ++members_;
        in_member_ = true;
    }

    // zlib counts in 32 bits; the rest waits for the next call.
    void set_buffers(std::span<const std::byte> in, std::span<std::byte> out) {
        constexpr std::size_t k_most = 1U << 30;
        stream_.next_in = const_cast<Bytef*>(reinterpret_cast<const Bytef*>(in.data()));
        stream_.avail_in = static_cast<uInt>(std::min(in.size(), k_most));
        stream_.next_out = reinterpret_cast<Bytef*>(out.data());
        stream_.avail_out = static_cast<uInt>(std::min(out.size(), k_most));
    }

    z_stream stream_{};
    std::uint64_t members_{};
    bool in_member_{};
};

class ByteSource::ZstdDecoder final : public Decoder {
  public:
    ZstdDecoder() : stream_{ZSTD_createDStream()} { DAMRAK_ASSERT(stream_ != nullptr); }
    ~ZstdDecoder() override { ZSTD_freeDStream(stream_); }

    Count read(Input& input, std::span<std::byte> into) override {
        ZSTD_outBuffer out{into.data(), into.size(), 0};
        while (out.pos < out.size) {
            const auto stored = input.peek();
            if (!stored) return fail(out.pos, stored.error());
            if (stored->empty() && !in_frame_) break;
            ZSTD_inBuffer in{stored->data(), stored->size(), 0};
            const std::size_t before = out.pos;
            const std::size_t status = ZSTD_decompressStream(stream_, &out, &in);
            if (ZSTD_isError(status) != 0) {
                return fail(before, damage("zstd", input, ZSTD_getErrorName(status)));
            }
            input.take(in.pos);
            content_bytes_ += out.pos - before;
            in_frame_ = status != 0;
            if (stored->empty() && in_frame_ && out.pos == before) {
                return fail(out.pos, truncation("zstd", input));
            }
        }
        return out.pos;
    }

  private:
    ZSTD_DStream* stream_;
    bool in_frame_{};
};

struct ByteSource::State {
    static constexpr std::size_t k_ahead_bytes = 256;

    explicit State(std::string its_name, auto&&... stored)
        : name{std::move(its_name)}, input{std::forward<decltype(stored)>(stored)...} {}

    std::string name;
    Input input;
    Encoding encoding{Encoding::raw};
    std::unique_ptr<Decoder> decoder;
    std::optional<std::string> error;
    std::array<std::byte, k_ahead_bytes> ahead{};
    std::span<const std::byte> looked_at;  // part of `ahead` that is not consumed yet

    // Selects the decoder by the first bytes.
    std::expected<void, std::string> begin() {
        const auto first = input.peek();
        if (!first) return std::unexpected{fmt::format("{}: {}", name, first.error())};
        encoding = detect(*first);
        switch (encoding) {
            case Encoding::raw:
                decoder = std::make_unique<RawDecoder>();
                break;
            case Encoding::gzip:
                decoder = std::make_unique<GzipDecoder>();
                break;
            case Encoding::zstd:
                decoder = std::make_unique<ZstdDecoder>();
                break;
        }
        return {};
    }
};

std::expected<ByteSource, std::string> ByteSource::open(const std::filesystem::path& path) {
    const bool standard = path == "-";
    const std::string name = standard ? "standard input" : path.string();
    const auto failed = [&](std::string_view what) {
        return std::unexpected{fmt::format("{}: {}", name, what)};
    };
    const int file = standard ? ::fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0)
                              : ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (file < 0) return failed("cannot open: " + std::generic_category().message(errno));
    struct stat info{};
    const bool known = ::fstat(file, &info) == 0;
    if (known && S_ISDIR(info.st_mode)) {
        ::close(file);
        return failed("is a directory; give a file");
    }
    const bool regular = known && S_ISREG(info.st_mode);
    if (regular) ::posix_fadvise(file, 0, 0, POSIX_FADV_SEQUENTIAL);
    auto state = std::make_unique<State>(name, file,
                                         regular ? static_cast<std::uint64_t>(info.st_size) : 0U);
    if (auto begun = state->begin(); !begun) return std::unexpected{begun.error()};
    return ByteSource{std::move(state)};
}

ByteSource ByteSource::over(std::span<const std::byte> bytes, std::string name) {
    auto state = std::make_unique<State>(std::move(name), bytes);
    DAMRAK_ASSERT(state->begin().has_value());  // reading memory cannot fail
    return ByteSource{std::move(state)};
}

ByteSource::ByteSource(std::unique_ptr<State> state) noexcept : state_{std::move(state)} {}
ByteSource::ByteSource(ByteSource&&) noexcept = default;
ByteSource& ByteSource::operator=(ByteSource&&) noexcept = default;
ByteSource::~ByteSource() = default;

std::expected<std::span<const std::byte>, std::string> ByteSource::ahead() {
    if (state_->looked_at.empty()) {
        const auto count = read(state_->ahead);
        if (!count) return std::unexpected{count.error()};
        state_->looked_at = std::span{state_->ahead}.first(*count);
    }
    return state_->looked_at;
}

std::expected<std::size_t, std::string> ByteSource::read(std::span<std::byte> into) {
    if (!state_->looked_at.empty()) {
        const std::size_t count = std::min(into.size(), state_->looked_at.size());
        std::memcpy(into.data(), state_->looked_at.data(), count);
        state_->looked_at = state_->looked_at.subspan(count);
        if (count == into.size()) return count;
        // An error in the rest is deferred to the next call.
        return count + read(into.subspan(count)).value_or(0);
    }
    if (state_->error) return std::unexpected{*state_->error};
    auto count = state_->decoder->read(state_->input, into);
    auto later = count ? state_->decoder->take_error() : std::optional{count.error()};
    if (later) state_->error = fmt::format("{}: {}", state_->name, *later);
    if (!count) return std::unexpected{*state_->error};
    return count;
}

ByteSource::Encoding ByteSource::encoding() const noexcept { return state_->encoding; }

ByteSource::Progress ByteSource::progress() const noexcept {
    return {state_->input.taken_bytes(), state_->input.total_bytes()};
}

const std::string& ByteSource::name() const noexcept { return state_->name; }

}  // namespace damrak::files
