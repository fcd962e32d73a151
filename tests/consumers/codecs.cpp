// The codecs alone: bytes that are no message are an error, and so is a file that does not exist.
#include <damrak/files/byte_source.hpp>
#include <damrak/wire/binary/decode.hpp>

int main() {
    using namespace damrak;
    wire::binary::Header unknown{};
    unknown.type = 255;
    const bool decoded = wire::binary::decode(unknown, {}).has_value();
    const bool opened = files::ByteSource::open("absent.zst").has_value();
    return decoded || opened ? 1 : 0;
}
