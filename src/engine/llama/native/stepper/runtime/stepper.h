// One context and what is done with it on the worker's thread.
#pragma once
#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
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

/** Of each draw the numbers that tell of its tokens. */
using Drawn = std::vector<std::vector<double>>;

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
   * Goes on by itself with steps that compute the tokens drawn, each part with the draw at its place, until a draw makes
   * no token or one that ends an answer, after `most_steps` steps, upon `hold`, or where `may_go_on` says no. `tell` hears
   * of all steps but the last, which is given; nothing where that could not be computed.
   * Throws std::runtime_error when the batch cannot be decoded.
   */
  Drawn run(Batch batch, std::vector<Draw> draws, int most_steps, const std::function<void(Drawn)> &tell,
            const std::function<bool()> &may_go_on);
  /** From JavaScript's thread: before `run`, and to end it after the step under way. */
  void begin_run() { is_held_ = false; }
  void hold() { is_held_ = true; }
  Drawn logprobs(const std::vector<Question> &questions);

  /** The grammar after the tokens `begun`; none where these do not fit. Throws where it cannot be parsed. */
  std::shared_ptr<Grammar> begin_grammar(const std::string &gbnf, const std::vector<int> &begun);

private:
  Drawn step(const Batch &batch, const std::vector<Draw> &draws);
  /** Whether the next step follows from what was drawn. */
  bool is_plain(const Batch &batch, const std::vector<Draw> &draws, const Drawn &drawn) const;
  Logits logits_at(int index) const;
  int threads_for(size_t rows) const;
  const TokenTree &tree();

  std::shared_ptr<Context> context_;
  int vocabulary_size_;
  std::atomic<bool> is_held_{false};
  /** Several threads may want the tree for the first time at once. */
  std::once_flag tree_begun_;
  std::unique_ptr<TokenTree> tree_;
  std::once_flag bytes_found_;
  ByteTokens byte_tokens_;
};

} // namespace hearth
