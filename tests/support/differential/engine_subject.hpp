// The real engine as the subject of the differential test.
#pragma once

#include <memory>

#include "support/differential/subject.hpp"
#include "support/reference/reference_engine.hpp"

namespace damrak::differential {

[[nodiscard]] std::unique_ptr<Subject> make_engine_subject(const reference::Settings& settings);

}  // namespace damrak::differential
