// Reads one row of logits, each function in as few passes as it takes: a vocabulary has up to 250,000 tokens.
#pragma once
#include <vector>

namespace hearth {

struct Candidate {
  int token;
  float logit;
};

/** The order of candidates: the likeliest first, of equally likely ones that with the lower number. */
inline bool comes_first(const Candidate &a, const Candidate &b) {
  return a.logit != b.logit ? a.logit > b.logit : a.token < b.token;
}

/** One row of logits: how likely the model finds each token, after what came before. */
struct Logits {
  float *values;
  int size;
};

/** The highest logit; NaN where the model computed no numbers. */
float highest_of(Logits logits);

/** The first of the tokens with the highest logit. */
int likeliest_of(Logits logits);

/** The `count` likeliest tokens, or all where there are fewer, the likeliest first. */
void find_likeliest(Logits logits, int count, std::vector<Candidate> &found);

/** The tokens whose logit is at least `least`, in the order of their numbers. */
void find_at_least(Logits logits, float least, std::vector<Candidate> &found);

/**
 * The sum of exp(logit / temperature - highest / temperature). Where `sums` is given, it gets the running sum after
 * each block of `block_tokens` tokens.
 */
double sum_of_weights(Logits logits, float temperature, float highest, std::vector<double> *sums = nullptr);
constexpr int block_tokens = 256;

/** The first token at which the running sum of weights, taken in the order of the tokens, reaches `target`. */
int token_at_weight(Logits logits, float temperature, float highest, const std::vector<double> &sums, double target);

} // namespace hearth
