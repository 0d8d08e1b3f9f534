// One context and what is done with it on the worker's thread.
#pragma once
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "crew.h"
#include "opened-context.h"
#include "step-sampler.h"
#include "token-tree.h"
#include "thread-pools.h"

namespace hearth {

/** What all contexts of a process share. */
struct Machine {
  explicit Machine(const LlamaApi &found) : api(found), pools(api) {}
  const LlamaApi api;
  ThreadPools pools;
  Crew crew;
};

/** A token to draw by the logits at `logit_index` of the batch. */
struct Draw {
  int logit_index;
  std::shared_ptr<StepSampler> sampler;
  /** How many log-probabilities are wanted besides the token's own; -1: not even that. */
  int alternatives;
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
  Stepper(std::shared_ptr<Machine> machine, const OpenedContext &opened);

  int vocabulary_size() const { return opened_.vocabulary_size; }

  /**
   * Decodes the batch, then for each draw gives the token, which its sampler has accepted, and what `logprobs_of` tells
   * of it; or why there is none. What takes too long for the step can go on by `finish`.
   * Throws std::runtime_error when the batch cannot be decoded.
   */
  std::vector<std::vector<double>> step(const std::vector<Draw> &draws);
  std::vector<std::vector<double>> logprobs(const std::vector<Question> &questions);

  const llama_model *model() const { return machine_->api.llama_get_model(opened_.context); }
  /** Numbers of one embedding that the model takes in place of a token. */
  int embedding_size() const { return machine_->api.llama_model_n_embd_inp(model()); }

  /**
   * Decodes `count` embeddings of one sequence, at `positions`: all of the first dimension, then all of the second and
   * so on. `is_whole`: each looks at all of them and not only at those before it. Throws as `step`.
   */
  void decode_embeddings(const float *embeddings, std::vector<llama_pos> positions, int count, int sequence,
                         bool is_whole);

  /** The grammar after the tokens `begun`; none where these do not fit. Throws where it cannot be parsed. */
  std::shared_ptr<Grammar> begin_grammar(const std::string &gbnf, const std::vector<int> &begun);

private:
  Logits logits_at(int index) const;
  void decode(const llama_batch &batch);
  int threads_for(size_t rows) const;
  const TokenTree &tree();

  std::shared_ptr<Machine> machine_;
  OpenedContext opened_;
  /** Several threads may want the tree for the first time at once. */
  std::once_flag tree_begun_;
  std::unique_ptr<TokenTree> tree_;
};

} // namespace hearth
