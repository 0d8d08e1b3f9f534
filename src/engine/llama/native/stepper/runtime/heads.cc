#include "heads.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

namespace hearth {
namespace {

/** A trail of so many tokens is read: they take less time together. */
constexpr size_t many_tokens = 64;

ContextOptions options_of_heads(ContextOptions options) {
  options.has_heads = false;
  options.is_of_heads = true;
  options.taken_back = 0;
  options.adapters = {};
  return options;
}

} // namespace

Heads::Heads(std::shared_ptr<Machine> machine, llama_model *model, ContextOptions options)
    : context_(std::move(machine), model, options_of_heads(options)),
      vocabulary_size_(context_.api().llama_vocab_n_tokens(context_.vocab())), row_size_(context_.row_size()),
      batch_tokens_(context_.api().llama_n_ubatch(context_.handle())), trails_(options.sequences) {}

std::vector<double> Heads::memory() const {
  std::vector<double> own = context_.memory().own;
  own[0] += sizeof(float) * row_size_ * (batch_tokens_ + many_tokens * trails_.size());
  return own;
}

void Heads::follow(const Batch &batch, const float *rows) {
  // llama.cpp gives rows in the order in which it computed them.
  const auto has_outputs = [](const BatchPart &part) { return part.first_output == 0; };
  const bool is_ordered =
      batch.parts.size() == 1 || std::all_of(batch.parts.begin(), batch.parts.end(), has_outputs);
  size_t at = 0;
  for (const BatchPart &part : batch.parts) {
    Trail &trail = trails_.at(part.sequence);
    if (rows == nullptr || !is_ordered) {
      skip(part.sequence, part.position + part.count);
      at += part.count;
      continue;
    }
    follow_to(part.sequence, part.position);
    if (trail.tokens.size() >= many_tokens) read({part.sequence});
    trail.last.resize(row_size_);
    for (int token = 0; token < part.count; token++, at++) {
      trail.tokens.push_back(batch.tokens[at]);
      trail.rows.insert(trail.rows.end(), trail.last.begin(), trail.last.end());
      trail.last.assign(rows + at * row_size_, rows + (at + 1) * row_size_);
    }
  }
}

std::vector<std::vector<int>> Heads::guess(const std::vector<Ask> &asks) {
  std::vector<std::vector<int>> guesses(asks.size());
  std::vector<int> sequences;
  HeadBatch batch;
  /** The ask of each token of the batch. */
  std::vector<size_t> asked;
  for (const Ask &ask : asks) {
    follow_to(ask.sequence, ask.position);
    sequences.push_back(ask.sequence);
  }
  read(sequences);
  for (size_t at = 0; at < asks.size(); at++) {
    Trail &trail = trails_[asks[at].sequence];
    trail.last.resize(row_size_);
    add(batch, asks[at].sequence, asks[at].token, asks[at].position, trail.last.data(), true);
    asked.push_back(at);
  }
  try {
    for (int further = 1; !batch.tokens.empty(); further++) {
      context_.decode(batch);
      HeadBatch next;
      std::vector<size_t> next_asked;
      for (size_t index = 0; index < asked.size(); index++) {
        const Ask &ask = asks[asked[index]];
        const float *const logits = context_.logits_at(static_cast<int>(index));
        const float *const row = context_.row_at(static_cast<int>(index));
        if (logits == nullptr || row == nullptr) continue;
        const float *const best = std::max_element(logits, logits + vocabulary_size_);
        if (!std::isfinite(*best)) continue;
        const int token = static_cast<int>(best - logits);
        guesses[asked[index]].push_back(token);
        if (further == ask.most) continue;
        add(next, ask.sequence, token, ask.position + further, row, true);
        next_asked.push_back(asked[index]);
      }
      batch = std::move(next);
      asked = std::move(next_asked);
    }
    // Of the tokens that come, the rows will be the model's own.
    for (const Ask &ask : asks)
      if (!context_.cut(ask.sequence, ask.position)) skip(ask.sequence, ask.position);
  } catch (const std::runtime_error &) {
    for (const Ask &ask : asks) skip(ask.sequence, ask.position);
  }
  return guesses;
}

void Heads::follow_to(int sequence, int position) {
  if (position > trails_.at(sequence).end()) skip(sequence, position);
  else cut(sequence, position);
}

void Heads::cut(int sequence, int position) {
  Trail &trail = trails_.at(sequence);
  if (position >= trail.end()) return;
  if (position < trail.begin) {
    if (position <= 0 || !context_.cut(sequence, position)) return skip(sequence, std::max(0, position));
    trail = {position, {}, {}, {}};
    return;
  }
  const size_t kept = position - trail.begin;
  const auto last = trail.rows.begin() + kept * row_size_;
  trail.last.assign(last, last + row_size_);
  trail.tokens.resize(kept);
  trail.rows.resize(kept * row_size_);
}

void Heads::skip(int sequence, int position) {
  context_.cut(sequence, 0);
  trails_.at(sequence) = {position, {}, {}, {}};
}

void Heads::copy(int source, int target) {
  try {
    context_.copy(source, target);
    trails_.at(target) = trails_.at(source);
  } catch (const std::runtime_error &) {
    skip(target, trails_.at(source).end());
  }
}

bool Heads::reshape(uint32_t cells, bool is_unified, const std::vector<SharedPrefix> &shared) {
  try {
    if (!context_.reshape(cells, is_unified, shared)) return false;
  } catch (const std::runtime_error &) {
    return false;
  }
  for (size_t sequence = 0; sequence < trails_.size(); sequence++)
    if (trails_[sequence].begin > 0 && !context_.holds(sequence)) skip(sequence, trails_[sequence].end());
  return true;
}

void Heads::read(const std::vector<int> &sequences) {
  try {
    HeadBatch batch;
    for (const int sequence : sequences) {
      Trail &trail = trails_[sequence];
      const Trail read = std::exchange(trail, {trail.end(), {}, {}, trail.last});
      for (size_t at = 0; at < read.tokens.size(); at++) {
        add(batch, sequence, read.tokens[at], read.begin + at, &read.rows[at * row_size_], false);
        if (batch.tokens.size() < batch_tokens_) continue;
        context_.decode(batch);
        batch = {};
      }
    }
    if (!batch.tokens.empty()) context_.decode(batch);
  } catch (const std::runtime_error &) {
    for (const int sequence : sequences) skip(sequence, trails_[sequence].end());
  }
}

void Heads::add(HeadBatch &batch, int sequence, llama_token token, int position, const float *row,
                bool is_wanted) const {
  batch.tokens.push_back(token);
  batch.rows.insert(batch.rows.end(), row, row + row_size_);
  batch.positions.push_back(position);
  batch.sequences.push_back(sequence);
  batch.wanted.push_back(is_wanted);
}

} // namespace hearth
