#include <damrak/engine/engine.hpp>

namespace damrak {

Command continuation_of(const Command& command) {
    switch (command.kind) {
        // Done again, these go on with what the first time has left.
        case CommandKind::mass_cancel:
        case CommandKind::set_participant_state:
        case CommandKind::tick:
        case CommandKind::end_day:
            return command;
        default:
            break;
    }
    Command next{};
    next.kind = CommandKind::continue_cascade;
    next.instrument = command.instrument;
    next.timestamp = command.timestamp;
    return next;
}

}  // namespace damrak
