// SPDX-License-Identifier: MIT
// Functions of a library that is opened at run time. Private.
#pragma once

#include <dlfcn.h>

namespace census {

/// Sets `function` to the library's function of this name, to nullptr where it has none.
template <class Function>
void load_symbol(void* library, const char* name, Function*& function) {
  function = reinterpret_cast<Function*>(dlsym(library, name));
}

}  // namespace census
