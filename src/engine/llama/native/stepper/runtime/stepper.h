// One context and what is done with it on the worker's thread.
#pragma once
#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "context.h"
#include "step-sampler.h"
#include "token-tree.h"

namespace hearth {

/** A token to draw by the logits at `logit_index` of the batch, and more as long as the draft is what is drawn. */
struct Draw {
  int logit_index;
  std::shared_ptr<StepSampler> sampler;
  /** How many log-probabilities are wanted besides the token's own; -1: not even that. */
  int alternatives;
  /** Guesses of the tokens to be drawn. They follow in the batch, with logits after each. */
  std::vector<int> draft;
};

/** A token whose log-probability is wanted by the logits at `logit_index` of the batch that was decoded last. */
struct Question {
  int logit_index;
  int token;
  int alternatives;
};

/**
 * Makes a draw that took too long for its step, and tells of it what the step would have told. On any thread: neither the
 * context nor the logits that were computed last are looked at.
 */
std::vector<double> finish(const Draw &draw);

class Stepper {
public:
  explicit Stepper(std::shared_ptr<Context> context);

  Context &context() const { return *context_; }
  int vocabulary_size() const { return vocabulary_size_; }

  /**
   * Decodes the batch, then for each draw gives the token, which its sampler has accepted, and what `logprobs_of` tells
   * of it; or why there is none. What takes too long for the step can go on by `finish`. While the token is the one that
   * the draft has, the same of the next one follows.
   * Throws std::runtime_error when the batch cannot be decoded.
   */
  std::vector<std::vector<double>> step(const Batch &batch, const std::vector<Draw> &draws);
  /**
   * The step after the last one, with the same sequences and draws: computes the token that each draw made there. Gives
   * what `step` gives; nothing, and computes nothing, where the last one made another number of tokens, or after
   * `cancel_next`.
   */
  std::vector<std::vector<double>> next_step();
  /** As `Context::reshape`. No step follows the last one by itself any more. */
  bool reshape(uint32_t cells, bool is_unified) {
    next_.reset();
    return context_->reshape(cells, is_unified);
  }
  /** From JavaScript's thread: when `next_step` is asked for, and when it is not wanted any more unless it has begun. */
  void expect_next() { is_next_wanted_ = true; }
  void cancel_next() { is_next_wanted_ = false; }
  std::vector<std::vector<double>> logprobs(const std::vector<Question> &questions);

  /** The grammar after the tokens `begun`; none where these do not fit. Throws where it cannot be parsed. */
  std::shared_ptr<Grammar> begin_grammar(const std::string &gbnf, const std::vector<int> &begun);

private:
  struct Planned {
    Batch batch;
    std::vector<Draw> draws;
  };

  static std::optional<Planned> plan_next(const Batch &batch, const std::vector<Draw> &draws,
                                          const std::vector<std::vector<double>> &drawn);
  Logits logits_at(int index) const;
  int threads_for(size_t rows) const;
  const TokenTree &tree();

  std::shared_ptr<Context> context_;
  int vocabulary_size_;
  std::optional<Planned> next_;
  std::atomic<bool> is_next_wanted_{false};
  /** Several threads may want the tree for the first time at once. */
  std::once_flag tree_begun_;
  std::unique_ptr<TokenTree> tree_;
  std::once_flag bytes_found_;
  ByteTokens byte_tokens_;
};

} // namespace hearth
