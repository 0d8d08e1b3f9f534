// Has libmtmd compute in slices: encoding a picture may take seconds, for which streams of text must not wait.
#pragma once
#include <chrono>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>

#include "mtmd-api.h"

namespace hearth {

/**
 * Does one task at a time on a thread of its own, which computes only while `advance` waits for it: so it never
 * computes at the same time as a step. The library asks after each piece of a graph whether to go on; there the thread
 * sleeps until it is its turn again.
 */
class Encoder {
public:
  Encoder() = default;
  ~Encoder();
  Encoder(const Encoder &) = delete;
  Encoder &operator=(const Encoder &) = delete;

  /** To be given to the library, with this object, as its callback. */
  static bool between_pieces(ggml_tensor *tensor, bool is_question, void *encoder);

  /**
   * True once `task` is done; `work` does it in one go. Computes for about `most_ms`. What was begun of another task is
   * dropped. Throws what `work` throws.
   */
  bool advance(const std::shared_ptr<const void> &task, double most_ms, std::function<void()> work);

  /** Drops what was begun. */
  void abandon();

private:
  using Clock = std::chrono::steady_clock;
  bool is_asked_to_pause(const ggml_tensor *tensor);
  bool go_on();

  std::thread thread_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::shared_ptr<const void> task_;
  /** Whose turn it is: the thread's, or that of whoever calls `advance`. */
  bool is_threads_turn_ = false;
  bool is_done_ = false;
  bool is_abandoned_ = false;
  std::exception_ptr failure_;
  Clock::time_point deadline_;
  Clock::time_point piece_began_;
  /** Multiplications since the last piece ended, and how many make a piece. */
  double piece_work_ = 0;
  double most_piece_work_;
};

} // namespace hearth
