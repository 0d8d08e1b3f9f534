#include "step-sampler.h"

#include <cmath>

namespace hearth {
namespace {

/** About a dozen tokens: a step that computes more of them gains little. */
constexpr size_t most_bytes_ahead = 48;

} // namespace

/** Biases and penalties on the logits, for as long as it lives. They concern few tokens, so nothing else is copied. */
class StepSampler::Adjustment {
public:
  Adjustment(const StepSampler &sampler, Logits logits) : logits_(logits) {
    for (const Bias &one : sampler.biases_) change(one.token, [&](float logit) { return logit + one.bias; });
    const Sampling &sampling = sampler.sampling_;
    for (const auto &seen : sampler.counts_) {
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

StepSampler::StepSampler(const Sampling &sampling, const std::vector<int> &seen)
    : sampling_(sampling), random_(sampling.seed), second_random_(sampling.seed ^ 0x5bd1e995u) {
  if (is_penalised())
    for (const int token : seen) counts_[token]++;
}

bool StepSampler::is_penalised() const {
  return sampling_.frequency_penalty != 0 || sampling_.presence_penalty != 0 || sampling_.repeat_penalty != 1;
}

int StepSampler::draw(Logits logits, double most_seconds) {
  if (std::isnan(highest_of(logits))) return no_numbers;
  const Adjustment adjustment(*this, logits);
  const int token = choose(logits, sampling_, random_);
  return grammar_ == nullptr || grammar_->allows(token) ? token : draw_allowed(logits, most_seconds);
}

int StepSampler::draw_allowed(Logits logits, double most_seconds) {
  const std::optional<std::vector<Candidate>> found = grammar_->find_allowed(logits, most_needed(sampling_), most_seconds);
  if (!found.has_value()) return takes_too_long;
  std::vector<Candidate> allowed = *found;
  if (allowed.empty()) return nothing_allowed;
  return allowed.size() == 1 ? allowed.front().token : choose_of(allowed, sampling_, second_random_);
}

void StepSampler::accept(int token) {
  run_.push_back({token, random_.place(), second_random_.place()});
  if (is_penalised()) counts_[token]++;
  if (grammar_ != nullptr) grammar_->accept(token);
  random_.advance();
  second_random_.advance();
}

void StepSampler::take_back(size_t count) {
  for (size_t taken = 0; taken < count && !run_.empty(); taken++) {
    const Accepted &last = run_.back();
    const auto counted = counts_.find(last.token);
    if (counted != counts_.end() && --counted->second == 0) counts_.erase(counted);
    random_.go_back(last.random);
    second_random_.go_back(last.second_random);
    run_.pop_back();
  }
}

std::string StepSampler::look_ahead() {
  return grammar_ == nullptr ? std::string() : grammar_->look_ahead(most_bytes_ahead);
}

} // namespace hearth
