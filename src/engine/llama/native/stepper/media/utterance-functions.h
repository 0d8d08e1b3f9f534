// What JavaScript sees of utterances. ../../projector.ts says what each function takes.
#pragma once
#include <node_api.h>

namespace hearth {

void add_utterance_functions(napi_env env, napi_value exports);

} // namespace hearth
