#include "sampling.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace hearth {
namespace {

bool has_filters(const Sampling &sampling) { return sampling.top_k > 0 || sampling.top_p < 1; }

/** Above one half no two tokens can be so likely. */
bool has_xtc(const Sampling &sampling) { return sampling.xtc_probability > 0 && sampling.xtc_threshold <= 0.5f; }

bool leaves_out(const Sampling &sampling, RandomNumbers &random) {
  return has_xtc(sampling) && random.chance() <= sampling.xtc_probability;
}

float sum_of(const std::vector<Candidate> &candidates) {
  float sum = 0;
  for (const Candidate &one : candidates) sum += std::exp(one.logit - candidates[0].logit);
  return sum;
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

float weight_of(const Candidate &one, float highest, float temperature) {
  return std::exp(one.logit / temperature - highest / temperature);
}

/** A token by its share of the weight. */
int draw_of(const std::vector<Candidate> &candidates, float highest, float temperature, RandomNumbers &random) {
  const double part = random.share();
  if (candidates.size() == 1) return candidates[0].token;
  thread_local std::vector<float> weights;
  weights.clear();
  double sum = 0;
  for (const Candidate &one : candidates) {
    weights.push_back(weight_of(one, highest, temperature));
    sum += weights.back();
  }
  double running = 0;
  for (size_t at = 0; at < candidates.size(); at++) {
    running += weights[at];
    if (running >= sum * part) return candidates[at].token;
  }
  return candidates.back().token;
}

/** A token where only the temperature decides. */
int draw_of_all(Logits logits, float temperature, RandomNumbers &random) {
  const float highest = highest_of(logits);
  thread_local std::vector<double> sums;
  const double sum = sum_of_weights(logits, temperature, highest, &sums);
  return token_at_weight(logits, temperature, highest, sums, sum * random.share());
}

/** The same, the likeliest tokens first: their order decides which one a random number stands for. */
int draw_of_sorted(Logits logits, float temperature, RandomNumbers &random) {
  const float highest = highest_of(logits);
  const double target = sum_of_weights(logits, temperature, highest) * random.share();
  thread_local std::vector<Candidate> found;
  double running = 0;
  size_t at = 0;
  for (int count = 256;; count *= 16) {
    find_likeliest(logits, count, found);
    for (; at < found.size(); at++) {
      running += weight_of(found[at], highest, temperature);
      if (running >= target) return found[at].token;
    }
    if (count >= logits.size) return found.front().token; // Rounding; a draw of exactly 1.
  }
}

/** A token of all but those that XTC leaves out. */
int choose_without_top(Logits logits, const Sampling &sampling, RandomNumbers &random) {
  const float highest = highest_of(logits);
  const double sum = sum_of_weights(logits, 1, highest);
  const float least = highest + static_cast<float>(std::log(sampling.xtc_threshold * sum));
  std::vector<Candidate> left_out;
  find_at_least(logits, std::max(least, std::numeric_limits<float>::lowest()), left_out);
  if (!left_out.empty()) left_out.erase(std::max_element(left_out.begin(), left_out.end(), comes_first));
  for (const Candidate &one : left_out) logits.values[one.token] = -INFINITY;
  const int token =
      sampling.temperature <= 0 ? likeliest_of(logits) : draw_of_sorted(logits, sampling.temperature, random);
  for (const Candidate &one : left_out) logits.values[one.token] = one.logit;
  return token;
}

/** The same of some candidates, the likeliest first. */
void leave_out_top(std::vector<Candidate> &candidates, float threshold) {
  const float sum = sum_of(candidates);
  size_t last = 0;
  while (last + 1 < candidates.size() &&
         std::exp(candidates[last + 1].logit - candidates[0].logit) / sum >= threshold)
    last++;
  candidates.erase(candidates.begin(), candidates.begin() + static_cast<std::ptrdiff_t>(last));
}

/** A token where no more than the temperature, min-p and XTC decide. */
int choose_of_all(Logits logits, const Sampling &sampling, RandomNumbers &random) {
  if (sampling.min_p <= 0)
    return leaves_out(sampling, random) ? choose_without_top(logits, sampling, random)
                                        : draw_of_all(logits, sampling.temperature, random);
  float highest = highest_of(logits);
  thread_local std::vector<Candidate> found;
  find_at_least(logits, least_logit(highest, sampling.min_p), found);
  if (found.size() > 1 && leaves_out(sampling, random)) {
    std::sort(found.begin(), found.end(), comes_first);
    leave_out_top(found, sampling.xtc_threshold);
    highest = found[0].logit;
  }
  return draw_of(found, highest, sampling.temperature, random);
}

/** One of the candidates that top-k and top-p left, the likeliest first. */
int choose_of_rest(std::vector<Candidate> &candidates, const Sampling &sampling, RandomNumbers &random) {
  if (sampling.min_p > 0) {
    const float least = least_logit(candidates[0].logit, sampling.min_p);
    const auto is_too_low = [least](const Candidate &one) { return one.logit < least; };
    candidates.erase(std::find_if(candidates.begin() + 1, candidates.end(), is_too_low), candidates.end());
  }
  const bool left_out = candidates.size() > 1 && leaves_out(sampling, random);
  if (left_out) leave_out_top(candidates, sampling.xtc_threshold);
  const float highest = candidates[0].logit;
  // Only filters and XTC sort the tokens, and their order decides which one a random number stands for.
  if (!left_out && !has_filters(sampling))
    std::sort(candidates.begin(), candidates.end(),
              [](const Candidate &a, const Candidate &b) { return a.token < b.token; });
  return draw_of(candidates, highest, sampling.temperature, random);
}

} // namespace

int most_needed(const Sampling &sampling) {
  // XTC may leave out the likeliest token, even of a greedy draw.
  if (sampling.temperature <= 0 && !has_xtc(sampling)) return 1;
  return sampling.temperature > 0 && sampling.top_k > 0 ? sampling.top_k : std::numeric_limits<int>::max();
}

int choose_of(std::vector<Candidate> &candidates, const Sampling &sampling, RandomNumbers &random) {
  if (sampling.temperature <= 0) {
    if (leaves_out(sampling, random)) leave_out_top(candidates, sampling.xtc_threshold);
    return candidates[0].token;
  }
  const size_t most = sampling.top_k;
  if (most > 0 && candidates.size() > most) candidates.resize(most);
  if (sampling.top_p < 1) keep_top_p(candidates, sampling.top_p, sum_of(candidates));
  return choose_of_rest(candidates, sampling, random);
}

int choose(Logits logits, const Sampling &sampling, RandomNumbers &random) {
  if (sampling.temperature <= 0)
    return leaves_out(sampling, random) ? choose_without_top(logits, sampling, random) : likeliest_of(logits);
  if (!has_filters(sampling)) return choose_of_all(logits, sampling, random);
  thread_local std::vector<Candidate> candidates;
  if (sampling.top_k > 0) {
    find_likeliest(logits, sampling.top_k, candidates);
    return choose_of(candidates, sampling, random);
  }
  find_top_p(logits, sampling.top_p, candidates);
  return choose_of_rest(candidates, sampling, random);
}

} // namespace hearth
