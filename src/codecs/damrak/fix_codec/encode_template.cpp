#include <damrak/fix_codec/encode_template.hpp>

#include <numeric>
#include <string>

namespace damrak::fix_codec {

namespace {

constexpr std::size_t k_copy_step_bytes = 32;

std::string tag_text(Tag tag) { return std::to_string(tag) + '='; }

}  // namespace

MessageTemplate::MessageTemplate(BeginString version, std::string_view msg_type)
    : front_(&detail::front_of(version)), text_(k_copy_step_bytes), parts_(1) {
    put(tag::msg_type, msg_type);
}

MessageTemplate& MessageTemplate::put(Tag tag, std::string_view value) {
    append(tag_text(tag) + std::string{value} + k_field_end);
    return *this;
}

MessageTemplate& MessageTemplate::slot(Tag tag) {
    append(tag_text(tag));
    parts_.push_back({.begin = static_cast<std::uint32_t>(text_.size() - k_copy_step_bytes)});
    bytes_ += detail::k_number_bytes;
    append(std::string_view{&k_field_end, 1});
    return *this;
}

// Appends to the last part. The text ends with spare room for one copy step.
void MessageTemplate::append(std::string_view text) {
    text_.insert(text_.end() - static_cast<std::ptrdiff_t>(k_copy_step_bytes), text.begin(),
                 text.end());
    const auto bytes = static_cast<std::uint32_t>(text.size());
    parts_.back().bytes += bytes;
    for (const char c : text) parts_.back().sum += static_cast<unsigned char>(c);
    bytes_ += bytes;
}

}  // namespace damrak::fix_codec
