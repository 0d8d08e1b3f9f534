#include "logprobs.h"

#include <cmath>

namespace hearth {

std::vector<double> logprobs_of(Logits logits, int token, int alternatives) {
  const double highest = highest_of(logits);
  const double normaliser = highest + std::log(sum_of_weights(logits, 1, static_cast<float>(highest)));
  std::vector<double> told{logits.values[token] - normaliser};
  if (alternatives <= 0) return told;
  std::vector<Candidate> likeliest;
  find_likeliest(logits, alternatives, likeliest);
  for (const Candidate &one : likeliest) {
    told.push_back(one.token);
    told.push_back(one.logit - normaliser);
  }
  return told;
}

} // namespace hearth
