// The draws of one request.
#pragma once
#include <memory>
#include <random>
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

class Drawer {
public:
  /** `seen`: the tokens that penalties count, besides those that are drawn. */
  explicit Drawer(const Sampling &sampling, const std::vector<int> &seen);

  /** Added to the logits before anything else; replaces what was set before. */
  void set_biases(std::vector<Bias> biases) { biases_ = std::move(biases); }
  /** From now on draws only what the grammar allows. */
  void constrain(std::shared_ptr<Grammar> grammar) { grammar_ = std::move(grammar); }

  /**
   * The next token, or why there is none. Leaves the logits as they were.
   * After `takes_too_long` it must not be used any more.
   */
  int draw(Logits logits);

private:
  class Adjustment;
  int draw_adjusted(Logits logits);
  int draw_allowed(Logits logits);
  bool is_penalised() const;

  Sampling sampling_;
  std::vector<Bias> biases_;
  std::shared_ptr<Grammar> grammar_;
  std::mt19937 random_;
  /** Of the second draw, where the grammar refuses the first: by the same numbers it would not be independent. */
  std::mt19937 second_random_;
  /** How often each token was seen; empty where nothing is penalised. */
  std::unordered_map<int, int> counts_;
};

} // namespace hearth
