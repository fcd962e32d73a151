// Reads any bytes as a DBN file: records end where the input does, and errors are reported.
#include <cstdint>
#include <span>

#include <damrak/base/assert.hpp>
#include <damrak/wire/dbn/reader.hpp>

#include "support/fuzz_target.hpp"

namespace damrak::fuzz_dbn {

using namespace damrak::wire;

DAMRAK_FUZZ_TARGET(dbn)(const std::uint8_t* data, std::size_t size) {
    const auto bytes = std::as_bytes(std::span{data, size});
    auto reader = dbn::Reader::over(files::ByteSource::over(bytes, "input"));
    if (!reader) {
        DAMRAK_ASSERT(!reader.error().empty());
        return 0;
    }
    static_cast<void>(dbn::name_of(reader->metadata().schema));
    for (;;) {
        const auto record = reader->next();
        if (!record) DAMRAK_ASSERT(!record.error().empty());
        if (!record || !*record) return 0;
        DAMRAK_ASSERT((*record)->as<dbn::RecordHeader>()->type == (*record)->type());
        DAMRAK_ASSERT(!dbn::name_of_record((*record)->type()).empty());
        static_cast<void>((*record)->as<dbn::MbpRecord<10>>());
    }
}

}  // namespace damrak::fuzz_dbn
