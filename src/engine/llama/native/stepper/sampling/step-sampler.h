// Draws the tokens of one request.
#pragma once
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "grammar.h"
#include "logits.h"
#include "sampling.h"

namespace hearth {

struct Bias {
  int token;
  float bias;
};

/** Why nothing was drawn, in place of a token. */
constexpr int no_numbers = -1;
constexpr int takes_too_long = -2;
constexpr int nothing_allowed = -3;

class StepSampler {
public:
  /** `seen`: the tokens that penalties count, besides those that are accepted. */
  explicit StepSampler(const Sampling &sampling, const std::vector<int> &seen);

  /** Added to the logits before anything else; replaces what was set before. */
  void set_biases(std::vector<Bias> biases) { biases_ = std::move(biases); }
  /** From now on draws only what the grammar allows. */
  void constrain(std::shared_ptr<Grammar> grammar) { grammar_ = std::move(grammar); }

  /**
   * The token that comes next by `logits`, or why there is none. The same as long as none is accepted. Leaves the logits
   * as they were. `most_seconds`: see `Grammar::find_allowed`.
   */
  int draw(Logits logits, double most_seconds);
  /** Goes on to the position after a token that was drawn. */
  void accept(int token);

  /** From here on tokens that are accepted can be taken back. */
  void begin_run() { run_.clear(); }
  /** Goes back to the position before the last `count` tokens of the run, of which the grammar knows nothing. */
  void take_back(size_t count);

  /** The text that comes next, where the grammar leaves only one; empty: several may come. */
  std::string look_ahead();

  /** A copy of `logits` for the draw that is to go on when the context computes something else. */
  void keep(Logits logits) { kept_.assign(logits.values, logits.values + logits.size); }
  Logits kept() { return {kept_.data(), static_cast<int>(kept_.size())}; }

private:
  class Adjustment;
  int draw_allowed(Logits logits, double most_seconds);
  bool is_penalised() const;

  Sampling sampling_;
  std::vector<Bias> biases_;
  std::shared_ptr<Grammar> grammar_;
  RandomNumbers random_;
  /** Of the second draw, where the grammar refuses the first: by the same numbers it would not be independent. */
  RandomNumbers second_random_;
  /** How often each token was seen; empty where nothing is penalised. */
  std::unordered_map<int, int> counts_;
  std::vector<float> kept_;
  /** A token that was accepted, and the place among random numbers before it. */
  struct Accepted {
    int token;
    RandomNumbers::Place random;
    RandomNumbers::Place second_random;
  };
  std::vector<Accepted> run_;
};

} // namespace hearth
