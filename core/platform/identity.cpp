#include "core/platform/identity.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <nlohmann/json.hpp>
#include <optional>
#include <system_error>
#include <utility>

#include "core/base/fd.h"
#include "core/base/ids.h"
#include "core/wire/json_text.h"

namespace a2h::platform {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr std::size_t kFileBytesMax = 64 * 1024;
constexpr mode_t kOthers = S_IRWXG | S_IRWXO;

std::string reason() {
    return std::generic_category().message(errno);
}

Result<void> check_private(const struct stat& status, const fs::path& path) {
    if (status.st_uid != ::geteuid() && ::geteuid() != 0) {
        return fail(ErrorCode::PermissionDenied,
                    path.string() + " belongs to another user; use that account or another --home");
    }
    if ((status.st_mode & kOthers) != 0) {
        return fail(ErrorCode::PermissionDenied,
                    path.string() + " holds secrets, but other users may open it; run: chmod go= " +
                        path.string());
    }
    return {};
}

/// The protection of a secret from other users.
enum class Guard { OwnMode, Folder };

Result<std::string> read_secret_file(const fs::path& path, Guard guard) {
    const Fd file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW));
    if (file.get() < 0) {
        const ErrorCode code = errno == ENOENT   ? ErrorCode::NotFound
                               : errno == EACCES ? ErrorCode::PermissionDenied
                                                 : ErrorCode::Unavailable;
        return fail(code, "cannot read " + path.string() + ": " + reason());
    }
    struct stat status {};
    if (::fstat(file.get(), &status) != 0 || !S_ISREG(status.st_mode)) {
        return fail(ErrorCode::Corrupt, path.string() + " is not a file");
    }
    if (guard == Guard::OwnMode) A2H_TRY(check_private(status, path));
    std::string content(kFileBytesMax + 1, '\0');
    std::size_t size = 0;
    while (size < content.size()) {
        const ssize_t got = ::read(file.get(), content.data() + size, content.size() - size);
        if (got < 0) {
            return fail(ErrorCode::Unavailable, "cannot read " + path.string() + ": " + reason());
        }
        if (got == 0) break;
        size += static_cast<std::size_t>(got);
    }
    content.resize(size);
    return content;
}

bool write_all(int fd, std::string_view text) {
    while (!text.empty()) {
        const ssize_t wrote = ::write(fd, text.data(), text.size());
        if (wrote < 0) return false;
        text.remove_prefix(static_cast<std::size_t>(wrote));
    }
    return ::fsync(fd) == 0;
}

/// Writes and syncs the content under a temporary name beside `path`.
Result<fs::path> write_draft(const fs::path& path, std::string_view text) {
    const fs::path draft = path.string() + ".new-" + random_hex(4);
    const Fd file(
        ::open(draft.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, S_IRUSR | S_IWUSR));
    if (file.get() >= 0 && write_all(file.get(), text)) return draft;
    const std::string why = reason();
    ::unlink(draft.c_str());
    return fail(ErrorCode::Unavailable, "cannot write " + path.string() + ": " + why);
}

Result<void> sync_folder_of(const fs::path& path) {
    const Fd folder(::open(path.parent_path().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (folder.get() >= 0 && ::fsync(folder.get()) == 0) return {};
    return fail(ErrorCode::Unavailable, "cannot sync " + path.string() + ": " + reason());
}

/// The final name appears only when the content is on the disk, and never replaces another file. So
/// a crash or a second `a2h init` leaves one whole identity.
Result<void> write_new_secret_file(const fs::path& path, std::string_view text) {
    A2H_ASSIGN_OR_RETURN(const auto written, write_draft(path, text));
    const fs::path& draft = written;
    const int linked = ::link(draft.c_str(), path.c_str());
    const int link_error = errno;
    ::unlink(draft.c_str());
    if (linked != 0) {
        const std::string why = std::generic_category().message(link_error);
        return link_error == EEXIST
                   ? fail(ErrorCode::Conflict, path.string() + " exists and was left as it is")
                   : fail(ErrorCode::Unavailable, "cannot write " + path.string() + ": " + why);
    }
    return sync_folder_of(path);
}

/// Reads text members of one file, and remembers the first one that is missing or of another type.
class Members {
  public:
    Members(const json& object, const fs::path& path) : object_(object), path_(path) {}

    std::string required(const char* name) {
        const auto member = object_.find(name);
        if (member != object_.end() && member->is_string() && *member != "") {
            return member->get<std::string>();
        }
        if (!error_) {
            error_ = Error{ErrorCode::Corrupt, path_.string() + ": \"" + name +
                                                   "\" is missing or not a text; restore the file "
                                                   "from a backup"};
        }
        return {};
    }
    /// Absent and empty are treated alike.
    std::string optional(const char* name) {
        const auto member = object_.find(name);
        return member == object_.end() || *member == "" ? std::string() : required(name);
    }
    const std::optional<Error>& error() const { return error_; }

  private:
    const json& object_;
    const fs::path& path_;
    std::optional<Error> error_;
};

Result<json> read_object(const fs::path& path, Guard guard) {
    A2H_ASSIGN_OR_RETURN(auto text, read_secret_file(path, guard));
    auto parsed = wire::parse_json(text, {.bytes_max = kFileBytesMax, .depth_max = 4});
    if (!parsed || !parsed->is_object()) {
        return fail(ErrorCode::Corrupt,
                    path.string() + " is not a JSON object; restore it from a backup");
    }
    return parsed;
}

Result<AgentIdentity> load_agent(const fs::path& path, Guard guard) {
    A2H_ASSIGN_OR_RETURN(auto object, read_object(path, guard));
    Members members(object, path);
    AgentIdentity identity;
    identity.name = members.required("name");
    identity.account.agent_id = members.required("agent_id");
    identity.account.api_base = members.required("api_base");
    identity.account.keys.agent_key = members.required("agent_key");
    identity.account.keys.key_pair.key_id = members.optional("key_id");
    identity.account.keys.key_pair.public_key = members.optional("public_key");
    identity.account.keys.key_pair.secret_key = members.optional("secret_key");
    identity.mqtt_url = members.required("mqtt_url");
    identity.ca_file = members.optional("ca_file");
    if (members.error()) return fail(*members.error());
    const wire::KeyPair& keys = identity.account.keys.key_pair;
    if (keys.secret_key.empty() != keys.public_key.empty() ||
        keys.secret_key.empty() != keys.key_id.empty()) {
        return fail(ErrorCode::Corrupt,
                    path.string() + ": key_id, public_key and secret_key belong together");
    }
    if (!is_agent_id(identity.account.agent_id)) {
        return fail(ErrorCode::Corrupt, path.string() + ": \"agent_id\" is not an agent id");
    }
    if (guard == Guard::OwnMode && path.stem() != identity.account.agent_id) {
        return fail(ErrorCode::Corrupt, path.string() + ": \"agent_id\" is not the file's name");
    }
    return identity;
}

Result<std::vector<AgentIdentity>> load_all(const fs::path& folder, Guard guard,
                                            bool (*is_wanted)(const fs::path& file)) {
    std::error_code failure;
    std::vector<fs::path> files;
    for (fs::directory_iterator entry(folder, failure), end; !failure && entry != end;
         entry.increment(failure)) {
        const fs::path& file = entry->path();
        if (file.extension() == ".json" && is_wanted(file)) files.push_back(file);
    }
    if (failure && failure != std::errc::no_such_file_or_directory) {
        return fail(ErrorCode::PermissionDenied,
                    "cannot read " + folder.string() + ": " + failure.message());
    }
    std::sort(files.begin(), files.end());
    std::vector<AgentIdentity> agents;
    for (const auto& file : files) {
        A2H_ASSIGN_OR_RETURN(auto agent, load_agent(file, guard));
        agents.push_back(std::move(agent));
    }
    return agents;
}

Result<HumanIdentity> read_human(const fs::path& human_file, Guard guard) {
    A2H_ASSIGN_OR_RETURN(auto object, read_object(human_file, guard));
    Members members(object, human_file);
    HumanIdentity human{members.required("pin_hash"), members.required("link_key")};
    if (members.error()) return fail(*members.error());
    const auto people = object.find("people");
    if (people == object.end()) return human;
    if (!people->is_object())
        return fail(ErrorCode::Corrupt, human_file.string() + ": \"people\" is not an object");
    Members others(*people, human_file);
    for (const auto& [name, hash] : people->items())
        human.people[name] = others.required(name.c_str());
    if (others.error()) return fail(*others.error());
    return human;
}

std::string file_text_of(const HumanIdentity& human) {
    json object = {{"pin_hash", human.pin_hash}, {"link_key", human.link_key}};
    if (!human.people.empty()) object["people"] = human.people;
    return object.dump(2) + "\n";
}

}  // namespace

Result<void> make_private_folder(const fs::path& folder) {
    std::error_code failure;
    if (folder.has_parent_path()) fs::create_directories(folder.parent_path(), failure);
    if (!failure && ::mkdir(folder.c_str(), S_IRWXU) == 0) return {};
    struct stat status {};
    if (failure || ::stat(folder.c_str(), &status) != 0 || !S_ISDIR(status.st_mode)) {
        return fail(ErrorCode::Unavailable, "cannot create the folder " + folder.string() + ": " +
                                                (failure ? failure.message() : reason()));
    }
    return check_private(status, folder);
}

Result<std::vector<AgentIdentity>> load_agents(const fs::path& agents_dir) {
    return load_all(agents_dir, Guard::OwnMode, [](const fs::path&) { return true; });
}

Result<std::vector<AgentIdentity>> load_agent_credentials(const fs::path& folder) {
    auto agents = load_all(folder, Guard::Folder, [](const fs::path& file) {
        const std::string name = file.filename();
        return name == "agent.json" || name.starts_with("agents_");
    });
    if (!agents) return agents;
    std::sort(agents->begin(), agents->end(), [](const auto& left, const auto& right) {
        return left.account.agent_id < right.account.agent_id;
    });
    return agents;
}

Result<void> save_new_agent(const fs::path& agents_dir, const AgentIdentity& identity) {
    const Account& account = identity.account;
    if (!is_agent_id(account.agent_id)) {
        return fail(ErrorCode::InvalidArgument, "not an agent id: " + account.agent_id);
    }
    json object = {{"agent_id", account.agent_id},
                   {"name", identity.name},
                   {"agent_key", account.keys.agent_key},
                   {"key_id", account.keys.key_pair.key_id},
                   {"public_key", account.keys.key_pair.public_key},
                   {"secret_key", account.keys.key_pair.secret_key},
                   {"api_base", account.api_base},
                   {"mqtt_url", identity.mqtt_url}};
    if (!identity.ca_file.empty()) object["ca_file"] = identity.ca_file;
    return write_new_secret_file(agents_dir / (account.agent_id + ".json"),
                                 object.dump(2, ' ', false, json::error_handler_t::replace) + "\n");
}

Result<HumanIdentity> load_human(const fs::path& human_file) {
    return read_human(human_file, Guard::OwnMode);
}

Result<HumanIdentity> load_human_credential(const fs::path& folder) {
    return read_human(folder / "human.json", Guard::Folder);
}

Result<void> save_new_human(const fs::path& human_file, const HumanIdentity& human) {
    return write_new_secret_file(human_file, file_text_of(human));
}

Result<void> replace_human(const fs::path& human_file, const HumanIdentity& human) {
    A2H_ASSIGN_OR_RETURN(const auto draft, write_draft(human_file, file_text_of(human)));
    if (::rename(draft.c_str(), human_file.c_str()) == 0) return sync_folder_of(human_file);
    const std::string why = reason();
    ::unlink(draft.c_str());
    return fail(ErrorCode::Unavailable, "cannot write " + human_file.string() + ": " + why);
}

}  // namespace a2h::platform
