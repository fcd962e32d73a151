// The values of a message whose shape a dictionary has judged: all that may be wrong with it.
#pragma once

#include <damrak/fix_codec/detail/dictionary_tables.hpp>
#include <damrak/fix_codec/detail/shape.hpp>
#include <damrak/fix_codec/message.hpp>

namespace damrak::fix_codec::detail {

/// Puts what is to be looked at into the order of has_right_values(), after a message with nothing
/// wrong.
void sort_checks(const Message& message, Shape& shape);

/// By the checks of the shape, or by what the comparison with its layout has told already. Sets the
/// bounds of the layout now and then.
[[nodiscard]] bool has_right_values(const DictionaryTables& tables, const Message& message,
                                    Shape& shape);

}  // namespace damrak::fix_codec::detail
