// What JavaScript sees of the stepper. ../stepper.ts says what each function takes; an argument that is not that is a
// TypeError. Everything that computes does so on the worker's thread and gives a promise.
#include "functions.h"
#include "handles.h"
#include "instance.h"
#include "media-functions.h"
#include "sampler-functions.h"
#include "stepper.h"

namespace hearth {

namespace {

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

Draw to_draw(napi_env env, napi_value draw) {
  return {to_int(env, get(env, draw, "logitIndex"), 0, INT32_MAX),
          to_shared<StepSampler>(env, get(env, draw, "sampler")),
          to_int(env, get(env, draw, "alternatives"), -1, INT32_MAX)};
}

napi_value step(napi_env env, const Arguments &arguments) {
  const auto stepper = to_shared<Stepper>(env, arguments[0]);
  std::vector<Draw> draws;
  for (const napi_value draw : to_list(env, arguments[1])) draws.push_back(to_draw(env, draw));
  return instance_of(env).worker->start(env, [stepper, draws]() -> Result {
    return [drawn = stepper->step(draws)](napi_env env) { return from_lists(env, drawn); };
  });
}

napi_value finish_draw(napi_env env, const Arguments &arguments) {
  // Its grammar looks at the vocabulary of the stepper's model.
  const auto stepper = to_shared<Stepper>(env, arguments[0]);
  const Draw draw = to_draw(env, arguments[1]);
  Instance &instance = instance_of(env);
  if (instance.finisher == nullptr) instance.finisher = Worker::create(env);
  return instance.finisher->start(env, [stepper, draw]() -> Result {
    return [drawn = finish(draw)](napi_env env) { return from_vector(env, drawn, napi_float64_array); };
  });
}

napi_value logprobs(napi_env env, const Arguments &arguments) {
  const auto stepper = to_shared<Stepper>(env, arguments[0]);
  const std::vector<int> indexes = to_vector<int>(env, arguments[1], napi_uint32_array);
  const std::vector<int> tokens = to_vector<int>(env, arguments[2], napi_uint32_array);
  const int alternatives = to_int(env, arguments[3], 0, stepper->vocabulary_size());
  if (indexes.size() != tokens.size()) throw BadArgument("bad argument: not one token for each place");
  std::vector<Question> questions;
  for (size_t at = 0; at < tokens.size(); at++) {
    if (tokens[at] < 0 || tokens[at] >= stepper->vocabulary_size()) throw BadArgument("bad argument: no such token");
    questions.push_back({indexes[at], tokens[at], alternatives});
  }
  return instance_of(env).worker->start(env, [stepper, questions]() -> Result {
    return [told = stepper->logprobs(questions)](napi_env env) { return from_lists(env, told); };
  });
}

} // namespace
} // namespace hearth

NAPI_MODULE_INIT() {
  using namespace hearth;
  if (!create_instance(env)) return nullptr;
  add<open, 4>(env, exports, "open");
  add<step, 2>(env, exports, "step");
  add<finish_draw, 2>(env, exports, "finishDraw");
  add<logprobs, 4>(env, exports, "logprobs");
  add_sampler_functions(env, exports);
  add_media_functions(env, exports);
  return exports;
}
