#include "sampling.h"

#include <algorithm>
#include <cmath>

namespace hearth {
namespace {

double draw(std::mt19937 &random) {
  return std::uniform_real_distribution<double>(0, 1)(random);
}

/** Keeps the fewest of the likeliest whose share of the whole weight, `sum`, is `top_p`. False: these are too few. */
bool keep_top_p(std::vector<Candidate> &candidates, float top_p, float sum) {
  float share = 0;
  for (size_t at = 0; at < candidates.size(); at++) {
    share += std::exp(candidates[at].logit - candidates[0].logit) / sum;
    if (share < top_p) continue;
    candidates.resize(at + 1);
    return true;
  }
  return false;
}

void keep_top_p(std::vector<Candidate> &candidates, float top_p) {
  float sum = 0;
  for (const Candidate &one : candidates) sum += std::exp(one.logit - candidates[0].logit);
  keep_top_p(candidates, top_p, sum);
}

/** The same where no top-k has left few candidates. */
void find_top_p(Logits logits, float top_p, std::vector<Candidate> &found) {
  const float sum = static_cast<float>(sum_of_weights(logits, 1, highest_of(logits)));
  for (int count = 256;; count *= 16) {
    find_likeliest(logits, count, found);
    if (keep_top_p(found, top_p, sum) || count >= logits.size) return;
  }
}

float least_logit(float highest, float min_p) {
  return highest + std::log(min_p);
}

/** A token by its share of the weight. */
int draw_of(const std::vector<Candidate> &candidates, float highest, float temperature, std::mt19937 &random) {
  const double part = draw(random);
  if (candidates.size() == 1) return candidates[0].token;
  thread_local std::vector<float> weights;
  weights.clear();
  double sum = 0;
  for (const Candidate &one : candidates) {
    weights.push_back(std::exp(one.logit / temperature - highest / temperature));
    sum += weights.back();
  }
  double running = 0;
  for (size_t at = 0; at < candidates.size(); at++) {
    running += weights[at];
    if (running >= sum * part) return candidates[at].token;
  }
  return candidates.back().token;
}

/** A token where only the temperature and, if at all, min-p decide. */
int choose_of_all(Logits logits, const Sampling &sampling, std::mt19937 &random) {
  const float highest = highest_of(logits);
  if (sampling.min_p > 0) {
    thread_local std::vector<Candidate> found;
    find_at_least(logits, least_logit(highest, sampling.min_p), found);
    return draw_of(found, highest, sampling.temperature, random);
  }
  thread_local std::vector<double> sums;
  const double sum = sum_of_weights(logits, sampling.temperature, highest, &sums);
  return token_at_weight(logits, sampling.temperature, highest, sums, sum * draw(random));
}

/** One of the candidates that top-k and top-p left, the likeliest first. */
int choose_of_rest(std::vector<Candidate> &candidates, const Sampling &sampling, std::mt19937 &random) {
  const float highest = candidates[0].logit;
  if (sampling.min_p > 0) {
    const float least = least_logit(highest, sampling.min_p);
    const auto is_too_low = [least](const Candidate &one) { return one.logit < least; };
    candidates.erase(std::find_if(candidates.begin() + 1, candidates.end(), is_too_low), candidates.end());
  }
  // Only top-k and top-p sort the tokens, and their order decides which one a random number stands for.
  if (sampling.top_k <= 0 && sampling.top_p >= 1)
    std::sort(candidates.begin(), candidates.end(),
              [](const Candidate &a, const Candidate &b) { return a.token < b.token; });
  return draw_of(candidates, highest, sampling.temperature, random);
}

} // namespace

int choose_of(std::vector<Candidate> &candidates, const Sampling &sampling, std::mt19937 &random) {
  if (sampling.temperature <= 0) return candidates[0].token;
  const size_t most = sampling.top_k;
  if (most > 0 && candidates.size() > most) candidates.resize(most);
  if (sampling.top_p < 1) keep_top_p(candidates, sampling.top_p);
  return choose_of_rest(candidates, sampling, random);
}

int choose(Logits logits, const Sampling &sampling, std::mt19937 &random) {
  if (sampling.temperature <= 0) return likeliest_of(logits);
  if (sampling.top_k <= 0 && sampling.top_p >= 1) return choose_of_all(logits, sampling, random);
  thread_local std::vector<Candidate> candidates;
  if (sampling.top_k > 0) {
    find_likeliest(logits, sampling.top_k, candidates);
    return choose_of(candidates, sampling, random);
  }
  find_top_p(logits, sampling.top_p, candidates);
  return choose_of_rest(candidates, sampling, random);
}

} // namespace hearth
