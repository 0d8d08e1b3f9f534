#include "context-functions.h"

#include "functions.h"
#include "heads.h"
#include "instance.h"
#include "model.h"
#include "pinned.h"
#include "stepper-handle.h"

namespace hearth {
namespace {

ContextOptions to_options(napi_env env, napi_value object) {
  const auto count = [&](const char *name, int least) { return to_int(env, get(env, object, name), least, INT32_MAX); };
  ContextOptions options = {};
  options.cells = static_cast<uint32_t>(count("cells", 1));
  options.is_unified = to_bool(env, get(env, object, "isUnified"));
  options.sequences = static_cast<uint32_t>(count("sequences", 1));
  options.batch_tokens = static_cast<uint32_t>(count("batchTokens", 1));
  options.output_tokens = static_cast<uint32_t>(count("outputTokens", 0));
  options.threads = to_int(env, get(env, object, "threads"), 1, 4096);
  options.flash_attention = static_cast<llama_flash_attn_type>(to_int(env, get(env, object, "flashAttention"), -1, 1));
  options.cache_type = static_cast<ggml_type>(to_int(env, get(env, object, "cacheType"), 0, GGML_TYPE_COUNT - 1));
  options.embeds = to_bool(env, get(env, object, "embeds"));
  options.ranks = to_bool(env, get(env, object, "ranks"));
  options.taken_back = static_cast<uint32_t>(count("takenBack", 0));
  options.has_heads = to_bool(env, get(env, object, "hasHeads"));
  for (const napi_value adapter : to_list(env, get(env, object, "adapters")))
    options.adapters.push_back({to_string(env, get(env, adapter, "filePath")),
                                static_cast<float>(to_number(env, get(env, adapter, "scale")))});
  return options;
}

napi_value open(napi_env env, const Arguments &arguments) {
  const auto machine = machine_of(env, to_string(env, arguments[0]));
  llama_model *const model = model_of(env, machine->api, arguments[1]);
  const ContextOptions options = to_options(env, arguments[2]);
  return preparer_of(env).start(env, [machine, model, options]() -> Result {
    const auto stepper = std::make_shared<Stepper>(std::make_shared<Context>(machine, model, options));
    return [stepper](napi_env env) {
      napi_value opened;
      check(napi_create_object(env, &opened), "object");
      set(env, opened, "handle", from_shared(env, stepper));
      set(env, opened, "needsStates", from_bool(env, stepper->context().needs_states()));
      set(env, opened, "takesBack", from_number(env, stepper->context().takes_back()));
      return opened;
    };
  });
}

napi_value close(napi_env env, const Arguments &arguments) {
  const auto stepper = to_shared<Stepper>(env, arguments[0]);
  return worker_of(env).start(env, [stepper]() -> Result {
    stepper->context().close();
    return undefined;
  });
}

napi_value set_threads(napi_env env, const Arguments &arguments) {
  to_shared<Stepper>(env, arguments[0])->context().set_threads(to_int(env, arguments[1], 1, 4096));
  return undefined(env);
}

napi_value interrupt(napi_env env, const Arguments &arguments) {
  to_shared<Stepper>(env, arguments[0])->context().interrupt();
  return undefined(env);
}

napi_value memory(napi_env env, const Arguments &arguments) {
  auto [bytes, weights] = to_shared<Stepper>(env, arguments[0])->context().memory();
  bytes.insert(bytes.end(), weights.begin(), weights.end());
  return from_vector(env, bytes, napi_float64_array);
}

napi_value can_cut(napi_env env, const Arguments &arguments) {
  const auto stepper = to_shared<Stepper>(env, arguments[0]);
  const int sequence = to_int(env, arguments[1], 0, INT32_MAX);
  return from_bool(env, stepper->context().can_cut(sequence, to_int(env, arguments[2], 0, INT32_MAX)));
}

napi_value cut(napi_env env, const Arguments &arguments) {
  const auto stepper = to_shared<Stepper>(env, arguments[0]);
  const int sequence = to_int(env, arguments[1], 0, INT32_MAX);
  return from_bool(env, stepper->context().cut(sequence, to_int(env, arguments[2], 0, INT32_MAX)));
}

napi_value copy(napi_env env, const Arguments &arguments) {
  const auto stepper = to_shared<Stepper>(env, arguments[0]);
  const int source = to_int(env, arguments[1], 0, INT32_MAX);
  const int target = to_int(env, arguments[2], 0, INT32_MAX);
  return worker_of(env).start(env, [=]() -> Result {
    stepper->context().copy(source, target);
    return undefined;
  });
}

napi_value reshape(napi_env env, const Arguments &arguments) {
  const auto stepper = to_shared<Stepper>(env, arguments[0]);
  const int cells = to_int(env, arguments[1], 1, INT32_MAX);
  const bool is_unified = to_bool(env, arguments[2]);
  const std::vector<int> numbers = to_vector<int>(env, arguments[3], napi_int32_array);
  std::vector<SharedPrefix> shared;
  for (size_t at = 0; at + 2 < numbers.size(); at += 3)
    shared.push_back({numbers[at], numbers[at + 1], numbers[at + 2]});
  return worker_of(env).start(env, [=]() -> Result {
    const bool is_done = stepper->context().reshape(static_cast<uint32_t>(cells), is_unified, shared);
    return [=](napi_env env) { return from_bool(env, is_done); };
  });
}

napi_value holds(napi_env env, const Arguments &arguments) {
  const auto stepper = to_shared<Stepper>(env, arguments[0]);
  return from_bool(env, stepper->context().holds(to_int(env, arguments[1], 0, INT32_MAX)));
}

napi_value state_bytes(napi_env env, const Arguments &arguments) {
  const auto stepper = to_shared<Stepper>(env, arguments[0]);
  const int sequence = to_int(env, arguments[1], 0, INT32_MAX);
  return from_number(env, stepper->context().state_bytes(sequence, to_bool(env, arguments[2])));
}

/** A promise of whether `copy` could copy the state, the bytes of which are pinned meanwhile. */
template <typename Copy>
napi_value start_copying(napi_env env, napi_value bytes, Copy copy) {
  const auto pinned = std::make_shared<Pinned>(env, bytes, napi_uint8_array);
  return worker_of(env).start(env, [=]() -> Result {
    bool is_copied = false;
    std::string trouble;
    try {
      is_copied = copy(static_cast<uint8_t *>(pinned->data), pinned->length);
    } catch (const std::exception &failure) {
      trouble = failure.what();
    }
    return [=](napi_env env) {
      pinned->release(env);
      if (!trouble.empty()) throw std::runtime_error(trouble);
      return from_bool(env, is_copied);
    };
  });
}

napi_value save_state(napi_env env, const Arguments &arguments) {
  const auto stepper = to_shared<Stepper>(env, arguments[0]);
  const int sequence = to_int(env, arguments[1], 0, INT32_MAX);
  const bool is_partial = to_bool(env, arguments[2]);
  return start_copying(env, arguments[3], [=](uint8_t *bytes, size_t size) {
    return stepper->context().save_state(sequence, is_partial, bytes, size);
  });
}

napi_value restore_state(napi_env env, const Arguments &arguments) {
  const auto stepper = to_shared<Stepper>(env, arguments[0]);
  const int sequence = to_int(env, arguments[1], 0, INT32_MAX);
  const bool is_partial = to_bool(env, arguments[2]);
  const int position = to_int(env, arguments[4], 1, INT32_MAX);
  return start_copying(env, arguments[3], [=](const uint8_t *bytes, size_t size) {
    return stepper->context().restore_state(sequence, is_partial, bytes, size, position);
  });
}

napi_value guess(napi_env env, const Arguments &arguments) {
  const auto stepper = to_shared<Stepper>(env, arguments[0]);
  const std::vector<int> numbers = to_vector<int>(env, arguments[1], napi_int32_array);
  std::vector<Ask> asks;
  for (size_t at = 0; at + 3 < numbers.size(); at += 4) {
    const Ask ask = {numbers[at], numbers[at + 1], numbers[at + 2], numbers[at + 3]};
    if (ask.sequence < 0 || ask.token < 0 || ask.token >= stepper->vocabulary_size() || ask.position < 0 || ask.most < 1)
      throw BadArgument("bad argument: nothing can be guessed there");
    asks.push_back(ask);
  }
  return worker_of(env).start(env, [=]() -> Result {
    Heads *const heads = stepper->context().heads();
    std::vector<std::vector<double>> told(asks.size());
    if (heads != nullptr) {
      const auto guesses = heads->guess(asks);
      for (size_t at = 0; at < guesses.size(); at++) told[at].assign(guesses[at].begin(), guesses[at].end());
    }
    return [=](napi_env env) {
      napi_value array;
      check(napi_create_array_with_length(env, told.size(), &array), "array");
      for (size_t at = 0; at < told.size(); at++)
        check(napi_set_element(env, array, static_cast<uint32_t>(at), from_vector(env, told[at], napi_float64_array)), "item");
      return array;
    };
  });
}

napi_value vector(napi_env env, const Arguments &arguments) {
  return from_vector(env, to_shared<Stepper>(env, arguments[0])->context().vector(), napi_float32_array);
}

} // namespace

void add_context_functions(napi_env env, napi_value exports) {
  add<open, 3>(env, exports, "open");
  add<close, 1>(env, exports, "close");
  add<set_threads, 2>(env, exports, "setThreads");
  add<interrupt, 1>(env, exports, "interrupt");
  add<memory, 1>(env, exports, "memory");
  add<can_cut, 3>(env, exports, "canCut");
  add<cut, 3>(env, exports, "cut");
  add<copy, 3>(env, exports, "copy");
  add<reshape, 4>(env, exports, "reshape");
  add<holds, 2>(env, exports, "holds");
  add<state_bytes, 3>(env, exports, "stateBytes");
  add<save_state, 4>(env, exports, "saveState");
  add<restore_state, 5>(env, exports, "restoreState");
  add<guess, 2>(env, exports, "guess");
  add<vector, 1>(env, exports, "vector");
}

} // namespace hearth
