#include "thread-pools.h"

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
      // They look out for the next step for two or three milliseconds, which is the time between two steps: to wake them
      // for each one takes longer. More would take the cores from everything else.
      options.poll = 1;
      known = api_.ggml_threadpool_new(&options);
    }
    pool = known;
  }
  api_.llama_attach_threadpool(context, pool, pool);
}

} // namespace hearth
