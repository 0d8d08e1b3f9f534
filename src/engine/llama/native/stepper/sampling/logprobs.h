#pragma once
#include <vector>

#include "logits.h"

namespace hearth {

/**
 * The log-probability that the model itself gives `token`, and then the number and the log-probability of each of the
 * `alternatives` likeliest tokens. NaN where the model computed no numbers.
 */
std::vector<double> logprobs_of(Logits logits, int token, int alternatives);

} // namespace hearth
