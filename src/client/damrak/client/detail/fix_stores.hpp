// File stores for the messages and numbers of a FIX client or acceptor, so that they survive a
// restart: one folder per session below `folder`. Called at start, and for an acceptor's new
// sessions.
#pragma once

#include <expected>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>

#include <damrak/session/fix/message_store.hpp>
#include <damrak/session/fix/settings.hpp>

namespace damrak::client {

/// Sixteen megabytes per file and four files suffice for a client; an exchange uses more.
inline constexpr session::fix::StoreSettings k_client_store{
    .file_bytes = std::uint64_t{16} << 20U, .retained_bytes = std::uint64_t{48} << 20U};

using FixStores =
    std::function<std::expected<std::unique_ptr<session::fix::MessageStore>, std::string>(
        const session::fix::SessionName& name, Timestamp now)>;
[[nodiscard]] FixStores fix_stores_in(std::filesystem::path folder,
                                      session::fix::StoreSettings settings = k_client_store);

}  // namespace damrak::client
