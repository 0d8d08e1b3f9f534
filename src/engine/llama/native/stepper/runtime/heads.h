// A model's own draft heads: layers behind its last one, which from what the model makes of a token and from the token
// that follows guess the one after that. What they guess wrong costs time and nothing else.
#pragma once
#include <memory>
#include <vector>

#include "context.h"

namespace hearth {

/** Of one sequence, whose next token is known and stands at `position`, the tokens after that are to be guessed. */
struct Ask {
  int sequence;
  llama_token token;
  int position;
  int most;
};

class Heads {
public:
  /** `options`: of the model's own context. Throws as `Context`. */
  Heads(std::shared_ptr<Machine> machine, llama_model *model, ContextOptions options);

  Context &context() { return context_; }
  /** Bytes that they take, as `ContextMemory` has them. */
  std::vector<double> memory() const;

  /** The model has computed the batch. `rows`: what it made of each token. */
  void follow(const Batch &batch, const float *rows);
  /** At most one for each sequence. What could not be guessed is left out. */
  std::vector<std::vector<int>> guess(const std::vector<Ask> &asks);

  void cut(int sequence, int position);
  /** Goes on at `position`, where the sequence ends now: what stands before it was not computed here. */
  void skip(int sequence, int position);
  void copy(int source, int target);
  /** As `Context` has it. False: there is no memory for them any more. */
  bool reshape(uint32_t cells, bool is_unified, const std::vector<SharedPrefix> &shared);

private:
  /** The last tokens of a sequence: they are read when a guess is wanted, or when they are many. */
  struct Trail {
    /** Where the first of them stands. */
    int begin = 0;
    std::vector<llama_token> tokens;
    /** For each what the model made of the token before it. */
    std::vector<float> rows;
    /** The same of the last token; empty: it is not known. */
    std::vector<float> last;

    int end() const { return begin + static_cast<int>(tokens.size()); }
  };

  /** Has the trail end at `position`. */
  void follow_to(int sequence, int position);
  /** Reads the trails. */
  void read(const std::vector<int> &sequences);
  void add(HeadBatch &batch, int sequence, llama_token token, int position, const float *row, bool is_wanted) const;

  Context context_;
  int vocabulary_size_;
  size_t row_size_;
  size_t batch_tokens_;
  std::vector<Trail> trails_;
};

} // namespace hearth
