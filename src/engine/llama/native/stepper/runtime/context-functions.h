// What JavaScript sees of contexts. ../../context-addon.ts says what each function takes.
#pragma once
#include <node_api.h>

namespace hearth {

void add_context_functions(napi_env env, napi_value exports);

} // namespace hearth
