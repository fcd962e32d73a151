// Text of fixed width in OUCH messages: any bytes, so that a client's text can be returned
// unchanged. Plain values.
#pragma once

#include <damrak/wire/itch/messages.hpp>

namespace damrak::wire::ouch {

template <std::size_t n>
using Alpha = itch::Alpha<n>;

using Token = Alpha<14>;
using Symbol = Alpha<8>;
using Firm = Alpha<4>;

}  // namespace damrak::wire::ouch
