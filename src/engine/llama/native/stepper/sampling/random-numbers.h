#pragma once
#include <cstdint>
#include <optional>
#include <random>

namespace hearth {

/**
 * The random numbers of one request, a set for each position of its answer. Whoever asks again at the same position gets
 * the same numbers. They are those that llama.cpp's own samplers draw from the seed.
 */
class RandomNumbers {
public:
  explicit RandomNumbers(uint32_t seed) : shares_(seed), chances_(seed) {}

  /** From 0 to 1: at which share of all weight the token stands that is drawn. */
  double share() {
    if (!share_.has_value()) share_ = std::uniform_real_distribution<double>(0, 1)(shares_);
    return *share_;
  }

  /** From 0 to 1: decides whether XTC leaves tokens out. */
  float chance() {
    if (!chance_.has_value()) chance_ = std::uniform_real_distribution<float>(0, 1)(chances_);
    return *chance_;
  }

  /** Goes on to the next position. */
  void advance() {
    share_.reset();
    chance_.reset();
  }

private:
  std::mt19937 shares_;
  std::mt19937 chances_;
  std::optional<double> share_;
  std::optional<float> chance_;
};

} // namespace hearth
