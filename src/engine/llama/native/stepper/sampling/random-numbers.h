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
  explicit RandomNumbers(uint32_t seed) : seed_(seed), shares_{seed}, chances_{seed} {}

  /** From 0 to 1: at which share of all weight the token stands that is drawn. */
  double share() {
    if (!drawn_.share.has_value()) drawn_.share = std::uniform_real_distribution<double>(0, 1)(shares_);
    return *drawn_.share;
  }

  /** From 0 to 1: decides whether XTC leaves tokens out. */
  float chance() {
    if (!drawn_.chance.has_value()) drawn_.chance = std::uniform_real_distribution<float>(0, 1)(chances_);
    return *drawn_.chance;
  }

  /** Goes on to the next position. */
  void advance() { drawn_ = {}; }

  struct Drawn {
    std::optional<double> share;
    std::optional<float> chance;
  };
  /** A position to go back to: what was drawn for it, and how many numbers were taken until then. */
  struct Place {
    Drawn drawn;
    unsigned long long shares;
    unsigned long long chances;
  };
  Place place() const { return {drawn_, shares_.taken, chances_.taken}; }
  void go_back(const Place &place) {
    drawn_ = place.drawn;
    shares_.go_back(seed_, place.shares);
    chances_.go_back(seed_, place.chances);
  }

private:
  /** Numbers that are counted: a copy of their state would take 2.5 kB. */
  struct Source {
    using result_type = std::mt19937::result_type;
    explicit Source(uint32_t seed) : numbers(seed) {}
    static constexpr result_type min() { return std::mt19937::min(); }
    static constexpr result_type max() { return std::mt19937::max(); }
    result_type operator()() {
      taken++;
      return numbers();
    }
    void go_back(uint32_t seed, unsigned long long count) {
      if (count == taken) return;
      numbers.seed(seed);
      numbers.discard(taken = count);
    }

    std::mt19937 numbers;
    unsigned long long taken = 0;
  };

  uint32_t seed_;
  Source shares_;
  Source chances_;
  Drawn drawn_;
};

} // namespace hearth
