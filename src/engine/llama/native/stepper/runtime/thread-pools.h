#pragma once
#include <map>

#include "llama-api.h"

namespace hearth {

/**
 * Threads that compute, one pool for each number of threads that a context wants, shared by all contexts. Without a pool
 * llama.cpp makes its threads anew for every step. A pool that is not in use sleeps. Used on the worker's thread only.
 */
class ThreadPools {
public:
  explicit ThreadPools(const LlamaApi &api) : api_(api) {}
  ~ThreadPools();
  ThreadPools(const ThreadPools &) = delete;
  ThreadPools &operator=(const ThreadPools &) = delete;

  /** Gives the context the pool for as many threads as it wants now. */
  void attach_to(llama_context *context);

private:
  const LlamaApi &api_;
  /** None is freed before the end: a context may still point to one that it had before. */
  std::map<int, ggml_threadpool_t> by_size_;
};

} // namespace hearth
