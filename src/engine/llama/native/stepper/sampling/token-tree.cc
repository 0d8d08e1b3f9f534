#include "token-tree.h"

#include <algorithm>
#include <string>

namespace hearth {

std::string text_of(const LlamaApi &api, const llama_vocab *vocab, int token) {
  std::string text(64, '\0');
  int length = api.llama_token_to_piece(vocab, token, text.data(), static_cast<int>(text.size()), 0, true);
  if (length < 0) {
    text.resize(-length);
    length = api.llama_token_to_piece(vocab, token, text.data(), static_cast<int>(text.size()), 0, true);
  }
  text.resize(std::max(length, 0));
  return text;
}

ByteTokens find_byte_tokens(const LlamaApi &api, const llama_vocab *vocab) {
  ByteTokens found;
  found.fill(-1);
  // They stand at the beginning of most vocabularies.
  size_t missing = found.size();
  for (int token = 0; token < api.llama_vocab_n_tokens(vocab) && missing > 0; token++) {
    const std::string text = text_of(api, vocab, token);
    if (text.size() != 1 || api.llama_vocab_is_eog(vocab, token)) continue;
    int &known = found[static_cast<uint8_t>(text[0])];
    if (known < 0) missing--, known = token;
  }
  return found;
}

namespace {

bool begins_with(const std::string &text, const std::string &beginning) {
  return text.compare(0, beginning.size(), beginning) == 0;
}

} // namespace

TokenTree::TokenTree(const LlamaApi &api, const llama_vocab *vocab, int vocabulary_size) {
  std::vector<std::pair<std::string, int>> texts;
  texts.reserve(vocabulary_size);
  for (int token = 0; token < vocabulary_size; token++) {
    if (api.llama_vocab_is_eog(vocab, token)) {
      endings_.push_back(token);
      continue;
    }
    std::string text = text_of(api, vocab, token);
    if (!text.empty()) texts.emplace_back(std::move(text), token);
  }
  std::sort(texts.begin(), texts.end());
  ends_.resize(texts.size());
  std::vector<int> open;
  for (int place = 0; place < static_cast<int>(texts.size()); place++) {
    for (; !open.empty() && !begins_with(texts[place].first, texts[open.back()].first); open.pop_back())
      ends_[open.back()] = place;
    parents_.push_back(open.empty() ? -1 : open.back());
    open.push_back(place);
    tokens_.push_back(texts[place].second);
  }
  for (const int place : open) ends_[place] = static_cast<int>(texts.size());
}

void TokenTree::find_highest(Logits logits, std::vector<float> &highest) const {
  highest.resize(tokens_.size());
  for (size_t place = 0; place < tokens_.size(); place++) highest[place] = logits.values[tokens_[place]];
  for (size_t place = tokens_.size(); place-- > 0;)
    if (parents_[place] >= 0) highest[parents_[place]] = std::max(highest[parents_[place]], highest[place]);
}

std::vector<int> TokenTree::children(int first, int end) const {
  std::vector<int> found;
  for (int place = first; place < end; place = ends_[place]) found.push_back(place);
  return found;
}

} // namespace hearth
