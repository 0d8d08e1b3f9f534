#include "crew.h"

#include <algorithm>

namespace hearth {

Crew::~Crew() {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    is_closed_ = true;
  }
  begun_.notify_all();
  for (std::thread &helper : helpers_) helper.join();
}

void Crew::run(int count, int threads, const std::function<void(int)> &part) {
  const int helpers = std::min(threads, count) - 1;
  if (helpers <= 0) {
    for (int at = 0; at < count; at++) part(at);
    return;
  }
  std::unique_lock<std::mutex> lock(mutex_);
  while (static_cast<int>(helpers_.size()) < helpers)
    helpers_.emplace_back([this, index = static_cast<int>(helpers_.size())] { help(index); });
  part_ = &part;
  wanted_helpers_ = helpers;
  next_ = 0;
  done_ = 0;
  count_ = count;
  begun_.notify_all();
  do_parts(part, lock);
  ended_.wait(lock, [this] { return done_ == count_; });
  part_ = nullptr;
}

void Crew::help(int index) {
  std::unique_lock<std::mutex> lock(mutex_);
  while (true) {
    begun_.wait(lock, [&] { return is_closed_ || (part_ != nullptr && index < wanted_helpers_ && next_ < count_); });
    if (is_closed_) return;
    do_parts(*part_, lock);
  }
}

void Crew::do_parts(const std::function<void(int)> &part, std::unique_lock<std::mutex> &lock) {
  while (next_ < count_) {
    const int at = next_++;
    lock.unlock();
    part(at);
    lock.lock();
    if (++done_ == count_) ended_.notify_one();
  }
}

} // namespace hearth
