// What JavaScript sees of the stepper. ../stepper.ts says what each function takes; an argument that is not that is a
// TypeError. Everything that computes does so on the worker's thread and gives a promise.
#include "functions.h"
#include "handles.h"
#include "instance.h"
#include "media-functions.h"
#include "stepper.h"

namespace hearth {

template <>
const napi_type_tag handle_tag<Drawer> = {0x6865617274687374, 2};

namespace {

std::vector<int> to_tokens(napi_env env, napi_value value) { return to_vector<int>(env, value, napi_uint32_array); }

napi_value from_lists(napi_env env, const std::vector<std::vector<double>> &lists) {
  napi_value array;
  check(napi_create_array_with_length(env, lists.size(), &array), "array");
  for (size_t at = 0; at < lists.size(); at++) {
    const napi_value numbers = from_vector(env, lists[at], napi_float64_array);
    check(napi_set_element(env, array, static_cast<uint32_t>(at), numbers), "item");
  }
  return array;
}

napi_value open(napi_env env, const Arguments &arguments) {
  Instance &instance = instance_of(env);
  if (instance.machine == nullptr)
    instance.machine = std::make_shared<Machine>(find_llama_api(to_string(env, arguments[0])));
  if (instance.worker == nullptr) instance.worker = Worker::create(env);
  const napi_value facts = arguments[3];
  const ContextFacts expected = {
      static_cast<unsigned>(to_int(env, get(env, facts, "contextTokens"), 0, INT32_MAX)),
      static_cast<unsigned>(to_int(env, get(env, facts, "sequences"), 0, INT32_MAX)),
  };
  const OpenedContext opened = open_context(env, instance.machine->api, arguments[1], arguments[2], expected);
  return from_shared(env, std::make_shared<Stepper>(instance.machine, opened));
}

Sampling to_sampling(napi_env env, napi_value object) {
  const auto number = [&](const char *name) { return static_cast<float>(to_number(env, get(env, object, name))); };
  return {
      number("temperature"),
      to_int(env, get(env, object, "topK"), 0, INT32_MAX),
      number("topP"),
      number("minP"),
      static_cast<uint32_t>(to_number(env, get(env, object, "seed"))),
      number("frequencyPenalty"),
      number("presencePenalty"),
      number("repeatPenalty"),
  };
}

napi_value create_drawer(napi_env env, const Arguments &arguments) {
  return from_shared(env, std::make_shared<Drawer>(to_sampling(env, arguments[0]), to_tokens(env, arguments[1])));
}

napi_value set_biases(napi_env env, const Arguments &arguments) {
  const std::vector<int> tokens = to_tokens(env, arguments[1]);
  const std::vector<float> values = to_vector<float>(env, arguments[2], napi_float32_array);
  if (tokens.size() != values.size()) throw BadArgument("bad argument: not one bias for each token");
  std::vector<Bias> biases;
  for (size_t at = 0; at < tokens.size(); at++) biases.push_back({tokens[at], values[at]});
  to_shared<Drawer>(env, arguments[0])->set_biases(std::move(biases));
  return undefined(env);
}

napi_value constrain(napi_env env, const Arguments &arguments) {
  const auto stepper = to_shared<Stepper>(env, arguments[0]);
  const auto grammar = stepper->begin_grammar(to_string(env, arguments[2]), to_tokens(env, arguments[3]));
  if (grammar != nullptr) to_shared<Drawer>(env, arguments[1])->constrain(grammar);
  return from_bool(env, grammar != nullptr);
}

napi_value step(napi_env env, const Arguments &arguments) {
  const auto stepper = to_shared<Stepper>(env, arguments[0]);
  std::vector<Draw> draws;
  for (const napi_value draw : to_list(env, arguments[1]))
    draws.push_back({to_int(env, get(env, draw, "logitIndex"), 0, INT32_MAX),
                     to_shared<Drawer>(env, get(env, draw, "drawer")),
                     to_int(env, get(env, draw, "alternatives"), -1, stepper->vocabulary_size())});
  return instance_of(env).worker->start(env, [stepper, draws]() -> Result {
    return [drawn = stepper->step(draws)](napi_env env) { return from_lists(env, drawn); };
  });
}

napi_value judge(napi_env env, const Arguments &arguments) {
  const auto stepper = to_shared<Stepper>(env, arguments[0]);
  const std::vector<int> indexes = to_tokens(env, arguments[1]);
  const std::vector<int> tokens = to_tokens(env, arguments[2]);
  const int alternatives = to_int(env, arguments[3], 0, stepper->vocabulary_size());
  if (indexes.size() != tokens.size()) throw BadArgument("bad argument: not one token for each place");
  std::vector<Question> questions;
  for (size_t at = 0; at < tokens.size(); at++) {
    if (tokens[at] < 0 || tokens[at] >= stepper->vocabulary_size()) throw BadArgument("bad argument: no such token");
    questions.push_back({indexes[at], tokens[at], alternatives});
  }
  return instance_of(env).worker->start(env, [stepper, questions]() -> Result {
    return [told = stepper->judge(questions)](napi_env env) { return from_lists(env, told); };
  });
}

} // namespace
} // namespace hearth

NAPI_MODULE_INIT() {
  using namespace hearth;
  if (!create_instance(env)) return nullptr;
  add<open, 4>(env, exports, "open");
  add<create_drawer, 2>(env, exports, "createDrawer");
  add<set_biases, 3>(env, exports, "setBiases");
  add<constrain, 4>(env, exports, "constrain");
  add<step, 2>(env, exports, "step");
  add<judge, 4>(env, exports, "judge");
  add_media_functions(env, exports);
  return exports;
}
