#include "utterance-functions.h"

#include "functions.h"
#include "handles.h"
#include "instance.h"
#include "projector-handle.h"
#include "utterance.h"

namespace hearth {

template <>
const napi_type_tag handle_tag<Utterance> = {0x6865617274687374, 6};

namespace {

/** The medium of a handle; empty for undefined. */
std::shared_ptr<Medium> to_voice(napi_env env, napi_value value) {
  napi_valuetype type;
  check(napi_typeof(env, value, &type), "voice");
  return type == napi_undefined ? nullptr : to_shared<Medium>(env, value);
}

napi_value begin_utterance(napi_env env, const Arguments &arguments) {
  const auto projector = to_shared<Projector>(env, arguments[0]);
  UtteranceOptions options = {
      to_int(env, arguments[1], 0, INT32_MAX),
      to_string(env, arguments[2]),
      to_string(env, arguments[3]),
      to_voice(env, arguments[4]),
      static_cast<uint32_t>(to_number(env, arguments[5])),
  };
  if (projector->speech().type == MTMD_GEN_AUDIO_TYPE_NONE) throw BadArgument("bad argument: a mute projector");
  return from_shared(env, std::make_shared<Utterance>(projector, std::move(options)));
}

napi_value advance_utterance(napi_env env, const Arguments &arguments) {
  const auto projector = to_shared<Projector>(env, arguments[0]);
  const auto utterance = to_shared<Utterance>(env, arguments[1]);
  const int prompt_tokens = to_int(env, arguments[2], 1, INT32_MAX);
  const double most_ms = to_number(env, arguments[3]);
  return worker_of(env).start(env, [=]() -> Result {
    const bool is_done = projector->advance(utterance, most_ms, [=] { utterance->advance(prompt_tokens); });
    const bool is_over = is_done && utterance->is_over();
    const int prompt_tokens_read = is_done ? utterance->prompt_tokens_read() : 0;
    return [=, samples = is_done ? utterance->take_samples() : std::vector<float>()](napi_env env) {
      napi_value advanced;
      check(napi_create_object(env, &advanced), "object");
      set(env, advanced, "isDone", from_bool(env, is_done));
      set(env, advanced, "isOver", from_bool(env, is_over));
      set(env, advanced, "promptTokens", from_number(env, prompt_tokens_read));
      set(env, advanced, "samples", from_vector(env, samples, napi_float32_array));
      return advanced;
    };
  });
}

} // namespace

void add_utterance_functions(napi_env env, napi_value exports) {
  add<begin_utterance, 6>(env, exports, "beginUtterance");
  add<advance_utterance, 4>(env, exports, "advanceUtterance");
}

} // namespace hearth
