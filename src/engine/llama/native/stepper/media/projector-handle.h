#pragma once
#include "handles.h"
#include "projector.h"

namespace hearth {

template <>
inline const napi_type_tag handle_tag<Projector> = {0x6865617274687374, 4};
template <>
inline const napi_type_tag handle_tag<Medium> = {0x6865617274687374, 5};

} // namespace hearth
