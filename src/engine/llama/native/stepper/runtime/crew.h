#pragma once
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace hearth {

/** Threads that do the parts of one task together with the thread that asks for it. They sleep in between. */
class Crew {
public:
  Crew() = default;
  ~Crew();
  Crew(const Crew &) = delete;
  Crew &operator=(const Crew &) = delete;

  /** Does `part(0)` to `part(count - 1)` with up to `threads` threads; they must not throw. Returns when all are done. */
  void run(int count, int threads, const std::function<void(int)> &part);

private:
  void help(int index);
  void do_parts(const std::function<void(int)> &part, std::unique_lock<std::mutex> &lock);

  std::mutex mutex_;
  std::condition_variable begun_;
  std::condition_variable ended_;
  std::vector<std::thread> helpers_;
  const std::function<void(int)> *part_ = nullptr;
  int wanted_helpers_ = 0;
  int next_ = 0;
  int count_ = 0;
  int done_ = 0;
  bool is_closed_ = false;
};

} // namespace hearth
