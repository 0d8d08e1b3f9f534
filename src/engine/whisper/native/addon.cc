// What JavaScript sees of session.h: functions over two kinds of handles. Whatever takes longer than a blink runs on a
// thread of its own, never on libuv's pool, and gives a promise. ../native.ts says what each function takes; an
// argument that is not that is a TypeError.
#include <node_api.h>

#include <functional>
#include <thread>

#ifdef __linux__
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

#include "session.h"

namespace hearth {
namespace {

// ---- JavaScript values ----------------------------------------------------------------------------------------------

/** Thrown where a JavaScript exception is pending or N-API refused something. */
struct BadArgument : std::runtime_error {
  using std::runtime_error::runtime_error;
};

void check(napi_status status, const char *what) {
  if (status != napi_ok) throw BadArgument(std::string("bad argument: ") + what);
}

std::string to_string(napi_env env, napi_value value) {
  size_t length = 0;
  check(napi_get_value_string_utf8(env, value, nullptr, 0, &length), "not a string");
  std::string text(length + 1, '\0');
  check(napi_get_value_string_utf8(env, value, text.data(), text.size(), &length), "not a string");
  text.resize(length);
  return text;
}

double to_number(napi_env env, napi_value value) {
  double number = 0;
  check(napi_get_value_double(env, value, &number), "not a number");
  return number;
}

int to_int(napi_env env, napi_value value, int least, int most) {
  const double number = to_number(env, value);
  if (!(number >= least && number <= most)) throw BadArgument("bad argument: a number out of range");
  return static_cast<int>(number);
}

bool to_bool(napi_env env, napi_value value) {
  bool flag = false;
  check(napi_get_value_bool(env, value, &flag), "not a boolean");
  return flag;
}

template <typename Item>
std::vector<Item> to_vector(napi_env env, napi_value value, napi_typedarray_type expected) {
  napi_typedarray_type type;
  size_t length = 0;
  void *data = nullptr;
  check(napi_get_typedarray_info(env, value, &type, &length, &data, nullptr, nullptr), "not a typed array");
  if (type != expected) throw BadArgument("bad argument: a typed array of another type");
  const Item *const items = static_cast<const Item *>(data);
  return std::vector<Item>(items, items + length);
}

std::vector<float> to_floats(napi_env env, napi_value value) {
  return to_vector<float>(env, value, napi_float32_array);
}

std::vector<Token> to_tokens(napi_env env, napi_value value) {
  return to_vector<Token>(env, value, napi_int32_array);
}

napi_value from_number(napi_env env, double number) {
  napi_value value;
  check(napi_create_double(env, number, &value), "number");
  return value;
}

napi_value from_bool(napi_env env, bool flag) {
  napi_value value;
  check(napi_get_boolean(env, flag, &value), "boolean");
  return value;
}

napi_value get(napi_env env, napi_value object, const char *name) {
  napi_value value;
  check(napi_get_named_property(env, object, name, &value), name);
  return value;
}

template <typename Item>
napi_value from_vector(napi_env env, const std::vector<Item> &items, napi_typedarray_type type) {
  void *data = nullptr;
  napi_value buffer, array;
  check(napi_create_arraybuffer(env, items.size() * sizeof(Item), &data, &buffer), "buffer");
  std::copy(items.begin(), items.end(), static_cast<Item *>(data));
  check(napi_create_typedarray(env, type, items.size(), buffer, 0, &array), "typed array");
  return array;
}

napi_value undefined(napi_env env) {
  napi_value value;
  napi_get_undefined(env, &value);
  return value;
}

void set(napi_env env, napi_value object, const char *name, napi_value value) {
  check(napi_set_named_property(env, object, name, value), name);
}

// ---- Handles: shared pointers that JavaScript holds -----------------------------------------------------------------

template <typename Held>
struct Handle;
template <>
struct Handle<Model> {
  static constexpr napi_type_tag tag = {0x68656172746d6f64, 0x1};
};
template <>
struct Handle<Session> {
  static constexpr napi_type_tag tag = {0x6865617274736573, 0x2};
};

template <typename Held>
napi_value from_shared(napi_env env, std::shared_ptr<Held> held) {
  auto *const slot = new std::shared_ptr<Held>(std::move(held));
  const auto finalize = [](napi_env, void *data, void *) { delete static_cast<std::shared_ptr<Held> *>(data); };
  napi_value handle;
  check(napi_create_external(env, slot, finalize, nullptr, &handle), "handle");
  check(napi_type_tag_object(env, handle, &Handle<Held>::tag), "handle");
  return handle;
}

template <typename Held>
std::shared_ptr<Held> &to_slot(napi_env env, napi_value handle) {
  bool matches = false;
  void *data = nullptr;
  check(napi_check_object_type_tag(env, handle, &Handle<Held>::tag, &matches), "not a handle");
  if (!matches) throw BadArgument("bad argument: another kind of handle");
  check(napi_get_value_external(env, handle, &data), "not a handle");
  return *static_cast<std::shared_ptr<Held> *>(data);
}

template <typename Held>
std::shared_ptr<Held> to_shared(napi_env env, napi_value handle) {
  std::shared_ptr<Held> held = to_slot<Held>(env, handle);
  if (!held) throw BadArgument("bad argument: the handle was freed");
  return held;
}

// ---- Jobs: work on a thread of its own, and the promise of its result -----------------------------------------------

/** Makes the promise's value on JavaScript's thread, out of what the work left behind. */
using Result = std::function<napi_value(napi_env)>;
using Work = std::function<Result()>;

/** What a job may take of the processor. */
struct Share {
  int threads = 1;
  /** Whatever else computes in this process goes first. */
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

struct Job {
  Work work;
  bool yields = false;
  Result result;
  std::string error;
  napi_deferred deferred = nullptr;
  napi_threadsafe_function finished = nullptr;
  std::thread thread;

  void run() {
    if (yields) yield_to_others();
    try {
      result = work();
    } catch (const std::exception &failure) {
      error = failure.what();
    } catch (...) {
      error = "unknown error";
    }
    work = nullptr;
    napi_call_threadsafe_function(finished, this, napi_tsfn_blocking);
  }
};

napi_value to_error(napi_env env, const std::string &text) {
  napi_value message, error;
  napi_create_string_utf8(env, text.data(), text.size(), &message);
  napi_create_error(env, nullptr, message, &error);
  return error;
}

/** On JavaScript's thread. `env` is null where JavaScript has ended meanwhile. */
void settle(napi_env env, napi_value, void *, void *data) {
  const std::unique_ptr<Job> job(static_cast<Job *>(data));
  job->thread.join();
  if (env == nullptr) return;
  if (job->error.empty()) {
    try {
      napi_resolve_deferred(env, job->deferred, job->result(env));
    } catch (const std::exception &failure) {
      job->error = failure.what();
    }
  }
  if (!job->error.empty()) napi_reject_deferred(env, job->deferred, to_error(env, job->error));
  napi_release_threadsafe_function(job->finished, napi_tsfn_release);
}

napi_value start(napi_env env, Work work, bool yields = false) {
  auto job = std::make_unique<Job>();
  job->work = std::move(work);
  job->yields = yields;
  napi_value promise, name;
  check(napi_create_promise(env, &job->deferred, &promise), "promise");
  check(napi_create_string_utf8(env, "whisper", NAPI_AUTO_LENGTH, &name), "name");
  check(napi_create_threadsafe_function(env, nullptr, nullptr, name, 0, 1, nullptr, nullptr, nullptr, settle,
                                        &job->finished),
        "thread");
  try {
    job->thread = std::thread([running = job.get()] { running->run(); });
  } catch (...) {
    napi_release_threadsafe_function(job->finished, napi_tsfn_abort);
    throw;
  }
  job.release(); // settle() owns it now
  return promise;
}

// ---- The functions --------------------------------------------------------------------------------------------------

using Arguments = std::vector<napi_value>;

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
  // An hour of samples is 230 MB: moved, never copied.
  Work work = [session, samples = to_floats(env, arguments[1]), share]() mutable -> Result {
    const bool is_taken = session->set_audio(std::move(samples), share.threads);
    return [is_taken](napi_env env) { return from_bool(env, is_taken); };
  };
  return start(env, std::move(work), share.yields);
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
  Work work = [path = to_string(env, arguments[0]), samples = to_floats(env, arguments[1]), share]() -> Result {
    return [bounds = detect_speech(path, samples, share.threads)](napi_env env) {
      return from_vector(env, bounds, napi_float32_array);
    };
  };
  return start(env, std::move(work), share.yields);
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

using Function = napi_value (*)(napi_env, const Arguments &);

/** Calls `function` with `count` arguments and turns what it throws into JavaScript's exceptions. */
template <Function function, size_t count>
napi_value call(napi_env env, napi_callback_info info) {
  try {
    size_t given = count;
    Arguments arguments(count);
    check(napi_get_cb_info(env, info, &given, arguments.data(), nullptr, nullptr), "arguments");
    return function(env, arguments);
  } catch (const BadArgument &mistake) {
    napi_throw_type_error(env, nullptr, mistake.what());
  } catch (const std::exception &failure) {
    napi_throw_error(env, nullptr, failure.what());
  }
  return nullptr;
}

template <Function function, size_t count>
void add(napi_env env, napi_value exports, const char *name) {
  napi_value callable;
  check(napi_create_function(env, name, NAPI_AUTO_LENGTH, call<function, count>, nullptr, &callable), name);
  set(env, exports, name, callable);
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
