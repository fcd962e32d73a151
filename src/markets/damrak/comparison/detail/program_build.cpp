#include <damrak/comparison/detail/program_build.hpp>

#include <cstddef>
#include <cstring>
#include <span>

#include <elf.h>
#include <fmt/format.h>
#include <link.h>

namespace damrak::comparison::detail {
namespace {

std::size_t padded(std::size_t size) { return (size + 3) / 4 * 4; }

std::string build_of(std::span<const std::byte> notes) {
    while (notes.size() >= sizeof(ElfW(Nhdr))) {
        ElfW(Nhdr) note{};
        std::memcpy(&note, notes.data(), sizeof note);
        const std::size_t at = sizeof note + padded(note.n_namesz);
        if (at + note.n_descsz > notes.size()) break;
        if (note.n_type == NT_GNU_BUILD_ID) {
            std::string text;
            for (const std::byte byte : notes.subspan(at, note.n_descsz))
                text += fmt::format("{:02x}", std::to_integer<unsigned>(byte));
            return text;
        }
        notes = notes.subspan(std::min(notes.size(), at + padded(note.n_descsz)));
    }
    return {};
}

// The first object is the program itself.
int visit(dl_phdr_info* object, std::size_t /*size*/, void* result) {
    for (const ElfW(Phdr) & header : std::span{object->dlpi_phdr, object->dlpi_phnum}) {
        if (header.p_type != PT_NOTE) continue;
        // The loader says where its own segments are, as a number.
        const auto* const begin = reinterpret_cast<const std::byte*>(  // NOLINT
            object->dlpi_addr + header.p_vaddr);
        std::string build = build_of({begin, header.p_memsz});
        if (!build.empty()) *static_cast<std::string*>(result) = std::move(build);
    }
    return 1;
}

}  // namespace

std::string program_build() {
    std::string build;
    ::dl_iterate_phdr(visit, &build);
    return build;
}

}  // namespace damrak::comparison::detail
