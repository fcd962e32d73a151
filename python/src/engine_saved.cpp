// An engine as bytes: a head that says what they are, and the state as it lies in memory.
#include <array>
#include <cstdint>
#include <cstring>
#include <span>

#include <damrak/base/crc32c.hpp>
#include <damrak/base/serialize.hpp>

#include "engine.hpp"
#include "errors.hpp"

namespace damrak::python {

namespace {

struct Head {
    std::array<char, 8> magic{'d', 'a', 'm', 'r', 'a', 'k', 'e', '1'};
    std::uint32_t rules = k_rules_version;
    std::uint32_t layout = Engine::state_layout();
    std::uint32_t checksum = 0;  ///< of what follows
    std::uint32_t zero = 0;
    std::uint64_t last_id = 0;
    std::uint64_t hash = 0;
};

}  // namespace

std::vector<std::byte> EngineOfPython::save() const {
    const std::vector<std::byte> state = saved_bytes(
        [&](auto& archive) { venue::VenueRun::transfer(std::as_const(*run_), archive); });
    Head head{.checksum = crc32c(state), .last_id = last_id_, .hash = engine().state_hash()};
    std::vector<std::byte> bytes(sizeof head);
    std::memcpy(bytes.data(), &head, sizeof head);
    bytes.insert(bytes.end(), state.begin(), state.end());
    return bytes;
}

void EngineOfPython::load(std::span<const std::byte> bytes) {
    Head head;
    const Head expected;
    if (bytes.size() < sizeof head || std::memcmp(bytes.data(), &expected.magic, 8) != 0)
        throw OrderError{"these are not the bytes of a saved engine"};
    std::memcpy(&head, bytes.data(), sizeof head);
    const auto state = bytes.subspan(sizeof head);
    if (head.rules != expected.rules || head.layout != expected.layout)
        throw OrderError{
            "the engine was saved by another version of damrak: load it with that version"};
    if (crc32c(state) != head.checksum)
        throw OrderError{"the bytes of the saved engine are damaged"};
    LoadArchive archive{state};
    venue::VenueRun::transfer(*run_, archive);
    if (!archive.complete() || engine().state_hash() != head.hash)
        throw OrderError{"the bytes of the saved engine are not complete"};
    run_->go_on_from_state();
    is_new_ = false;
    last_id_ = head.last_id;
    now_ = run_->now().value;
    look_at_market();
}

}  // namespace damrak::python
