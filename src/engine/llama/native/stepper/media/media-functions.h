// What JavaScript sees of projectors and media. ../../projector.ts says what each function takes.
#pragma once
#include <node_api.h>

namespace hearth {

void add_media_functions(napi_env env, napi_value exports);

} // namespace hearth
