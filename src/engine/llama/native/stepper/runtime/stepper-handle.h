#pragma once
#include "handles.h"
#include "stepper.h"

namespace hearth {

template <>
inline const napi_type_tag handle_tag<Stepper> = {0x6865617274687374, 1};

} // namespace hearth
