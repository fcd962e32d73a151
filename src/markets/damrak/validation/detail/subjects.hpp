// What is validated, as functions that stand between the checks and the product. Tests replace one
// by a faulty one and see that a check fails. Everything has its real default.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string_view>

#include <damrak/market_kernel/market_setup.hpp>
#include <damrak/measures/measures.hpp>
#include <damrak/participants/kind.hpp>
#include <damrak/views/public_change.hpp>

namespace damrak::validation {

struct Subjects {
    /// A number of (0, 1).
    std::function<double(market_kernel::Draws&)> uniform;
    /// Makes a participant of a kind for instrument 1.
    std::function<std::unique_ptr<market_kernel::Participant>(
        std::string_view kind, const participants::ParameterValues& values)>
        participant;
    /// The connection that a participant gets, for the one that a check asks for.
    std::function<market_kernel::Connection(const market_kernel::Connection&)> connection;
    /// All measures of a day.
    std::function<measures::Results(std::span<const views::PublicChange>,
                                    const measures::Settings&)>
        measure;
};

[[nodiscard]] Subjects real_subjects();

}  // namespace damrak::validation
