// How one token is chosen from logits. The filters, their order, their arithmetic and their random numbers are those of
// llama.cpp's own samplers, so that a seed gives the same text with and without this addon.
#pragma once
#include <cstdint>
#include <random>
#include <vector>

#include "logits.h"

namespace hearth {

struct Sampling {
  /** 0 takes the likeliest token. */
  float temperature;
  /** 0 keeps all. */
  int top_k;
  float top_p;
  float min_p;
  uint32_t seed;
  float frequency_penalty;
  float presence_penalty;
  float repeat_penalty;
};

/** A token of `logits`. */
int choose(Logits logits, const Sampling &sampling, std::mt19937 &random);

/** One of `candidates`, which are not empty, the likeliest first; changes them. */
int choose_of(std::vector<Candidate> &candidates, const Sampling &sampling, std::mt19937 &random);

} // namespace hearth
