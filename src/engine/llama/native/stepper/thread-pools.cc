#include "thread-pools.h"

#include <cstdlib>

namespace hearth {

ThreadPools::~ThreadPools() {
  for (const auto &[size, pool] : by_size_) api_.ggml_threadpool_free(pool);
}

void ThreadPools::attach_to(llama_context *context) {
  const int threads = api_.llama_n_threads(context);
  ggml_threadpool_t pool = nullptr;
  if (threads > 1) {
    ggml_threadpool_t &known = by_size_[threads];
    if (known == nullptr) {
      ggml_threadpool_params options = api_.ggml_threadpool_params_default(threads);
      const char *poll = std::getenv("HEARTH_POLL");
      options.poll = poll == nullptr ? 0 : std::atoi(poll);
      known = api_.ggml_threadpool_new(&options);
    }
    pool = known;
  }
  api_.llama_attach_threadpool(context, pool, pool);
}

} // namespace hearth
