// Which descriptors of the process clients may have: all but the last ones, so that no number of
// clients keeps it from opening the files of its journal, stores and feeds. A new descriptor is the
// lowest free one, so a client whose descriptor is below the bound leaves those above it to files.
// Of the process, as descriptors are; any thread.
#pragma once

#include <cstdint>
#include <expected>
#include <string>

namespace damrak::net {

/// Raises the limit of open files of the process to `wanted`, as far as the system allows. Returns
/// what it is then, which may be more.
std::uint64_t raise_descriptor_limit(std::uint64_t wanted);

/// Raises the limit of open files to `clients` + `files`, as far as the system allows, and keeps
/// `files` from clients. What is wrong if fewer than `least` are left to them. Once, before any are
/// served.
[[nodiscard]] std::expected<void, std::string> divide_descriptors(int clients, int files,
                                                                  int least);

/// Whether a client may keep this one. Always, if they were not divided.
[[nodiscard]] bool is_for_client(int descriptor);

/// The descriptors that are in use, as far as clients are concerned, and those that they may have:
/// what a client gets next, and the bound. Makes a descriptor and closes it.
struct ClientDescriptors {
    int used = 0;
    int capacity = 0;
    bool is_limited = false;  ///< they were divided
};
[[nodiscard]] ClientDescriptors client_descriptors();

}  // namespace damrak::net
