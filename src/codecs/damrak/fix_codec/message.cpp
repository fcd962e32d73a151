#include <damrak/fix_codec/message.hpp>

#include <algorithm>

namespace damrak::fix_codec {
namespace {

[[nodiscard]] const Field* first_of(std::span<const Field> fields, Tag tag) {
    const auto found = std::ranges::find(fields, tag, &Field::tag);
    return found == fields.end() ? nullptr : &*found;
}

// The fields after the count field of a group.
template <class Fields>
[[nodiscard]] GroupRange entries_of(const Fields& from, const char* bytes,
                                    const GroupLayout& layout) {
    const std::span<const Field> fields = from.fields();
    const Field* count = from.find(layout.count_tag);
    if (count == nullptr) return {bytes, {}, layout, std::unexpected(ValueError::absent)};
    const auto behind = static_cast<std::size_t>(count - fields.data()) + 1;
    return {bytes, fields.subspan(behind), layout, parse_integer(from.value(*count))};
}

}  // namespace

bool GroupLayout::has(Tag tag) const { return std::ranges::binary_search(members, tag); }

const Field* Group::find(Tag tag) const { return first_of(fields_, tag); }

GroupRange Group::groups(const GroupLayout& layout) const {
    return entries_of(*this, bytes_, layout);
}

GroupRange::Iterator::Iterator(const GroupRange* range, std::span<const Field> rest)
    : range_{range}, rest_{rest}, length_{range->entry_length(rest)} {}

GroupRange::Iterator& GroupRange::Iterator::operator++() {
    *this = Iterator{range_, rest_.subspan(length_)};
    return *this;
}

std::size_t GroupRange::entry_length(std::span<const Field> rest) const {
    if (rest.empty() || rest.front().tag != layout_->delimiter) return 0;
    std::size_t length = 1;
    while (length < rest.size() && rest[length].tag != layout_->delimiter &&
           layout_->has(rest[length].tag))
        ++length;
    return length;
}

std::uint64_t Message::read_sequence() const {
    const auto number = integer(tag::msg_seq_num);
    return number && *number > 0 ? static_cast<std::uint64_t>(*number) : 0;
}

GroupRange Message::groups(const GroupLayout& layout) const {
    return entries_of(*this, bytes_.data(), layout);
}

}  // namespace damrak::fix_codec
