// What all contexts of a process share.
#pragma once
#include <atomic>

#include "crew.h"
#include "llama-api.h"
#include "thread-pools.h"

namespace hearth {

struct Machine {
  explicit Machine(const LlamaApi &found) : api(found), pools(api) {}
  const LlamaApi api;
  ThreadPools pools;
  Crew crew;
  /** True: the decoding under way is given up. */
  std::atomic<bool> is_ending{false};
};

} // namespace hearth
