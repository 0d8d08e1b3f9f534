#pragma once
#include <array>
#include <string>
#include <vector>

#include "llama-api.h"
#include "logits.h"

namespace hearth {

/** The bytes that a token stands for. */
std::string text_of(const LlamaApi &api, const llama_vocab *vocab, int token);

/** For each byte a token that stands for it alone; -1: there is none. */
using ByteTokens = std::array<int, 256>;

ByteTokens find_byte_tokens(const LlamaApi &api, const llama_vocab *vocab);

/**
 * The tokens of a vocabulary in the order of their texts. Below a token stand those that begin with its text: a grammar
 * that refuses a token refuses all of these too.
 */
class TokenTree {
public:
  TokenTree(const LlamaApi &api, const llama_vocab *vocab, int vocabulary_size);

  /** Tokens that end the model's turn, which stand for no text and are not in the tree. */
  const std::vector<int> &endings() const { return endings_; }

  int token_at(int place) const { return tokens_[place]; }
  /** The places below nothing. */
  std::vector<int> roots() const { return children(0, static_cast<int>(tokens_.size())); }
  /** The places right below `place`. */
  std::vector<int> below(int place) const { return children(place + 1, ends_[place]); }
  /** For each place the highest logit of its token and of those below it. */
  void find_highest(Logits logits, std::vector<float> &highest) const;

private:
  std::vector<int> children(int first, int end) const;

  std::vector<int> tokens_;
  /** For each place the first one after it that does not stand below it. */
  std::vector<int> ends_;
  /** For each place the one that it stands right below; -1: none. */
  std::vector<int> parents_;
  std::vector<int> endings_;
};

} // namespace hearth
