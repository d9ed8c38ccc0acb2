// SPDX-License-Identifier: MIT
// What the git work tree around a directory says: whether it is clean, and how a file was at the last tag.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace census {

/// The state of the work tree around `directory`, the files of the directory itself and untracked ones apart.
struct WorkTree {
  bool known = false;  ///< false: no git, or no work tree; `why` says which
  bool dirty = false;
  std::string why;  ///< unknown: the reason; dirty: the first changed path
};
[[nodiscard]] WorkTree work_tree(const std::filesystem::path& directory);

/// The newest tag that the checked-out commit descends from; nullopt when there is none.
[[nodiscard]] std::optional<std::string> last_tag(const std::filesystem::path& directory);

/// The commit that a tag, branch or other name means; nullopt for none.
[[nodiscard]] std::optional<std::string> commit_of(const std::filesystem::path& directory,
                                                   const std::string& name);

/// The text of directory/name as of the tag or commit; nullopt when it was not there.
[[nodiscard]] std::optional<std::string> file_at_tag(const std::filesystem::path& directory,
                                                     const std::string& tag, const std::string& name);

}  // namespace census
