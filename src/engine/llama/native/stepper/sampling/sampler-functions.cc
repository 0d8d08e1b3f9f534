#include "sampler-functions.h"

#include "functions.h"
#include "instance.h"
#include "stepper-handle.h"

namespace hearth {

namespace {

std::vector<int> to_tokens(napi_env env, napi_value value) { return to_vector<int>(env, value, napi_uint32_array); }

Sampling to_sampling(napi_env env, napi_value object) {
  const auto number = [&](const char *name) { return static_cast<float>(to_number(env, get(env, object, name))); };
  return {
      number("temperature"),
      to_int(env, get(env, object, "topK"), 0, INT32_MAX),
      number("topP"),
      number("minP"),
      number("xtcProbability"),
      number("xtcThreshold"),
      static_cast<uint32_t>(to_number(env, get(env, object, "seed"))),
      number("frequencyPenalty"),
      number("presencePenalty"),
      number("repeatPenalty"),
  };
}

napi_value create_sampler(napi_env env, const Arguments &arguments) {
  return from_shared(env, std::make_shared<StepSampler>(to_sampling(env, arguments[0]), to_tokens(env, arguments[1])));
}

napi_value set_biases(napi_env env, const Arguments &arguments) {
  const std::vector<int> tokens = to_tokens(env, arguments[1]);
  const std::vector<float> values = to_vector<float>(env, arguments[2], napi_float32_array);
  if (tokens.size() != values.size()) throw BadArgument("bad argument: not one bias for each token");
  std::vector<Bias> biases;
  for (size_t at = 0; at < tokens.size(); at++) biases.push_back({tokens[at], values[at]});
  to_shared<StepSampler>(env, arguments[0])->set_biases(std::move(biases));
  return undefined(env);
}

napi_value take_back(napi_env env, const Arguments &arguments) {
  to_shared<StepSampler>(env, arguments[0])->take_back(to_int(env, arguments[1], 0, INT32_MAX));
  return undefined(env);
}

napi_value ahead(napi_env env, const Arguments &arguments) {
  const std::string text = to_shared<StepSampler>(env, arguments[0])->look_ahead();
  return from_vector(env, std::vector<uint8_t>(text.begin(), text.end()), napi_uint8_array);
}

napi_value constrain(napi_env env, const Arguments &arguments) {
  const auto stepper = to_shared<Stepper>(env, arguments[0]);
  const auto grammar = stepper->begin_grammar(to_string(env, arguments[2]), to_tokens(env, arguments[3]));
  if (grammar != nullptr) to_shared<StepSampler>(env, arguments[1])->constrain(grammar);
  return from_bool(env, grammar != nullptr);
}

} // namespace

void add_sampler_functions(napi_env env, napi_value exports) {
  add<create_sampler, 2>(env, exports, "createSampler");
  add<set_biases, 3>(env, exports, "setBiases");
  add<take_back, 2>(env, exports, "takeBack");
  add<ahead, 1>(env, exports, "ahead");
  add<constrain, 4>(env, exports, "constrain");
}

} // namespace hearth
