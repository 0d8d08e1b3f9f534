// How one token is chosen from logits. The filters, their order, their arithmetic and their random numbers are those of
// llama.cpp's own samplers.
#pragma once
#include <cstdint>
#include <vector>

#include "logits.h"
#include "random-numbers.h"

namespace hearth {

struct Sampling {
  /** 0 takes the likeliest token. */
  float temperature;
  /** 0 keeps all. */
  int top_k;
  float top_p;
  float min_p;
  /** How often XTC leaves out the likeliest tokens, all but the last that is at least as likely as `xtc_threshold`. */
  float xtc_probability;
  float xtc_threshold;
  uint32_t seed;
  float frequency_penalty;
  float presence_penalty;
  float repeat_penalty;
};

/** A token of `logits`, which it leaves as they were. */
int choose(Logits logits, const Sampling &sampling, RandomNumbers &random);

/** How many of the likeliest tokens may be chosen at most. */
int most_needed(const Sampling &sampling);

/** One of `candidates`, which are not empty, the likeliest first; changes them. */
int choose_of(std::vector<Candidate> &candidates, const Sampling &sampling, RandomNumbers &random);

} // namespace hearth
