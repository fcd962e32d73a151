// Reasons for session-level rejects: SessionRejectReason (373) of the Reject message, with codes
// and texts of the FIX specification (FIX.4.2 to FIXT.1.1, field 373).
#pragma once

#include <cstdint>
#include <string_view>

namespace damrak::fix_codec {

enum class SessionRejectReason : std::uint8_t {
    invalid_tag_number = 0,
    required_tag_missing = 1,
    tag_not_defined_for_message_type = 2,
    undefined_tag = 3,
    tag_without_value = 4,
    value_incorrect = 5,
    incorrect_data_format = 6,
    decryption_problem = 7,
    signature_problem = 8,
    comp_id_problem = 9,
    sending_time_accuracy_problem = 10,
    invalid_msg_type = 11,
    xml_validation_error = 12,
    tag_appears_more_than_once = 13,
    tag_out_of_order = 14,
    group_fields_out_of_order = 15,
    incorrect_group_count = 16,
    value_includes_delimiter = 17,
    other = 99,
};

/// The content of Text (58): "Required tag missing".
[[nodiscard]] std::string_view text(SessionRejectReason reason);

}  // namespace damrak::fix_codec
