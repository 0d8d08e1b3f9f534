#include "encoder.h"

namespace hearth {
namespace {

/** How long a piece should take. A single operation that takes longer cannot be cut. */
constexpr double piece_ms = 5;
/** Until the first measurement. */
constexpr double first_piece_work = 2e8;

double multiplications_of(const ggml_tensor *tensor) {
  const double numbers = static_cast<double>(tensor->ne[0]) * tensor->ne[1] * tensor->ne[2] * tensor->ne[3];
  if (tensor->op == GGML_OP_MUL_MAT || tensor->op == GGML_OP_MUL_MAT_ID) return numbers * tensor->src[0]->ne[0];
  // For each query, its products with all keys and all values.
  if (tensor->op == GGML_OP_FLASH_ATTN_EXT) return 2 * numbers * tensor->src[1]->ne[1];
  return numbers;
}

double milliseconds(std::chrono::steady_clock::duration time) {
  return std::chrono::duration<double, std::milli>(time).count();
}

} // namespace

Encoder::~Encoder() { abandon(); }

bool Encoder::advance(const std::shared_ptr<const void> &task, double most_ms, std::function<void()> work) {
  if (task_ != task) abandon();
  std::unique_lock<std::mutex> lock(mutex_);
  deadline_ = Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double, std::milli>(most_ms));
  is_threads_turn_ = true;
  if (task_ == nullptr) {
    task_ = task;
    is_done_ = is_abandoned_ = false;
    failure_ = nullptr;
    piece_work_ = 0;
    most_piece_work_ = first_piece_work;
    thread_ = std::thread([this, work = std::move(work)] {
      piece_began_ = Clock::now();
      try {
        work();
      } catch (...) {
        failure_ = std::current_exception();
      }
      const std::lock_guard<std::mutex> end(mutex_);
      is_done_ = true;
      is_threads_turn_ = false;
      changed_.notify_all();
    });
  }
  changed_.notify_all();
  changed_.wait(lock, [this] { return !is_threads_turn_; });
  if (!is_done_) return false;
  lock.unlock();
  thread_.join();
  task_ = nullptr;
  if (failure_ != nullptr) std::rethrow_exception(failure_);
  return true;
}

void Encoder::abandon() {
  if (task_ == nullptr) return;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    is_abandoned_ = true;
    is_threads_turn_ = true;
  }
  changed_.notify_all();
  thread_.join();
  task_ = nullptr;
}

bool Encoder::between_pieces(ggml_tensor *tensor, bool is_question, void *encoder) {
  auto *const self = static_cast<Encoder *>(encoder);
  return is_question ? self->is_asked_to_pause(tensor) : self->go_on();
}

/** Whether a piece is to end with `tensor`. Asked of each operation, before it is computed. */
bool Encoder::is_asked_to_pause(const ggml_tensor *tensor) {
  piece_work_ += multiplications_of(tensor);
  return piece_work_ >= most_piece_work_;
}

/** False: the rest is not to be computed. Sleeps until it is the thread's turn. */
bool Encoder::go_on() {
  const auto now = Clock::now();
  const double took_ms = milliseconds(now - piece_began_);
  if (took_ms > 0) most_piece_work_ = (most_piece_work_ + piece_work_ / took_ms * piece_ms) / 2;
  piece_work_ = 0;
  std::unique_lock<std::mutex> lock(mutex_);
  if (now >= deadline_ && !is_abandoned_) {
    is_threads_turn_ = false;
    changed_.notify_all();
    changed_.wait(lock, [this] { return is_threads_turn_; });
  }
  piece_began_ = Clock::now();
  return !is_abandoned_;
}

} // namespace hearth
