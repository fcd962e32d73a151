#include <damrak/client/detail/fix_stores.hpp>

#include <utility>

#include <damrak/journal/file_system.hpp>
#include <damrak/session/fix/directory.hpp>

namespace damrak::client {

FixStores fix_stores_in(std::filesystem::path folder, session::fix::StoreSettings settings) {
    return [folder = std::move(folder), settings](const session::fix::SessionName& name,
                                                  Timestamp now) {
        return session::fix::MessageStore::open(
            journal::real_files(), folder / session::fix::folder_name(name), settings, now);
    };
}

}  // namespace damrak::client
