#include "worker.h"

namespace hearth {

Worker::Worker(napi_env env) {
  napi_value name;
  check(napi_create_string_utf8(env, "stepper", NAPI_AUTO_LENGTH, &name), "name");
  check(napi_create_threadsafe_function(env, nullptr, nullptr, name, 0, 1, this, end, this, call, &finished_),
        "thread");
  napi_unref_threadsafe_function(env, finished_);
  thread_ = std::thread([this] { run(); });
}

void Worker::stop() {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    is_closed_ = true;
    waiting_.clear();
  }
  changed_.notify_all();
  if (thread_.joinable()) thread_.join();
}

/**
 * Node.js calls this when it takes `finished_` away, before anything else of this addon is taken away: only here is it
 * known that nobody may touch it any more.
 */
void Worker::end(napi_env, void *worker, void *) { delete static_cast<Worker *>(worker); }

napi_value Worker::start(napi_env env, Work work) {
  auto job = std::make_unique<Job>();
  job->work = std::move(work);
  napi_value promise;
  check(napi_create_promise(env, &job->deferred, &promise), "promise");
  if (unsettled_++ == 0) napi_ref_threadsafe_function(env, finished_);
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    waiting_.push_back(std::move(job));
  }
  changed_.notify_all();
  return promise;
}

void Worker::run() {
  while (true) {
    std::unique_ptr<Job> job;
    {
      std::unique_lock<std::mutex> lock(mutex_);
      changed_.wait(lock, [this] { return is_closed_ || !waiting_.empty(); });
      if (is_closed_) return;
      job = std::move(waiting_.front());
      waiting_.pop_front();
    }
    job->run();
    post([this, job = std::shared_ptr<Job>(std::move(job))](napi_env env) {
      if (--unsettled_ == 0) napi_unref_threadsafe_function(env, finished_);
      job->settle(env);
    });
  }
}

void Worker::post(Task task) {
  auto *const posted = new Task(std::move(task)); // call() owns it.
  // Where JavaScript is ending, the function must not be touched any more.
  if (napi_call_threadsafe_function(finished_, posted, napi_tsfn_blocking) == napi_ok) return;
  delete posted;
  const std::lock_guard<std::mutex> lock(mutex_);
  is_closed_ = true;
}

bool Worker::has_waiting() {
  const std::lock_guard<std::mutex> lock(mutex_);
  return is_closed_ || !waiting_.empty();
}

/** `env` is null where JavaScript has ended meanwhile. */
void Worker::call(napi_env env, napi_value, void *, void *data) {
  const std::unique_ptr<Task> task(static_cast<Task *>(data));
  if (env == nullptr) return;
  try {
    (*task)(env);
  } catch (const BadArgument &) {
    // So it is while JavaScript ends.
  }
}

} // namespace hearth
