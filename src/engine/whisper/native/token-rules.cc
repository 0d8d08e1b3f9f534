#include "token-rules.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace hearth {

namespace {

constexpr float forbidden = -std::numeric_limits<float>::infinity();
/** The first timestamp of a window lies within its first second; a timestamp stands for 20 ms. */
constexpr int max_first_timestamp = 50;

double log_sum_exp(const float *begin, const float *end) {
  const float highest = *std::max_element(begin, end);
  if (!std::isfinite(highest)) return highest;
  double sum = 0;
  for (const float *logit = begin; logit != end; logit++) sum += std::exp(*logit - highest);
  return highest + std::log(sum);
}

}  // namespace

double probability(const float *logits, int count, Token token) {
  return std::exp(logits[token] - log_sum_exp(logits, logits + count));
}

TokenRules::TokenRules(const Model &model, float temperature, uint32_t seed)
    : model_(model),
      temperature_(temperature),
      random_(seed),
      end_of_text_(whisper_token_eot(model.context())),
      first_timestamp_(whisper_token_beg(model.context())),
      vocabulary_end_(model.vocabulary_size()),
      logits_(vocabulary_end_) {}

Choice TokenRules::choose(const float *logits, const std::vector<Token> &written) {
  std::copy(logits, logits + vocabulary_end_, logits_.begin());
  for (const Token symbol : model_.symbols()) logits_[symbol] = forbidden;
  // Languages, tasks and the like lie between the end of the text and the timestamps.
  forbid(end_of_text_ + 1, first_timestamp_);
  if (written.empty()) forbid(end_of_text_, end_of_text_ + 1);
  if (model_.writes_timestamps())
    apply_timestamp_rules(written);
  else
    forbid(first_timestamp_, vocabulary_end_);

  const double total = log_sum_exp(logits_.data(), logits_.data() + vocabulary_end_);
  if (!std::isfinite(total)) throw std::runtime_error("the model's weights give no numbers");
  const Token token = draw();
  return {token, static_cast<float>(logits_[token] - total)};
}

void TokenRules::forbid(Token first, Token end) {
  std::fill(logits_.begin() + first, logits_.begin() + end, forbidden);
}

/** Timestamps come in pairs, one at each end of a segment, and never go back. */
void TokenRules::apply_timestamp_rules(const std::vector<Token> &written) {
  const auto is_timestamp = [this](Token token) { return token >= first_timestamp_; };
  const size_t count = written.size();
  if (count == 0) {
    forbid(0, first_timestamp_);
    forbid(std::min(first_timestamp_ + max_first_timestamp + 1, vocabulary_end_), vocabulary_end_);
    return;
  }
  const bool follows_timestamp = is_timestamp(written[count - 1]);
  const bool follows_pair = follows_timestamp && (count < 2 || is_timestamp(written[count - 2]));
  if (follows_pair)
    forbid(first_timestamp_, vocabulary_end_);
  else if (follows_timestamp)
    forbid(0, end_of_text_);

  const auto last = std::find_if(written.rbegin(), written.rend(), is_timestamp);
  if (last != written.rend()) {
    // The beginning of a segment may be the end of the one before; its own end lies later.
    const Token earliest = follows_timestamp && !follows_pair ? *last : *last + 1;
    forbid(first_timestamp_, std::min(earliest, vocabulary_end_));
  }

  const float *const begin = logits_.data();
  const double timestamps = log_sum_exp(begin + first_timestamp_, begin + vocabulary_end_);
  if (timestamps > *std::max_element(begin, begin + first_timestamp_)) forbid(0, first_timestamp_);
}

Token TokenRules::draw() {
  const auto best = std::max_element(logits_.begin(), logits_.end());
  if (temperature_ <= 0) return best - logits_.begin();
  std::vector<double> weights(logits_.size());
  std::transform(logits_.begin(), logits_.end(), weights.begin(),
                 [&](float logit) { return std::exp((logit - *best) / temperature_); });
  return std::discrete_distribution<Token>(weights.begin(), weights.end())(random_);
}

}  // namespace hearth
