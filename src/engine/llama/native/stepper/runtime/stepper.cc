#include "stepper.h"

#include <stdexcept>

#include "logprobs.h"

namespace hearth {
namespace {

/** A thread is woken for at least 65,536 logits: reading fewer takes less time than waking it. */
constexpr size_t logits_per_thread = 1 << 16;

/** All streams wait for the draws of their step, so that asking a grammar goes on outside of it after this time. */
constexpr double most_seconds_in_step = 0.04;
/** A grammar that takes longer to say which tokens it allows cannot be served. */
constexpr double most_seconds = 2;

/** The token that the sampler draws and accepts, with what is wanted of it; or why there is none. */
std::vector<double> draw_from(Logits logits, const Draw &draw, double most_seconds) {
  StepSampler &sampler = *draw.sampler;
  const int token = sampler.draw(logits, most_seconds);
  std::vector<double> drawn{static_cast<double>(token)};
  if (token < 0) return drawn;
  sampler.accept(token);
  if (draw.alternatives < 0) return drawn;
  for (const double number : logprobs_of(logits, token, draw.alternatives)) drawn.push_back(number);
  return drawn;
}

/** The tokens drawn from the rows, one after the other: each row is of use only where the draft was right so far. */
std::vector<double> draw_along(const std::vector<Logits> &rows, const Draw &draw) {
  std::vector<double> told;
  for (size_t at = 0; at < rows.size(); at++) {
    const std::vector<double> drawn = draw_from(rows[at], draw, most_seconds_in_step);
    const int token = static_cast<int>(drawn[0]);
    // A failure behind a draft comes again in the next step, where nothing is drafted before it.
    if (token < 0 && at > 0) break;
    told.insert(told.end(), drawn.begin(), drawn.end());
    if (token == takes_too_long) draw.sampler->keep(rows[at]);
    if (token < 0 || at >= draw.draft.size() || token != draw.draft[at]) break;
  }
  return told;
}

} // namespace

Stepper::Stepper(std::shared_ptr<Context> context)
    : context_(std::move(context)), vocabulary_size_(context_->api().llama_vocab_n_tokens(context_->vocab())) {}

Drawn Stepper::run(Batch batch, std::vector<Draw> draws, int most_steps, const std::function<void(Drawn)> &tell,
                   const std::function<bool()> &may_go_on) {
  for (const Draw &draw : draws) draw.sampler->begin_run();
  Drawn drawn = step(batch, draws);
  for (int steps = 1; steps < most_steps && is_plain(batch, draws, drawn) && !is_held_ && may_go_on(); steps++) {
    for (size_t at = 0; at < draws.size(); at++) {
      BatchPart &part = batch.parts[at];
      part = {part.sequence, part.position + part.count, 1, 0};
      draws[at].logit_index = static_cast<int>(at);
    }
    batch.tokens.clear();
    for (const std::vector<double> &numbers : drawn) batch.tokens.push_back(static_cast<llama_token>(numbers[0]));
    tell(std::move(drawn));
    try {
      drawn = step(batch, draws);
    } catch (const std::exception &) {
      return {};
    }
  }
  return drawn;
}

Drawn Stepper::step(const Batch &batch, const std::vector<Draw> &draws) {
  context_->decode(batch);
  context_->order_logits();
  std::vector<std::vector<Logits>> rows(draws.size());
  for (size_t at = 0; at < draws.size(); at++)
    for (size_t row = 0; row <= draws[at].draft.size(); row++)
      rows[at].push_back(logits_at(draws[at].logit_index + static_cast<int>(row)));
  Drawn drawn(draws.size());
  context_->machine().crew.run(static_cast<int>(draws.size()), threads_for(draws.size()),
                               [&](int at) { drawn[at] = draw_along(rows[at], draws[at]); });
  return drawn;
}

bool Stepper::is_plain(const Batch &batch, const std::vector<Draw> &draws, const Drawn &drawn) const {
  if (draws.size() != batch.parts.size()) return false;
  for (size_t at = 0; at < draws.size(); at++) {
    const auto token = static_cast<llama_token>(drawn[at][0]);
    if (!draws[at].draft.empty() || token < 0 || context_->api().llama_vocab_is_eog(context_->vocab(), token))
      return false;
  }
  return true;
}

std::vector<double> finish(const Draw &draw) { return draw_from(draw.sampler->kept(), draw, most_seconds); }

Drawn Stepper::logprobs(const std::vector<Question> &questions) {
  std::vector<Logits> rows;
  for (const Question &question : questions) rows.push_back(logits_at(question.logit_index));
  Drawn told(questions.size());
  context_->machine().crew.run(static_cast<int>(questions.size()), threads_for(questions.size()), [&](int at) {
    told[at] = logprobs_of(rows[at], questions[at].token, questions[at].alternatives);
  });
  return told;
}

std::shared_ptr<Grammar> Stepper::begin_grammar(const std::string &gbnf, const std::vector<int> &begun) {
  const auto find_tree = [this]() -> const TokenTree & { return tree(); };
  std::call_once(bytes_found_, [this] { byte_tokens_ = find_byte_tokens(context_->api(), context_->vocab()); });
  auto grammar = std::make_shared<Grammar>(context_->api(), context_->vocab(), gbnf, find_tree, byte_tokens_);
  for (const int token : begun) {
    if (!grammar->allows(token)) return nullptr;
    grammar->accept(token);
  }
  return grammar;
}

Logits Stepper::logits_at(int index) const {
  float *const row = context_->logits_at(index);
  if (row == nullptr) throw std::runtime_error("the model gave no logits to sample from");
  return {row, vocabulary_size_};
}

int Stepper::threads_for(size_t rows) const {
  const size_t useful = rows * vocabulary_size_ / logits_per_thread;
  const int most = context_->threads();
  return static_cast<int>(useful) < most ? static_cast<int>(useful) : most;
}

const TokenTree &Stepper::tree() {
  std::call_once(tree_begun_, [this] {
    tree_ = std::make_unique<TokenTree>(context_->api(), context_->vocab(), vocabulary_size_);
  });
  return *tree_;
}

} // namespace hearth
