#include "session.h"

#include <algorithm>
#include <cmath>

#include "token-rules.h"

namespace hearth {

namespace {

/** Vocabularies of this size and above know other languages: their last ids are the languages' and the tasks'. */
constexpr int tokens_without_languages = 51765;

/** 0.1 s. */
constexpr size_t least_samples = WHISPER_SAMPLE_RATE / 10;

/** Symbols of non_speech_tokens in openai/whisper's tokenizer.py, each also with a space in front. */
constexpr const char *symbol_texts[] = {
    "\"", "#",  "(",  ")",  "*",   "+",   "/",   ":",   ";",   "<",   "=",   ">",  "@",  "[",  "\\",
    "]",  "^",  "_",  "`",  "{",   "|",   "}",   "~",   "「",  "」",  "『",  "』", "<<", ">>", "<<<",
    ">>>", "--", "---", "-(", "-[", "('", "(\"", "((", "))", "(((", ")))", "[[", "]]", "{{", "}}", "♪♪",
    "♪♪♪", "♩", "♪", "♫", "♬", "♭", "♮", "♯"};
/** A word may begin with these, but not stand for itself. */
constexpr const char *lone_symbol_texts[] = {" -", " '"};

/**
 * `text` in pieces, none of which has more than `longest_word` bytes without a space: whisper.cpp's time grows with
 * the square of a word's length, and its regular expressions go one call deeper for each byte.
 */
std::vector<std::string> cut_long_words(const std::string &text) {
  constexpr size_t longest_word = 128;
  const auto continues_character = [](char byte) { return (byte & 0xC0) == 0x80; };
  std::vector<std::string> pieces(1);
  size_t word_length = 0;
  for (const char byte : text) {
    word_length = byte == ' ' ? 0 : word_length + 1;
    if (word_length > longest_word && !continues_character(byte)) {
      pieces.emplace_back();
      word_length = 1;
    }
    pieces.back() += byte;
  }
  return pieces;
}

std::vector<Token> find_symbols(const Model &model) {
  std::vector<Token> symbols;
  const auto add = [&](const std::string &text) {
    const auto tokens = model.tokenize(text);
    if (tokens.size() == 1) symbols.push_back(tokens[0]);
  };
  for (const std::string text : symbol_texts) {
    add(text);
    add(" " + text);
  }
  for (const char *text : lone_symbol_texts) add(text);
  return symbols;
}

}  // namespace

Model::Model(const std::string &path, bool use_gpu) {
  whisper_context_params params = whisper_context_default_params();
  params.use_gpu = use_gpu;
  context_.reset(whisper_init_from_file_with_params_no_state(path.c_str(), params));
  if (!context_) throw std::runtime_error("whisper.cpp cannot read the model file");
  const bool multilingual = whisper_is_multilingual(context());
  language_count_ = multilingual ? vocabulary_size() - tokens_without_languages - 1 : 0;
  // whisper.cpp's own way to tell them.
  writes_timestamps_ = whisper_model_n_text_layer(context()) != 2 || vocabulary_size() == 51866;
  symbols_ = find_symbols(*this);
}

std::vector<Token> Model::tokenize(const std::string &text) const {
  std::vector<Token> tokens;
  for (const std::string &piece : cut_long_words(text)) {
    std::vector<Token> found(piece.size());
    found.resize(std::max(0, whisper_tokenize(context(), piece.c_str(), found.data(), found.size())));
    tokens.insert(tokens.end(), found.begin(), found.end());
  }
  return tokens;
}

std::string Model::text_of(const std::vector<Token> &tokens) const {
  std::string text;
  for (const Token token : tokens) {
    if (token < 0 || token >= whisper_token_eot(context())) throw std::runtime_error("not a text token");
    text += whisper_token_to_str(context(), token);
  }
  return text;
}

Session::Session(std::shared_ptr<const Model> model)
    : model_(std::move(model)), state_(whisper_init_state(model_->context())) {
  if (!state_) throw std::runtime_error("there is not enough memory to transcribe");
}

bool Session::set_audio(Samples samples, int threads) {
  check_cancelled();
  const float *const end = samples.data + samples.count;
  if (!std::all_of(samples.data, end, [](float sample) { return std::isfinite(sample); })) return false;
  // The spectrogram mirrors the beginning, and reads beyond the end of anything shorter than that.
  std::vector<float> filled;
  if (samples.count < least_samples) {
    filled.assign(samples.data, end);
    filled.resize(least_samples);
    samples = {filled.data(), filled.size()};
  }
  if (whisper_pcm_to_mel_with_state(model_->context(), state_.get(), samples.data, samples.count, threads) != 0)
    throw std::runtime_error("the spectrogram could not be computed");
  return true;
}

void Session::encode(int offset_frames, int threads) {
  check_cancelled();
  if (whisper_encode_with_state(model_->context(), state_.get(), offset_frames, threads) != 0)
    throw std::runtime_error("the audio could not be encoded");
}

int Session::detect_language(int threads) {
  const Token start = whisper_token_sot(model_->context());
  const float *const languages = advance({start}, 0, threads) + start + 1;
  return std::max_element(languages, languages + model_->language_count()) - languages;
}

DecodedWindow Session::decode(const DecodeOptions &options) {
  const auto is_known = [this](Token token) { return token >= 0 && token < model_->vocabulary_size(); };
  if (!std::all_of(options.past.begin(), options.past.end(), is_known)) throw std::runtime_error("not a token");
  if (options.language > 0 && options.language >= model_->language_count())
    throw std::runtime_error("not a language of the model");
  TokenRules rules(*model_, options.temperature, options.seed);
  DecodedWindow window;

  const std::vector<Token> beginning = this->beginning(options);
  const float *logits = advance(beginning, 0, options.threads);
  const Token no_speech = whisper_token_nosp(model_->context());
  window.no_speech_prob = probability(logits, model_->vocabulary_size(), no_speech);

  const std::vector<Token> task = this->task(options);
  if (!task.empty()) logits = advance(task, beginning.size(), options.threads);

  const int before = beginning.size() + task.size();
  const int room = std::min(model_->text_context() / 2, model_->text_context() - before);
  for (int count = 0; count < room; count++) {
    const Choice choice = rules.choose(logits, window.tokens);
    window.logprobs.push_back(choice.logprob);
    if (choice.token == whisper_token_eot(model_->context())) break;
    window.tokens.push_back(choice.token);
    if (count + 1 < room) logits = advance({choice.token}, before + count, options.threads);
  }
  return window;
}

const float *Session::advance(const std::vector<Token> &tokens, int past_count, int threads) {
  check_cancelled();
  const int count = tokens.size();
  if (whisper_decode_with_state(model_->context(), state_.get(), tokens.data(), count, past_count, threads) != 0)
    throw std::runtime_error("a token could not be computed");
  const size_t last_row = static_cast<size_t>(count - 1) * model_->vocabulary_size();
  return whisper_get_logits_from_state(state_.get()) + last_row;
}

/** The tokens of the text before, and the start of the transcript. */
std::vector<Token> Session::beginning(const DecodeOptions &options) const {
  std::vector<Token> tokens;
  const size_t room = model_->text_context() / 2 - 1;
  const size_t kept = std::min(room, options.past.size());
  if (kept > 0) {
    tokens.push_back(whisper_token_prev(model_->context()));
    tokens.insert(tokens.end(), options.past.end() - kept, options.past.end());
  }
  tokens.push_back(whisper_token_sot(model_->context()));
  return tokens;
}

/** The tokens behind the start: language, task, and whether timestamps are left out. */
std::vector<Token> Session::task(const DecodeOptions &options) const {
  std::vector<Token> tokens;
  if (model_->language_count() > 0) {
    tokens.push_back(whisper_token_lang(model_->context(), options.language));
    tokens.push_back(options.translates ? whisper_token_translate(model_->context())
                                        : whisper_token_transcribe(model_->context()));
  }
  if (!model_->writes_timestamps()) tokens.push_back(whisper_token_not(model_->context()));
  return tokens;
}

void Session::check_cancelled() const {
  if (cancelled_) throw Cancelled();
}

std::vector<float> detect_speech(const std::string &model_path, Samples samples, int threads) {
  struct FreeDetector {
    void operator()(whisper_vad_context *detector) const { whisper_vad_free(detector); }
  };
  struct FreeSegments {
    void operator()(whisper_vad_segments *segments) const { whisper_vad_free_segments(segments); }
  };
  whisper_vad_context_params params = whisper_vad_default_context_params();
  params.n_threads = threads;
  params.use_gpu = false;
  const std::unique_ptr<whisper_vad_context, FreeDetector> detector(
      whisper_vad_init_from_file_with_params(model_path.c_str(), params));
  if (!detector) throw std::runtime_error("whisper.cpp cannot read the voice activity detector");
  const std::unique_ptr<whisper_vad_segments, FreeSegments> segments(whisper_vad_segments_from_samples(
      detector.get(), whisper_vad_default_params(), samples.data, samples.count));
  if (!segments) throw std::runtime_error("the voice activity detector failed");

  constexpr float seconds = 0.01f;  // whisper.cpp counts in hundredths
  std::vector<float> bounds;
  for (int index = 0; index < whisper_vad_segments_n_segments(segments.get()); index++) {
    bounds.push_back(whisper_vad_segments_get_segment_t0(segments.get(), index) * seconds);
    bounds.push_back(whisper_vad_segments_get_segment_t1(segments.get(), index) * seconds);
  }
  return bounds;
}

}  // namespace hearth
