// Random ITCH messages for property tests: any value that a field can hold on the wire, generated
// from the field tables of the codec's descriptor.
#pragma once

#include <rapidcheck.h>

#include <damrak/wire/itch/descriptor.hpp>

namespace damrak::testing {

template <class T>
T arbitrary_field() {
    using namespace wire::itch;
    if constexpr (std::is_same_v<T, std::int64_t>) {
        return *rc::gen::inRange<std::int64_t>(0, k_max_timestamp_ns + 1);
    } else if constexpr (std::is_same_v<T, Side>) {
        return *rc::gen::element(Side::buy, Side::sell);
    } else if constexpr (requires(T text) { text.chars; }) {
        T text;
        for (char& c : text.chars) c = *rc::gen::inRange<char>(' ', '~');
        return text;
    } else {
        return *rc::gen::arbitrary<T>();
    }
}

template <class M, class... Fields>
M arbitrary_message(wire::itch::FieldList<Fields...>) {
    M message;
    ((message.*Fields::k_member = arbitrary_field<typename Fields::Value>()), ...);
    return message;
}

template <class M>
M arbitrary_message() {
    return arbitrary_message<M>(typename wire::itch::Layout<M>::Fields{});
}

// One of the 23 types with equal probability.
template <std::size_t... index>
wire::itch::Message arbitrary_itch_message(std::index_sequence<index...>) {
    using wire::itch::Message;
    const std::size_t chosen = *rc::gen::inRange<std::size_t>(0, sizeof...(index));
    Message message;
    ((index == chosen
          ? void(message = arbitrary_message<std::variant_alternative_t<index, Message>>())
          : void()),
     ...);
    return message;
}

inline wire::itch::Message arbitrary_itch_message() {
    return arbitrary_itch_message(
        std::make_index_sequence<std::variant_size_v<wire::itch::Message>>{});
}

}  // namespace damrak::testing
