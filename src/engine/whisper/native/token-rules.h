// What token may come next, and which one does: the rules of OpenAI's decoder (whisper/decoding.py).
#pragma once

#include <random>
#include <vector>

#include "session.h"

namespace hearth {

struct Choice {
  Token token;
  /** Natural log-probability among the tokens that were allowed, at temperature 1. */
  float logprob;
};

/** Chooses the tokens of one window, one after the other. */
class TokenRules {
 public:
  TokenRules(const Model &model, float temperature, uint32_t seed);

  /** The next token after `written`, given the model's logits for it. Throws where they are no numbers. */
  Choice choose(const float *logits, const std::vector<Token> &written);

 private:
  void forbid(Token first, Token end);
  void apply_timestamp_rules(const std::vector<Token> &written);
  Token draw();

  const Model &model_;
  const float temperature_;
  std::mt19937 random_;
  const Token end_of_text_;
  const Token first_timestamp_;
  const Token vocabulary_end_;
  std::vector<float> logits_;
};

/** Probability of `token` where nothing is forbidden. */
double probability(const float *logits, int count, Token token);

}  // namespace hearth
