// From a tag to the first field that has it: one look into a small table. What is found there may
// be of an earlier message, so the field is compared; nothing has to be cleared between messages.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include <damrak/fix_codec/field.hpp>

namespace damrak::fix_codec::detail {

class TagIndex {
  public:
    void start() { collided_ = false; }

    /// For each field of a message in turn; `fields` are those before it.
    void add(Tag tag, std::span<const Field> fields) {
        std::uint16_t& place = places_[tag % k_places];
        if (place < fields.size() && fields[place].tag % k_places == tag % k_places) {
            collided_ = collided_ || fields[place].tag != tag;
            return;
        }
        place = static_cast<std::uint16_t>(fields.size());
    }

    [[nodiscard]] const Field* find(Tag tag, std::span<const Field> fields) const {
        const std::size_t place = places_[tag % k_places];
        if (place < fields.size() && fields[place].tag == tag) [[likely]]
            return &fields[place];
        return collided_ ? find_by_walk(tag, fields) : nullptr;
    }

  private:
    [[nodiscard]] static const Field* find_by_walk(Tag tag, std::span<const Field> fields) {
        for (const Field& field : fields)
            if (field.tag == tag) return &field;
        return nullptr;
    }

    static constexpr std::size_t k_places = 512;

    std::array<std::uint16_t, k_places> places_{};
    bool collided_ = false;  ///< two tags of the message have the same place
};

}  // namespace damrak::fix_codec::detail
