#include <damrak/files/byte_sink.hpp>

#include <array>
#include <utility>

#include <zlib.h>
#include <zstd.h>

#include <damrak/base/assert.hpp>
#include <damrak/files/detail/file_in_place.hpp>

namespace damrak::files {

using Bytes = std::span<const std::byte>;

class ByteSink::Encoder {
  public:
    Encoder() = default;
    Encoder(const Encoder&) = delete;
    Encoder& operator=(const Encoder&) = delete;
    virtual ~Encoder() = default;

    /// Compresses all of `bytes` into the file; `last` also ends the stream.
    virtual void encode(Bytes bytes, bool last, detail::FileInPlace& file) = 0;

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

    void encode(Bytes bytes, bool last, detail::FileInPlace& file) override {
        // zlib takes its input as non-const, and at most 4 GiB at a time.
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

    void encode(Bytes bytes, bool last, detail::FileInPlace& file) override {
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
    struct Free {
        void operator()(ZSTD_CCtx* context) const { ZSTD_freeCCtx(context); }
    };
    std::unique_ptr<ZSTD_CCtx, Free> context_{ZSTD_createCCtx()};
};

struct ByteSink::State {
    detail::FileInPlace file;
    std::unique_ptr<Encoder> encoder;  // none: raw
    bool open{true};
};

std::expected<ByteSink, std::string> ByteSink::create(const std::filesystem::path& path) {
    auto file = detail::FileInPlace::create(path);
    if (!file) return std::unexpected{std::move(file.error())};
    std::unique_ptr<Encoder> encoder;
    if (path.extension() == ".gz") encoder = std::make_unique<GzipEncoder>();
    if (path.extension() == ".zst") encoder = std::make_unique<ZstdEncoder>();
    return ByteSink{
        std::unique_ptr<State>{new State{.file = std::move(*file), .encoder = std::move(encoder)}}};
}

std::expected<ByteSink, std::string> ByteSink::append_to(const std::filesystem::path& path,
                                                         std::uint64_t size) {
    auto file = detail::FileInPlace::append_to(path, size);
    if (!file) return std::unexpected{std::move(file.error())};
    return ByteSink{
        std::unique_ptr<State>{new State{.file = std::move(*file), .encoder = nullptr}}};
}

ByteSink::ByteSink(std::unique_ptr<State> state) noexcept : state_{std::move(state)} {}
ByteSink::ByteSink(ByteSink&&) noexcept = default;

ByteSink::~ByteSink() = default;

void ByteSink::write(Bytes bytes) {
    DAMRAK_ASSERT(state_->open);
    if (failed()) return;
    if (state_->encoder) {
        state_->encoder->encode(bytes, false, state_->file);
    } else {
        state_->file.write(bytes);
    }
}

void ByteSink::show() {
    DAMRAK_ASSERT(state_->open && state_->encoder == nullptr);
    state_->file.show();
}

void ByteSink::sync() {
    DAMRAK_ASSERT(state_->open && state_->encoder == nullptr);
    state_->file.sync();
}

bool ByteSink::failed() const noexcept { return !state_->file.error().empty(); }

std::expected<void, std::string> ByteSink::finish() {
    if (std::exchange(state_->open, false)) {
        if (state_->encoder && !failed()) state_->encoder->encode({}, true, state_->file);
        state_->file.finish();
    }
    if (failed()) return std::unexpected{state_->file.error()};
    return {};
}

std::expected<void, std::string> ByteSink::close() {
    if (auto finished = finish(); !finished) return finished;
    state_->file.take_place();
    if (failed()) return std::unexpected{state_->file.error()};
    return {};
}

bool is_being_written(int descriptor) { return detail::FileInPlace::is_claimed(descriptor); }

}  // namespace damrak::files
