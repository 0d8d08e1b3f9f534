// What all contexts of a process share.
#pragma once
#include "crew.h"
#include "llama-api.h"
#include "thread-pools.h"

namespace hearth {

struct Machine {
  explicit Machine(const LlamaApi &found) : api(found), pools(api) {}
  const LlamaApi api;
  ThreadPools pools;
  Crew crew;
};

} // namespace hearth
