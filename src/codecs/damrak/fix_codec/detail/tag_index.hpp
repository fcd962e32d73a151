// Finds the first field with a tag by one look-up in a small table. An entry may be left from an
// earlier message, so the field is compared; nothing must be cleared between messages.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include <damrak/base/inline.hpp>
#include <damrak/fix_codec/detail/field.hpp>

namespace damrak::fix_codec::detail {

class TagIndex {
  public:
    void start() { collided_ = false; }

    /// Call for each field of a message in order; `fields` are the ones before it.
    void add(Tag tag, std::span<const Field> fields) {
        std::uint16_t& place = places_[tag % k_places];
        if (place < fields.size() && fields[place].tag % k_places == tag % k_places) {
            collided_ = collided_ || fields[place].tag != tag;
            return;
        }
        place = static_cast<std::uint16_t>(fields.size());
    }

    [[nodiscard]] DAMRAK_HOT const Field* find(Tag tag, std::span<const Field> fields) const {
        const std::size_t place = places_[tag % k_places];
        if (place < fields.size() && fields[place].tag == tag) [[likely]]
            return &fields[place];
        if (collided_) [[unlikely]]
            return find_by_walk(tag, fields);
        return nullptr;
    }

  private:
    [[nodiscard]] DAMRAK_COLD static const Field* find_by_walk(Tag tag,
                                                               std::span<const Field> fields) {
        for (const Field& field : fields)
            if (field.tag == tag) return &field;
        return nullptr;
    }

    static constexpr std::size_t k_places = 512;

    std::array<std::uint16_t, k_places> places_{};
    bool collided_ = false;  ///< two tags of the message share a slot
};

}  // namespace damrak::fix_codec::detail
