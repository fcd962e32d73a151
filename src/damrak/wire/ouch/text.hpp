// Text of fixed width as OUCH carries it: any bytes, so that what a client sent can be reported
// back to it as it came. Plain values.
#pragma once

#include <damrak/wire/itch/messages.hpp>

namespace damrak::wire::ouch {

template <std::size_t n>
using Alpha = itch::Alpha<n>;

using Token = Alpha<14>;
using Symbol = Alpha<8>;
using Firm = Alpha<4>;

}  // namespace damrak::wire::ouch
