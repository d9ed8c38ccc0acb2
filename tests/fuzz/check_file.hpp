// SPDX-License-Identifier: MIT
// What holds for every text that a file may contain, whoever wrote it.
#pragma once

#include <string>

namespace census_fuzz {

/// Reads the text as every file that the gate reads. Each reader takes it, and what it took can be judged,
/// and written so that it reads back the same; or refuses it with one line that names the file and the way
/// out. Throws std::logic_error otherwise, or whatever a reader let through.
void check_file(const std::string& text);

}  // namespace census_fuzz
