#include "stepper.h"

#include <stdexcept>

#include "logprobs.h"

namespace hearth {
namespace {

/** A thread is woken for so many logits at least: looking at fewer takes less time than waking it. */
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

/** As long as it lives, all that is decoded together looks at all of it, where that is wanted. */
class WholeAttention {
public:
  WholeAttention(const LlamaApi &api, llama_context *context, bool is_wanted)
      : api_(api), context_(context), is_wanted_(is_wanted) {
    if (is_wanted_) api_.llama_set_causal_attn(context_, false);
  }
  ~WholeAttention() {
    if (is_wanted_) api_.llama_set_causal_attn(context_, true);
  }

private:
  const LlamaApi &api_;
  llama_context *context_;
  bool is_wanted_;
};

} // namespace

Stepper::Stepper(std::shared_ptr<Machine> machine, const OpenedContext &opened)
    : machine_(std::move(machine)), opened_(opened) {}

std::vector<std::vector<double>> Stepper::step(const std::vector<Draw> &draws) {
  decode(*opened_.batch);
  // Puts the rows in the order of the batch, so that they can be looked at from several threads.
  machine_->api.llama_get_logits(opened_.context);
  std::vector<Logits> rows;
  for (const Draw &draw : draws) rows.push_back(logits_at(draw.logit_index));
  std::vector<std::vector<double>> drawn(draws.size());
  machine_->crew.run(static_cast<int>(draws.size()), threads_for(draws.size()), [&](int at) {
    drawn[at] = draw_from(rows[at], draws[at], most_seconds_in_step);
    if (drawn[at][0] == takes_too_long) draws[at].sampler->keep(rows[at]);
  });
  return drawn;
}

std::vector<double> finish(const Draw &draw) { return draw_from(draw.sampler->kept(), draw, most_seconds); }

std::vector<std::vector<double>> Stepper::logprobs(const std::vector<Question> &questions) {
  std::vector<Logits> rows;
  for (const Question &question : questions) rows.push_back(logits_at(question.logit_index));
  std::vector<std::vector<double>> told(questions.size());
  machine_->crew.run(static_cast<int>(questions.size()), threads_for(questions.size()), [&](int at) {
    told[at] = logprobs_of(rows[at], questions[at].token, questions[at].alternatives);
  });
  return told;
}

std::shared_ptr<Grammar> Stepper::begin_grammar(const std::string &gbnf, const std::vector<int> &begun) {
  const auto find_tree = [this]() -> const TokenTree & { return tree(); };
  auto grammar = std::make_shared<Grammar>(machine_->api, opened_.vocab, gbnf, find_tree);
  for (const int token : begun) {
    if (!grammar->allows(token)) return nullptr;
    grammar->accept(token);
  }
  return grammar;
}

void Stepper::decode_embeddings(const float *embeddings, std::vector<llama_pos> positions, int count, int sequence,
                                bool is_whole) {
  const LlamaApi &api = machine_->api;
  // llama.cpp ends the process where so many are to be looked at as a whole.
  if (is_whole && static_cast<uint32_t>(count) > api.llama_n_ubatch(opened_.context))
    throw std::runtime_error("it takes more cells than a step may compute together");
  std::vector<int32_t> sequence_counts(count, 1);
  llama_seq_id sequence_id = sequence;
  std::vector<llama_seq_id *> sequences(count + 1, &sequence_id);
  sequences[count] = nullptr;
  std::vector<int8_t> wanted(count, 0);
  const WholeAttention attention(api, opened_.context, is_whole);
  decode({count, nullptr, const_cast<float *>(embeddings), positions.data(), sequence_counts.data(), sequences.data(),
          wanted.data()});
}

void Stepper::decode(const llama_batch &batch) {
  const LlamaApi &api = machine_->api;
  machine_->pools.attach_to(opened_.context);
  const int outcome = api.llama_decode(opened_.context, batch);
  if (outcome == 1) throw std::runtime_error("there is no room in the cache for the batch");
  if (outcome != 0) throw std::runtime_error("the batch could not be computed");
  api.llama_synchronize(opened_.context);
}

Logits Stepper::logits_at(int index) const {
  float *const row = machine_->api.llama_get_logits_ith(opened_.context, index);
  if (row == nullptr) throw std::runtime_error("the model gave no logits to sample from");
  return {row, opened_.vocabulary_size};
}

int Stepper::threads_for(size_t rows) const {
  const size_t useful = rows * opened_.vocabulary_size / logits_per_thread;
  const int most = machine_->api.llama_n_threads(opened_.context);
  return static_cast<int>(useful) < most ? static_cast<int>(useful) : most;
}

const TokenTree &Stepper::tree() {
  std::call_once(tree_begun_, [this] {
    tree_ = std::make_unique<TokenTree>(machine_->api, opened_.vocab, opened_.vocabulary_size);
  });
  return *tree_;
}

} // namespace hearth
