#include <damrak/fix_codec/reject_reason.hpp>

namespace damrak::fix_codec {

std::string_view text(SessionRejectReason reason) {
    using enum SessionRejectReason;
    switch (reason) {
        case invalid_tag_number:
            return "Invalid tag number";
        case required_tag_missing:
            return "Required tag missing";
        case tag_not_defined_for_message_type:
            return "Tag not defined for this message type";
        case undefined_tag:
            return "Undefined Tag";
        case tag_without_value:
            return "Tag specified without a value";
        case value_incorrect:
            return "Value is incorrect (out of range) for this tag";
        case incorrect_data_format:
            return "Incorrect data format for value";
        case decryption_problem:
            return "Decryption problem";
        case signature_problem:
            return "Signature problem";
        case comp_id_problem:
            return "CompID problem";
        case sending_time_accuracy_problem:
            return "SendingTime accuracy problem";
        case invalid_msg_type:
            return "Invalid MsgType";
        case xml_validation_error:
            return "XML validation error";
        case tag_appears_more_than_once:
            return "Tag appears more than once";
        case tag_out_of_order:
            return "Tag specified out of required order";
        case group_fields_out_of_order:
            return "Repeating group fields out of order";
        case incorrect_group_count:
            return "Incorrect NumInGroup count for repeating group";
        case value_includes_delimiter:
            return "Non \"data\" value includes field delimiter";
        case other:
            return "Other";
    }
    return "Other";
}

}  // namespace damrak::fix_codec
