// Assertions for programming errors, enabled in every build. Operating errors (a bad packet, a full
// disk) are never asserted: they are values. A failed assertion prints its place and ends the
// process, since an exchange that continues with a wrong book is worse than one that stops. Costs
// one predicted branch.
#pragma once

namespace damrak::detail {

[[noreturn, gnu::cold]] void assertion_failed(const char* expression, const char* file, int line);

}  // namespace damrak::detail

#define DAMRAK_ASSERT(expression)                                                \
    do {                                                                         \
        if (!(expression)) [[unlikely]]                                          \
            ::damrak::detail::assertion_failed(#expression, __FILE__, __LINE__); \
    } while (false)
