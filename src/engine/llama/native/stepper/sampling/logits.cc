#include "logits.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

namespace hearth {
namespace {

constexpr float lowest = -std::numeric_limits<float>::infinity();
/** Compilers turn loops over 32 independent numbers into vector instructions. */
constexpr int lanes = 32;

/** The highest of `lanes` * `rounds` values; NaNs are passed over. */
float highest_in(const float *values, int rounds) {
  float best[lanes];
  std::fill_n(best, lanes, lowest);
  for (int round = 0; round < rounds; round++)
    for (int lane = 0; lane < lanes; lane++) {
      const float value = values[round * lanes + lane];
      best[lane] = value > best[lane] ? value : best[lane];
    }
  return *std::max_element(best, best + lanes);
}

/**
 * exp(x) for x of at most 0, to seven digits. Unlike the one of the standard library it is the same arithmetic for
 * every x, which a compiler can do for many at once.
 */
inline float fast_exp(float x) {
  const float clamped = x > -87.0f ? x : -87.0f;
  // exp(x) = 2^n * exp(r), |r| at most ln(2) / 2. Adding and taking away 1.5 * 2^23 rounds to a whole number.
  const float rounding = 12582912.0f;
  const float shifted = clamped * 1.44269504f + rounding;
  const float n = shifted - rounding;
  const float r = (clamped - n * 0.693359375f) + n * 2.12194440e-4f;
  float p = 1.9875691500e-4f;
  p = p * r + 1.3981999507e-3f;
  p = p * r + 8.3334519073e-3f;
  p = p * r + 4.1665795894e-2f;
  p = p * r + 1.6666665459e-1f;
  p = p * r + 5.0000001201e-1f;
  p = p * r * r + r + 1.0f;
  int32_t bits;
  std::memcpy(&bits, &shifted, sizeof bits);
  // The low bits of `shifted` are n: they become the exponent.
  const int32_t scale_bits = static_cast<int32_t>(static_cast<uint32_t>(bits) << 23) + 0x3f800000;
  float scale;
  std::memcpy(&scale, &scale_bits, sizeof scale);
  return x > -87.0f ? p * scale : 0.0f;
}

/** The sum of the weights of at most `block_tokens` tokens, from `first` on. */
double sum_of_block(Logits logits, int first, float temperature, float highest) {
  const int count = std::min(block_tokens, logits.size - first);
  const float *const values = logits.values + first;
  float sums[lanes] = {};
  const int whole = count / lanes * lanes;
  for (int at = 0; at < whole; at += lanes)
    for (int lane = 0; lane < lanes; lane++)
      sums[lane] += fast_exp(values[at + lane] / temperature - highest);
  double sum = 0;
  for (const float part : sums) sum += part;
  for (int at = whole; at < count; at++) sum += fast_exp(values[at] / temperature - highest);
  return sum;
}

} // namespace

float highest_of(Logits logits) {
  // One NaN in the cache makes all logits after it NaN, so that the first one tells.
  if (std::isnan(logits.values[0])) return std::numeric_limits<float>::quiet_NaN();
  const int rounds = logits.size / lanes;
  float best = highest_in(logits.values, rounds);
  for (int at = rounds * lanes; at < logits.size; at++) best = std::max(best, logits.values[at]);
  return best;
}

int likeliest_of(Logits logits) {
  const float highest = highest_of(logits);
  float *const end = logits.values + logits.size;
  float *const found = std::find(logits.values, end, highest);
  return found == end ? 0 : static_cast<int>(found - logits.values);
}

void find_likeliest(Logits logits, int count, std::vector<Candidate> &found) {
  count = std::min(count, logits.size);
  found.clear();
  if (count <= 0) return;
  // Keeps up to a few times as many as wanted, then drops all but the likeliest. Few tokens pass the threshold that
  // this raises, so most blocks are only looked at.
  const size_t most = std::max<size_t>(static_cast<size_t>(count) * 4, 256);
  float threshold = lowest;
  const auto keep = [&] {
    std::nth_element(found.begin(), found.begin() + (count - 1), found.end(), comes_first);
    found.resize(count);
    threshold = found[count - 1].logit;
  };
  const auto look_at = [&](int from, int to) {
    for (int token = from; token < to; token++) {
      const float logit = logits.values[token];
      if (logit > threshold || static_cast<int>(found.size()) < count) found.push_back({token, logit});
    }
    if (found.size() >= most) keep();
  };
  constexpr int rounds = 2;
  int first = 0;
  for (; first + lanes * rounds <= logits.size; first += lanes * rounds)
    if (static_cast<int>(found.size()) < count || highest_in(logits.values + first, rounds) > threshold)
      look_at(first, first + lanes * rounds);
  look_at(first, logits.size);
  if (static_cast<int>(found.size()) > count) keep();
  std::sort(found.begin(), found.end(), comes_first);
}

void find_at_least(Logits logits, float least, std::vector<Candidate> &found) {
  found.clear();
  for (int first = 0; first < logits.size; first += lanes) {
    const int end = std::min(first + lanes, logits.size);
    if (end - first == lanes && highest_in(logits.values + first, 1) < least) continue;
    for (int token = first; token < end; token++)
      if (logits.values[token] >= least) found.push_back({token, logits.values[token]});
  }
}

double sum_of_weights(Logits logits, float temperature, float highest, std::vector<double> *sums) {
  if (sums != nullptr) sums->clear();
  double sum = 0;
  for (int first = 0; first < logits.size; first += block_tokens) {
    sum += sum_of_block(logits, first, temperature, highest / temperature);
    if (sums != nullptr) sums->push_back(sum);
  }
  return sum;
}

int token_at_weight(Logits logits, float temperature, float highest, const std::vector<double> &sums, double target) {
  const size_t block = std::lower_bound(sums.begin(), sums.end(), target) - sums.begin();
  if (block >= sums.size()) return likeliest_of(logits); // Rounding; a draw of exactly 1.
  double sum = block == 0 ? 0 : sums[block - 1];
  const int first = static_cast<int>(block) * block_tokens;
  const int end = std::min(first + block_tokens, logits.size);
  int last = first;
  for (int token = first; token < end; token++) {
    const float weight = fast_exp(logits.values[token] / temperature - highest / temperature);
    if (weight <= 0) continue;
    last = token;
    sum += weight;
    if (sum >= target) break;
  }
  return last;
}

} // namespace hearth
