// How far an answer has come in a grammar, asked of llama.cpp's own.
#pragma once
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "llama-api.h"
#include "logits.h"
#include "token-tree.h"

namespace hearth {

class Grammar {
public:
  /** Where more are wanted, all allowed tokens are found instead. */
  static constexpr int most_ranked = 256;

  /** `tree` is called when it is first needed. Throws std::runtime_error when llama.cpp cannot parse `gbnf`. */
  Grammar(const LlamaApi &api, const llama_vocab *vocab, const std::string &gbnf,
          std::function<const TokenTree &()> tree, const ByteTokens &byte_tokens);

  bool allows(int token) const;
  /** Goes on by a token that it allows. A token that ends the turn is no part of it. */
  void accept(int token);

  /**
   * The text that comes next, as far as there is only one: `wanted` bytes or more, or all of it. Where spaces may be
   * left out, it has them if the text so far has. Empty where several texts may come, and where it takes too long to tell.
   */
  const std::string &look_ahead(size_t wanted);

  /**
   * The likeliest allowed tokens, the likeliest first: `wanted` of them, or all where there are fewer or more than
   * `most_ranked` are wanted. None with an infinitely low logit. Nothing where asking a grammar with many alternatives
   * takes longer than `most_seconds` of the asking thread's own processor time: on a busy machine a seed gives the same
   * text as on an idle one.
   */
  std::optional<std::vector<Candidate>> find_allowed(Logits logits, int wanted, double most_seconds) const;

private:
  class Questions;
  struct Branch;
  bool find_among_likeliest(Logits logits, int wanted, Questions &questions, std::vector<Candidate> &allowed) const;
  bool find_best(Logits logits, int wanted, Questions &questions, std::vector<Candidate> &allowed) const;
  bool find_all(Logits logits, Questions &questions, std::vector<Candidate> &allowed) const;
  /** Keeps those of `tokens` that are allowed. */
  void keep_allowed(std::vector<llama_token_data> &tokens) const { keep_allowed(sampler_.get(), tokens); }
  void keep_allowed(llama_sampler *sampler, std::vector<llama_token_data> &tokens) const;
  int next_byte_token(llama_sampler *sampler) const;

  struct Free {
    const LlamaApi *api;
    void operator()(llama_sampler *sampler) const { api->llama_sampler_free(sampler); }
  };
  const LlamaApi &api_;
  const llama_vocab *vocab_;
  std::unique_ptr<llama_sampler, Free> sampler_;
  std::function<const TokenTree &()> tree_;
  const ByteTokens &byte_tokens_;
  /** A space followed the last colon or comma: where the grammar allows one and leaves no other choice, it comes again. */
  bool takes_space_ = true;
  char last_byte_ = 0;
  /** The text that comes next, as far as it is known. */
  std::string ahead_;
  /** The grammar after that text; none where that is empty. */
  std::unique_ptr<llama_sampler, Free> scout_;
  /** Behind that text several may come. */
  bool is_open_ = false;
};

} // namespace hearth
