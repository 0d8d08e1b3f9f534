#include "grammar.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <ctime>
#include <queue>
#include <stdexcept>
#include <utility>

namespace hearth {
namespace {

/** So many tokens are asked about at once: fewer calls, and still time to notice that they take long. */
constexpr size_t asked_at_once = 64;
/** As many of the likeliest are looked at for each one wanted, since the grammar refuses some of them. */
constexpr int looked_at_per_wanted = 8;
/** Looking ahead saves steps of some milliseconds, and may take no more than a small part of one. */
constexpr double most_seconds_ahead = 0.002;

double thread_seconds() {
  timespec time = {};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

llama_token_data data_of(int token) {
  return {token, 1.0f, 0.0f};
}

} // namespace

/** Questions asked for one draw, and the time that they may take. */
class Grammar::Questions {
public:
  Questions(const Grammar &grammar, double most_seconds) : grammar_(grammar), most_seconds_(most_seconds) {}

  /** Passes on those of `tokens` that are allowed, in their order. False: there is no time left. */
  template <typename Each>
  bool ask(const std::vector<int> &tokens, Each each) {
    std::vector<llama_token_data> some;
    for (size_t at = 0; at < tokens.size(); at += asked_at_once) {
      if (spent_seconds_ > most_seconds_) return false;
      const double began = thread_seconds();
      some.clear();
      for (size_t next = at; next < std::min(at + asked_at_once, tokens.size()); next++)
        some.push_back(data_of(tokens[next]));
      grammar_.keep_allowed(some);
      for (const llama_token_data &one : some) each(one.id);
      spent_seconds_ += thread_seconds() - began;
    }
    return true;
  }

private:
  const Grammar &grammar_;
  const double most_seconds_;
  double spent_seconds_ = 0;
};

Grammar::Grammar(const LlamaApi &api, const llama_vocab *vocab, const std::string &gbnf,
                 std::function<const TokenTree &()> tree, const ByteTokens &byte_tokens)
    : api_(api), vocab_(vocab), sampler_(api.llama_sampler_init_grammar(vocab, gbnf.c_str(), "root"), Free{&api}),
      tree_(std::move(tree)), byte_tokens_(byte_tokens), scout_(nullptr, Free{&api}) {
  if (sampler_ == nullptr) throw std::runtime_error("llama.cpp cannot parse the grammar");
}

bool Grammar::allows(int token) const {
  std::vector<llama_token_data> one{data_of(token)};
  keep_allowed(one);
  return !one.empty();
}

void Grammar::accept(int token) {
  if (api_.llama_vocab_is_eog(vocab_, token)) return;
  api_.llama_sampler_accept(sampler_.get(), token);
  const std::string text = text_of(api_, vocab_, token);
  for (const char byte : text) {
    if (last_byte_ == ':' || last_byte_ == ',') takes_space_ = byte == ' ';
    last_byte_ = byte;
  }
  if (text.size() < ahead_.size() && ahead_.compare(0, text.size(), text) == 0) {
    ahead_.erase(0, text.size());
    return;
  }
  ahead_.clear();
  scout_.reset();
  is_open_ = false;
}

const std::string &Grammar::look_ahead(size_t wanted) {
  const double end = thread_seconds() + most_seconds_ahead;
  while (ahead_.size() < wanted && !is_open_ && thread_seconds() < end) {
    const int token = next_byte_token(scout_ == nullptr ? sampler_.get() : scout_.get());
    is_open_ = token < 0;
    if (is_open_) break;
    if (scout_ == nullptr) scout_.reset(api_.llama_sampler_clone(sampler_.get()));
    api_.llama_sampler_accept(scout_.get(), token);
    ahead_ += text_of(api_, vocab_, token);
  }
  return ahead_;
}

/** The token of the byte that comes next, where there is no choice but that of a space; -1 where there is, or none comes. */
int Grammar::next_byte_token(llama_sampler *sampler) const {
  // Where several may come, letters mostly do. Only texts that begin with no ASCII are asked about the other bytes.
  static constexpr std::array<std::pair<int, int>, 5> groups = {{{'a', 'z'}, {' ', '@'}, {'A', '`'}, {'{', 127}, {0, 31}}};
  std::vector<llama_token_data> allowed;
  const auto ask = [&](int first, int last) {
    std::vector<llama_token_data> some;
    for (int byte = first; byte <= last; byte++)
      if (byte_tokens_[byte] >= 0) some.push_back(data_of(byte_tokens_[byte]));
    keep_allowed(sampler, some);
    allowed.insert(allowed.end(), some.begin(), some.end());
    return allowed.size() <= 2;
  };
  for (const auto &[first, last] : groups)
    if (!ask(first, last)) return -1;
  if (allowed.empty()) ask(128, 255);
  const int space = byte_tokens_[' '];
  if (allowed.size() == 2 && (allowed[0].id == space || allowed[1].id == space))
    return takes_space_ ? space : allowed[allowed[0].id == space ? 1 : 0].id;
  return allowed.size() == 1 ? allowed[0].id : -1;
}

void Grammar::keep_allowed(llama_sampler *sampler, std::vector<llama_token_data> &tokens) const {
  llama_token_data_array array = {tokens.data(), tokens.size(), -1, false};
  api_.llama_sampler_apply(sampler, &array);
  const auto is_refused = [](const llama_token_data &one) { return one.logit == -INFINITY; };
  tokens.erase(std::remove_if(tokens.begin(), tokens.end(), is_refused), tokens.end());
}

std::optional<std::vector<Candidate>> Grammar::find_allowed(Logits logits, int wanted, double most_seconds) const {
  Questions questions(*this, most_seconds);
  std::vector<Candidate> allowed;
  if (wanted > most_ranked) {
    if (!find_all(logits, questions, allowed)) return std::nullopt;
    std::sort(allowed.begin(), allowed.end(), comes_first);
    return allowed;
  }
  if (!find_among_likeliest(logits, wanted, questions, allowed)) return std::nullopt;
  if (static_cast<int>(allowed.size()) == wanted) return allowed;
  allowed.clear();
  if (!find_best(logits, wanted, questions, allowed)) return std::nullopt;
  return allowed;
}

bool Grammar::find_among_likeliest(Logits logits, int wanted, Questions &questions,
                                   std::vector<Candidate> &allowed) const {
  std::vector<Candidate> likeliest;
  find_likeliest(logits, std::min(most_ranked, wanted * looked_at_per_wanted), likeliest);
  std::vector<int> tokens;
  for (size_t at = 0; at < likeliest.size() && static_cast<int>(allowed.size()) < wanted; at += asked_at_once) {
    tokens.clear();
    for (size_t next = at; next < std::min(at + asked_at_once, likeliest.size()); next++)
      if (likeliest[next].logit != -INFINITY) tokens.push_back(likeliest[next].token);
    const bool is_in_time = questions.ask(tokens, [&](int token) {
      if (static_cast<int>(allowed.size()) < wanted) allowed.push_back({token, logits.values[token]});
    });
    if (!is_in_time) return false;
  }
  return true;
}

/** A next step of the search: a place whose token was not asked about yet, or a token that is allowed. */
struct Grammar::Branch {
  /** The highest logit that may be found there. */
  float highest;
  int token;
  /** -1: below an ending is nothing. */
  int place;
  bool is_allowed;

  /** The next one comes last. What was not asked about comes before what is as likely, and may have to follow it. */
  bool operator<(const Branch &other) const {
    if (highest != other.highest) return highest < other.highest;
    if (is_allowed != other.is_allowed) return is_allowed;
    return token > other.token;
  }
};

bool Grammar::find_best(Logits logits, int wanted, Questions &questions, std::vector<Candidate> &allowed) const {
  const TokenTree &tree = tree_();
  thread_local std::vector<float> highest;
  tree.find_highest(logits, highest);
  std::priority_queue<Branch> open;
  const auto add = [&](const Branch &branch) {
    if (branch.highest != -INFINITY) open.push(branch);
  };
  for (const int place : tree.roots()) add({highest[place], tree.token_at(place), place, false});
  for (const int token : tree.endings()) add({logits.values[token], token, -1, false});
  std::vector<Branch> asked;
  std::vector<int> tokens;
  while (!open.empty() && static_cast<int>(allowed.size()) < wanted) {
    asked.clear();
    tokens.clear();
    for (; !open.empty() && !open.top().is_allowed && tokens.size() < asked_at_once; open.pop()) {
      asked.push_back(open.top());
      tokens.push_back(open.top().token);
    }
    size_t at = 0;
    const bool is_in_time = questions.ask(tokens, [&](int token) {
      while (asked[at].token != token) at++;
      add({logits.values[token], token, -1, true});
      if (asked[at].place < 0) return;
      for (const int place : tree.below(asked[at].place)) add({highest[place], tree.token_at(place), place, false});
    });
    if (!is_in_time) return false;
    for (; !open.empty() && open.top().is_allowed && static_cast<int>(allowed.size()) < wanted; open.pop())
      allowed.push_back({open.top().token, open.top().highest});
  }
  return true;
}

bool Grammar::find_all(Logits logits, Questions &questions, std::vector<Candidate> &allowed) const {
  const TokenTree &tree = tree_();
  const auto keep = [&](int token) {
    if (logits.values[token] != -INFINITY) allowed.push_back({token, logits.values[token]});
  };
  // Level by level, so that many tokens are asked about at once.
  for (std::vector<int> places = tree.roots(); !places.empty();) {
    std::vector<int> tokens;
    for (const int place : places) tokens.push_back(tree.token_at(place));
    std::vector<int> below;
    size_t at = 0;
    const bool is_in_time = questions.ask(tokens, [&](int token) {
      keep(token);
      while (tokens[at] != token) at++;
      for (const int child : tree.below(places[at])) below.push_back(child);
    });
    if (!is_in_time) return false;
    places = std::move(below);
  }
  return questions.ask(tree.endings(), keep);
}

} // namespace hearth
