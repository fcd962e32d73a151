#include <damrak/wire/byte_sink.hpp>

#include <array>
#include <cerrno>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include <damrak/base/assert.hpp>

namespace damrak::wire {

using Bytes = std::span<const std::byte>;

class ByteSink::File {
  public:
    File(int descriptor, std::string name) : descriptor_{descriptor}, name_{std::move(name)} {}
    File(const File&) = delete;
    File& operator=(const File&) = delete;
    ~File() { close(); }

    void write(Bytes bytes) {
        while (!bytes.empty() && error_.empty()) {
            const ssize_t count = ::write(descriptor_, bytes.data(), bytes.size());
            if (count >= 0) {
                bytes = bytes.subspan(static_cast<std::size_t>(count));
            } else if (errno != EINTR) {
                fail(std::generic_category().message(errno));
            }
        }
    }

    void close() {
        if (descriptor_ >= 0 && ::close(std::exchange(descriptor_, -1)) != 0) {
            fail(std::generic_category().message(errno));
        }
    }

    void fail(std::string_view why) {
        if (error_.empty()) error_ = fmt::format("{}: cannot write: {}", name_, why);
    }

    [[nodiscard]] const std::string& error() const { return error_; }

  private:
    int descriptor_;
    std::string name_;
    std::string error_;
};

class ByteSink::Encoder {
  public:
    Encoder() = default;
    Encoder(const Encoder&) = delete;
    Encoder& operator=(const Encoder&) = delete;
    virtual ~Encoder() = default;

    /// Compresses all of `bytes` into the file; with `last` ends the stream as well.
    virtual void encode(Bytes bytes, bool last, File& file) = 0;

  protected:
    std::array<std::byte, 256UL * 1024> output_;
};

class ByteSink::GzipEncoder final : public Encoder {
  public:
    GzipEncoder() {
        constexpr int k_gzip_window_bits = 15 + 16;
        constexpr int k_memory_level = 8;
        const int result = deflateInit2(&stream_, Z_DEFAULT_COMPRESSION, Z_DEFLATED,
                                        k_gzip_window_bits, k_memory_level, Z_DEFAULT_STRATEGY);
        DAMRAK_ASSERT(result == Z_OK);
    }
    ~GzipEncoder() override { deflateEnd(&stream_); }

    void encode(Bytes bytes, bool last, File& file) override {
        // zlib takes what it only reads without const, and at most 4 GiB at a time.
        DAMRAK_ASSERT(std::in_range<uInt>(bytes.size()));
        stream_.next_in =
            reinterpret_cast<Bytef*>(const_cast<std::byte*>(bytes.data()));  // NOLINT(*-cast)
        stream_.avail_in = static_cast<uInt>(bytes.size());
        do {
            stream_.next_out = reinterpret_cast<Bytef*>(output_.data());
            stream_.avail_out = static_cast<uInt>(output_.size());
            deflate(&stream_, last ? Z_FINISH : Z_NO_FLUSH);
            file.write(Bytes{output_}.first(output_.size() - stream_.avail_out));
        } while (stream_.avail_out == 0);
    }

  private:
    z_stream stream_{};
};

class ByteSink::ZstdEncoder final : public Encoder {
  public:
    ZstdEncoder() { DAMRAK_ASSERT(context_ != nullptr); }

    void encode(Bytes bytes, bool last, File& file) override {
        ZSTD_inBuffer input{bytes.data(), bytes.size(), 0};
        for (;;) {
            ZSTD_outBuffer output{output_.data(), output_.size(), 0};
            const std::size_t left = ZSTD_compressStream2(context_.get(), &output, &input,
                                                          last ? ZSTD_e_end : ZSTD_e_continue);
            if (ZSTD_isError(left) != 0) return file.fail(ZSTD_getErrorName(left));
            file.write(Bytes{output_}.first(output.pos));
            if (last ? left == 0 : input.pos == input.size) return;
        }
    }

  private:
    std::unique_ptr<ZSTD_CCtx, decltype([](ZSTD_CCtx* c) { ZSTD_freeCCtx(c); })> context_{
        ZSTD_createCCtx()};
};

struct ByteSink::State {
    File file;
    std::unique_ptr<Encoder> encoder;  // none: raw
    bool open{true};
};

std::expected<ByteSink, std::string> ByteSink::create(const std::filesystem::path& path) {
    constexpr mode_t k_mode = 0644;
    const int descriptor = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, k_mode);
    if (descriptor < 0) {
        return std::unexpected{fmt::format("{}: cannot create: {}", path.string(),
                                           std::generic_category().message(errno))};
    }
    std::unique_ptr<Encoder> encoder;
    if (path.extension() == ".gz") encoder = std::make_unique<GzipEncoder>();
    if (path.extension() == ".zst") encoder = std::make_unique<ZstdEncoder>();
    return ByteSink{std::unique_ptr<State>{
        new State{.file = {descriptor, path.string()}, .encoder = std::move(encoder)}}};
}

ByteSink::ByteSink(std::unique_ptr<State> state) noexcept : state_{std::move(state)} {}
ByteSink::ByteSink(ByteSink&&) noexcept = default;

ByteSink::~ByteSink() {
    if (state_) (void)close();
}

void ByteSink::write(Bytes bytes) {
    DAMRAK_ASSERT(state_->open);
    if (failed()) return;
    if (state_->encoder) {
        state_->encoder->encode(bytes, false, state_->file);
    } else {
        state_->file.write(bytes);
    }
}

bool ByteSink::failed() const noexcept { return !state_->file.error().empty(); }

std::expected<void, std::string> ByteSink::close() {
    if (std::exchange(state_->open, false)) {
        if (state_->encoder && !failed()) state_->encoder->encode({}, true, state_->file);
        state_->file.close();
    }
    if (failed()) return std::unexpected{state_->file.error()};
    return {};
}

}  // namespace damrak::wire
