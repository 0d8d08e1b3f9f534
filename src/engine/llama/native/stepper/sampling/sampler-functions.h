// What JavaScript sees of samplers.
#pragma once
#include <node_api.h>

#include "handles.h"
#include "step-sampler.h"

namespace hearth {

template <>
inline const napi_type_tag handle_tag<StepSampler> = {0x6865617274687374, 2};

void add_sampler_functions(napi_env env, napi_value exports);

} // namespace hearth
