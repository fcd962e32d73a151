// Loads any bytes as a FIX dictionary, alone and over our transport: it loads or reports an error,
// and a loaded one must validate a few messages without failing.
#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include <damrak/base/assert.hpp>
#include <damrak/fix_codec/checksum.hpp>
#include <damrak/fix_codec/decode.hpp>
#include <damrak/fix_codec/dictionary.hpp>

#include "support/fuzz_target.hpp"

namespace damrak::fuzz_fix_dictionary {

namespace {

using namespace damrak::fix_codec;

std::string message_of(std::string_view body) {
    std::string bytes = fmt::format("8=FIX.4.4|9={}|{}", body.size(), body);
    std::ranges::replace(bytes, '|', k_soh);
    return bytes + fmt::format("10={:03}\001", checksum_portable(bytes));
}

void judge(const Dictionary& dictionary) {
    static const std::vector<std::string> messages{
        message_of("35=0|34=2|49=A|52=20251231-18:21:36|56=B|"),
        message_of("35=D|34=2|49=A|52=20251231-18:21:36|56=B|11=1|55=A|54=1|38=1.5|40=2|"
                   "453=2|448=A|802=1|523=x|448=B|18=1 6|60=20251231-18:21:36|"),
        message_of("35=N|33=2|58=a|1=x|58=b|1=y|58=c|5001=z|-1=|89=|"),
        message_of("35=AB|"),
    };
    Decoder decoder;
    Message message;
    for (const std::string& bytes : messages) {
        for (int again = 0; again < 3; ++again) {
            const Scan scan = decoder.scan(bytes, message);
            DAMRAK_ASSERT(scan.status == Scan::Status::message);
            const auto found = dictionary.validate(message);
            if (found) DAMRAK_ASSERT(!text(found->reason).empty());
            (void)dictionary.validate(message, {.order = false,
                                                .group_order = true,
                                                .values = false,
                                                .user_defined_fields = false,
                                                .allow_unknown_fields = true});
            DAMRAK_ASSERT(dictionary.validate(message) == found);
        }
        for (const Field& field : message.fields()) {
            (void)dictionary.field_name(field.tag);
            (void)dictionary.value_name(field.tag, message.value(field));
            (void)dictionary.group(message.msg_type(), field.tag);
        }
    }
}

}  // namespace

DAMRAK_FUZZ_TARGET(fix_dictionary)(const std::uint8_t* data, std::size_t size) {
    const std::string_view xml{reinterpret_cast<const char*>(data), size};
    if (const auto own = Dictionary::load(xml))
        judge(*own);
    else
        DAMRAK_ASSERT(!own.error().empty());
    if (const auto above = Dictionary::load(xml, Dictionary::of(BeginString::fixt11)))
        judge(*above);
    else
        DAMRAK_ASSERT(!above.error().empty());
    return 0;
}

}  // namespace damrak::fuzz_fix_dictionary
