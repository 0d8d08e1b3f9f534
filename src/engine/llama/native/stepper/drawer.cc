#include "drawer.h"

#include <cmath>
#include <limits>

namespace hearth {

/** Biases and penalties on the logits, for as long as it lives. They concern few tokens, so nothing else is copied. */
class Drawer::Adjustment {
public:
  Adjustment(const Drawer &drawer, Logits logits) : logits_(logits) {
    for (const Bias &one : drawer.biases_) change(one.token, [&](float logit) { return logit + one.bias; });
    const Sampling &sampling = drawer.sampling_;
    for (const auto &seen : drawer.counts_) {
      const float penalty = static_cast<float>(seen.second) * sampling.frequency_penalty + sampling.presence_penalty;
      change(seen.first, [&](float logit) {
        return (logit <= 0 ? logit * sampling.repeat_penalty : logit / sampling.repeat_penalty) - penalty;
      });
    }
  }

  ~Adjustment() {
    // Backwards, since a token may have been changed twice.
    for (auto one = before_.rbegin(); one != before_.rend(); ++one) logits_.values[one->token] = one->logit;
  }

  Adjustment(const Adjustment &) = delete;
  Adjustment &operator=(const Adjustment &) = delete;

private:
  /** The logit that `token` had becomes what `changed` makes of it. */
  template <typename Changed>
  void change(int token, Changed changed) {
    if (token < 0 || token >= logits_.size) return;
    const float logit = logits_.values[token];
    before_.push_back({token, logit});
    logits_.values[token] = changed(logit);
  }

  Logits logits_;
  std::vector<Candidate> before_;
};

Drawer::Drawer(const Sampling &sampling, const std::vector<int> &seen)
    : sampling_(sampling), random_(sampling.seed), second_random_(sampling.seed ^ 0x5bd1e995u) {
  if (is_penalised())
    for (const int token : seen) counts_[token]++;
}

bool Drawer::is_penalised() const {
  return sampling_.frequency_penalty != 0 || sampling_.presence_penalty != 0 || sampling_.repeat_penalty != 1;
}

int Drawer::draw(Logits logits) {
  if (std::isnan(highest_of(logits))) return no_numbers;
  const int token = [&] {
    const Adjustment adjustment(*this, logits);
    return draw_adjusted(logits);
  }();
  if (token >= 0 && is_penalised()) counts_[token]++;
  return token;
}

int Drawer::draw_adjusted(Logits logits) {
  int token = choose(logits, sampling_, random_);
  if (grammar_ == nullptr) return token;
  if (!grammar_->allows(token)) token = draw_allowed(logits);
  if (token >= 0) grammar_->accept(token);
  return token;
}

int Drawer::draw_allowed(Logits logits) {
  const bool is_greedy = sampling_.temperature <= 0;
  const int all = std::numeric_limits<int>::max();
  const int wanted = is_greedy ? 1 : sampling_.top_k > 0 ? sampling_.top_k : all;
  std::optional<std::vector<Candidate>> allowed = grammar_->find_allowed(logits, wanted);
  if (!allowed.has_value() || allowed->empty()) return takes_too_long;
  // Node-llama-cpp's sampler spends a random number on finding the likeliest tokens. So a seed gives the same text.
  if (wanted <= Grammar::most_ranked) second_random_.discard(2);
  return allowed->size() == 1 ? allowed->front().token : choose_of(*allowed, sampling_, second_random_);
}

} // namespace hearth
