// What every command does whose answer from an archived day may miss something: it prints what
// there is, says how far it goes, and exits with 1 unless --partial takes that for an answer. A day
// that is still being written is complete up to its last message, which the command says.
#pragma once

#include <string>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <damrak/archive/completeness.hpp>

#include "cli.hpp"
#include "day_text.hpp"
#include "say.hpp"

namespace damrak::app {

/// `partial` must outlive the parsing.
inline void add_partial(CLI::App& command, bool& partial) {
    command.add_flag("--partial", partial,
                     "exit with 0 even if messages of the day are missing; the answer ends "
                     "before the gap");
}

/// `complete`, and how far the answer goes if that is not the whole.
inline void add_completeness(nlohmann::ordered_json& object,
                             const archive::Completeness& completeness) {
    object["complete"] = completeness.is_complete();
    if (completeness.is_complete() && !completeness.is_being_written) return;
    object["known_until"] = time_text(completeness.known_until_ns);
    if (!completeness.is_complete()) object["missing"] = completeness.missing;
    if (completeness.is_being_written) object["being_written"] = true;
}

/// Says what is missing; returns the exit code.
[[nodiscard]] inline int end_answer(const archive::Completeness& completeness, bool partial) {
    for (const std::string& missing : completeness.missing) say("damrak: {}\n", missing);
    if (!completeness.is_complete())
        say("damrak: the answer is not complete: it is known until {}{}\n",
            time_text(completeness.known_until_ns), partial ? "" : "; --partial takes it as it is");
    else if (completeness.is_being_written)
        say("damrak: note: the day is being written; this is up to {}\n",
            time_text(completeness.known_until_ns));
    return completeness.is_complete() || partial ? k_exit_success : k_exit_failure;
}

}  // namespace damrak::app
