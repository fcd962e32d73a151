// Checks the values of a message whose shape a dictionary has already validated: only they can be
// wrong.
#pragma once

#include <damrak/fix_codec/detail/dictionary_tables.hpp>
#include <damrak/fix_codec/detail/shape.hpp>
#include <damrak/fix_codec/message.hpp>

namespace damrak::fix_codec::detail {

/// Sorts the checks of a shape into the order of has_right_values(), after a valid message.
void sort_checks(const Message& message, Shape& shape);

/// Uses the checks of the shape, or the result of the comparison with its layout. Updates the
/// bounds of the layout now and then.
[[nodiscard]] bool has_right_values(const DictionaryTables& tables, const Message& message,
                                    Shape& shape);

}  // namespace damrak::fix_codec::detail
