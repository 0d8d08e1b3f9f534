// The one thread on which llama.cpp computes for this addon, so that steps of several models never fight for the cores
// and never wait for what else Node.js has its own threads do, such as the loading of a model.
#pragma once
#include <node_api.h>

#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <thread>

#include "job.h"

namespace hearth {

using Task = std::function<void(napi_env)>;

class Worker {
public:
  /** A worker that lives until JavaScript ends. */
  static Worker *create(napi_env env) { return new Worker(env); }
  Worker(const Worker &) = delete;
  Worker &operator=(const Worker &) = delete;

  /** A promise of what `work` gives. It is done after all that was started before. */
  napi_value start(napi_env env, Work work);

  /** From a job: does `task` on JavaScript's thread before the job is settled. */
  void post(Task task);
  /** From a job: another one waits for its end. */
  bool has_waiting();

  /** Returns when nothing is done any more: the job of this moment has ended, and no other one will begin. */
  void stop();

private:
  explicit Worker(napi_env env);
  ~Worker() { stop(); }
  void run();
  static void end(napi_env env, void *worker, void *hint);
  static void call(napi_env env, napi_value, void *, void *task);

  napi_threadsafe_function finished_ = nullptr;
  /** Jobs that are not settled yet: while there are some, Node.js must not end. Used on JavaScript's thread only. */
  int unsettled_ = 0;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::unique_ptr<Job>> waiting_;
  bool is_closed_ = false;
  std::thread thread_;
};

} // namespace hearth
