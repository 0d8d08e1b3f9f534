// What JavaScript sees of session.h: functions over two kinds of handles. Whatever takes longer than a blink runs on a
// thread of its own, never on libuv's pool, and gives a promise. ../addon/native.ts says what each function takes;
// an argument that is not that is a TypeError.
#include <node_api.h>

#include <thread>

#ifdef __linux__
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

#include "functions.h"
#include "handles.h"
#include "job.h"
#include "session.h"

namespace hearth {

template <>
const napi_type_tag handle_tag<Model> = {0x68656172746d6f64, 0x1};
template <>
const napi_type_tag handle_tag<Session> = {0x6865617274736573, 0x2};

namespace {

// ---- Values that only speech has ------------------------------------------------------------------------------------

/** The samples of a Float32Array, where they are: whoever uses them keeps the array. */
Samples to_samples(napi_env env, napi_value value) {
  napi_typedarray_type type;
  void *data = nullptr;
  size_t count = 0;
  check(napi_get_typedarray_info(env, value, &type, &count, &data, nullptr, nullptr), "not a typed array");
  if (type != napi_float32_array) throw BadArgument("bad argument: a typed array of another kind");
  return {static_cast<const float *>(data), count};
}

std::vector<Token> to_tokens(napi_env env, napi_value value) {
  return to_vector<Token>(env, value, napi_int32_array);
}

// ---- Jobs: work on a thread of its own, and the promise of its result -----------------------------------------------

/** The share of the processor that a job may take. */
struct Share {
  int threads = 1;
  /** Other computing in this process goes first. */
  bool yields = false;
};

Share to_share(napi_env env, napi_value object) {
  return {to_int(env, get(env, object, "threads"), 1, 512), to_bool(env, get(env, object, "yields"))};
}

/** Lowers the priority of this thread and of all that it starts, where the system does that for single threads. */
void yield_to_others() {
#ifdef __linux__
  constexpr int niceness = 10;
  setpriority(PRIO_PROCESS, static_cast<id_t>(syscall(SYS_gettid)), niceness);
#endif
}

/** A job with a thread of its own. */
struct ThreadJob : Job {
  bool yields = false;
  /** What JavaScript has to keep until the work is done; null: nothing. */
  napi_ref kept = nullptr;
  napi_threadsafe_function finished = nullptr;
  std::thread thread;

  void run() {
    if (yields) yield_to_others();
    Job::run();
    napi_call_threadsafe_function(finished, this, napi_tsfn_blocking);
  }
};

/** On JavaScript's thread. `env` is null where JavaScript has ended meanwhile. */
void settle(napi_env env, napi_value, void *, void *data) {
  const std::unique_ptr<ThreadJob> job(static_cast<ThreadJob *>(data));
  job->thread.join();
  if (env == nullptr) return;
  if (job->kept != nullptr) napi_delete_reference(env, job->kept);
  job->settle(env);
  napi_release_threadsafe_function(job->finished, napi_tsfn_release);
}

/** The promise of what `work` gives on a thread of its own. It may read the memory of `kept`, which is not freed before. */
napi_value start(napi_env env, Work work, bool yields = false, napi_value kept = nullptr) {
  auto job = std::make_unique<ThreadJob>();
  job->work = std::move(work);
  job->yields = yields;
  napi_value promise, name;
  check(napi_create_promise(env, &job->deferred, &promise), "promise");
  check(napi_create_string_utf8(env, "whisper", NAPI_AUTO_LENGTH, &name), "name");
  check(napi_create_threadsafe_function(env, nullptr, nullptr, name, 0, 1, nullptr, nullptr, nullptr, settle,
                                        &job->finished),
        "thread");
  if (kept != nullptr) check(napi_create_reference(env, kept, 1, &job->kept), "reference");
  try {
    job->thread = std::thread([running = job.get()] { running->run(); });
  } catch (...) {
    if (job->kept != nullptr) napi_delete_reference(env, job->kept);
    napi_release_threadsafe_function(job->finished, napi_tsfn_abort);
    throw;
  }
  job.release(); // settle() owns it now
  return promise;
}

// ---- The functions --------------------------------------------------------------------------------------------------

napi_value load_model(napi_env env, const Arguments &arguments) {
  return start(env, [path = to_string(env, arguments[0]), use_gpu = to_bool(env, arguments[1])]() -> Result {
    auto model = std::make_shared<Model>(path, use_gpu);
    return [model](napi_env env) { return from_shared(env, model); };
  });
}

napi_value describe_model(napi_env env, const Arguments &arguments) {
  const auto model = to_shared<Model>(env, arguments[0]);
  napi_value facts;
  check(napi_create_object(env, &facts), "object");
  set(env, facts, "languageCount", from_number(env, model->language_count()));
  set(env, facts, "audioContext", from_number(env, model->audio_context()));
  set(env, facts, "textContext", from_number(env, model->text_context()));
  set(env, facts, "endOfText", from_number(env, whisper_token_eot(model->context())));
  set(env, facts, "firstTimestamp", from_number(env, whisper_token_beg(model->context())));
  return facts;
}

napi_value tokenize(napi_env env, const Arguments &arguments) {
  return start(env, [model = to_shared<Model>(env, arguments[0]), text = to_string(env, arguments[1])]() -> Result {
    return [tokens = model->tokenize(text)](napi_env env) { return from_vector(env, tokens, napi_int32_array); };
  });
}

napi_value text_of(napi_env env, const Arguments &arguments) {
  const auto model = to_shared<Model>(env, arguments[0]);
  const std::string text = model->text_of(to_tokens(env, arguments[1]));
  return from_vector(env, std::vector<uint8_t>(text.begin(), text.end()), napi_uint8_array);
}

napi_value open_session(napi_env env, const Arguments &arguments) {
  return start(env, [model = to_shared<Model>(env, arguments[0])]() -> Result {
    auto session = std::make_shared<Session>(model);
    return [session](napi_env env) { return from_shared(env, session); };
  });
}

napi_value set_audio(napi_env env, const Arguments &arguments) {
  const auto session = to_shared<Session>(env, arguments[0]);
  const Share share = to_share(env, arguments[2]);
  // An hour of samples is 230 MB: to copy them would hold up JavaScript.
  Work work = [session, samples = to_samples(env, arguments[1]), share]() -> Result {
    const bool is_taken = session->set_audio(samples, share.threads);
    return [is_taken](napi_env env) { return from_bool(env, is_taken); };
  };
  return start(env, std::move(work), share.yields, arguments[1]);
}

napi_value encode(napi_env env, const Arguments &arguments) {
  const auto session = to_shared<Session>(env, arguments[0]);
  const int offset_frames = to_int(env, arguments[1], 0, INT32_MAX);
  const Share share = to_share(env, arguments[2]);
  Work work = [session, offset_frames, share] {
    session->encode(offset_frames, share.threads);
    return undefined;
  };
  return start(env, std::move(work), share.yields);
}

napi_value detect_language(napi_env env, const Arguments &arguments) {
  const auto session = to_shared<Session>(env, arguments[0]);
  const Share share = to_share(env, arguments[1]);
  Work work = [session, share]() -> Result {
    const int language = session->detect_language(share.threads);
    return [language](napi_env env) { return from_number(env, language); };
  };
  return start(env, std::move(work), share.yields);
}

DecodeOptions to_decode_options(napi_env env, napi_value object) {
  DecodeOptions options;
  options.past = to_tokens(env, get(env, object, "past"));
  options.language = to_int(env, get(env, object, "language"), 0, 99);
  options.translates = to_int(env, get(env, object, "translates"), 0, 1) == 1;
  options.temperature = to_number(env, get(env, object, "temperature"));
  options.seed = to_int(env, get(env, object, "seed"), 0, INT32_MAX);
  return options;
}

napi_value decode(napi_env env, const Arguments &arguments) {
  const auto session = to_shared<Session>(env, arguments[0]);
  const Share share = to_share(env, arguments[2]);
  DecodeOptions options = to_decode_options(env, arguments[1]);
  options.threads = share.threads;
  Work work = [session, options]() -> Result {
    return [window = session->decode(options)](napi_env env) {
      napi_value object;
      check(napi_create_object(env, &object), "object");
      set(env, object, "tokens", from_vector(env, window.tokens, napi_int32_array));
      set(env, object, "logprobs", from_vector(env, window.logprobs, napi_float32_array));
      set(env, object, "noSpeechProb", from_number(env, window.no_speech_prob));
      return object;
    };
  };
  return start(env, std::move(work), share.yields);
}

napi_value detect_speech_in(napi_env env, const Arguments &arguments) {
  const Share share = to_share(env, arguments[2]);
  Work work = [path = to_string(env, arguments[0]), samples = to_samples(env, arguments[1]), share]() -> Result {
    return [bounds = detect_speech(path, samples, share.threads)](napi_env env) {
      return from_vector(env, bounds, napi_float32_array);
    };
  };
  return start(env, std::move(work), share.yields, arguments[1]);
}

napi_value cancel(napi_env env, const Arguments &arguments) {
  to_shared<Session>(env, arguments[0])->cancel();
  return undefined(env);
}

/** Takes the handle away from JavaScript; the memory is free by then, unless a job or a session still needs it. */
template <typename Held>
napi_value release(napi_env env, const Arguments &arguments) {
  std::shared_ptr<Held> held;
  held.swap(to_slot<Held>(env, arguments[0]));
  return start(env, [held = std::move(held)]() mutable {
    held.reset();
    return undefined;
  });
}

void be_silent(ggml_log_level, const char *, void *) {}

}  // namespace
}  // namespace hearth

NAPI_MODULE_INIT() {
  using namespace hearth;
  whisper_log_set(be_silent, nullptr);
  add<load_model, 2>(env, exports, "loadModel");
  add<describe_model, 1>(env, exports, "describeModel");
  add<tokenize, 2>(env, exports, "tokenize");
  add<text_of, 2>(env, exports, "textOf");
  add<release<Model>, 1>(env, exports, "releaseModel");
  add<open_session, 1>(env, exports, "openSession");
  add<set_audio, 3>(env, exports, "setAudio");
  add<encode, 3>(env, exports, "encode");
  add<detect_language, 2>(env, exports, "detectLanguage");
  add<decode, 3>(env, exports, "decode");
  add<cancel, 1>(env, exports, "cancel");
  add<release<Session>, 1>(env, exports, "releaseSession");
  add<detect_speech_in, 3>(env, exports, "detectSpeech");
  return exports;
}
