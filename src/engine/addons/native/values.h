// JavaScript's values as those of C++, and back.
#pragma once
#include <node_api.h>

#include <algorithm>
#include <stdexcept>
#include <string>
#include <vector>

namespace hearth {

/** Thrown where a JavaScript exception is pending or Node-API refused something. */
struct BadArgument : std::runtime_error {
  using std::runtime_error::runtime_error;
};

inline void check(napi_status status, const char *what) {
  if (status != napi_ok) throw BadArgument(std::string("bad argument: ") + what);
}

inline std::string to_string(napi_env env, napi_value value) {
  size_t length = 0;
  check(napi_get_value_string_utf8(env, value, nullptr, 0, &length), "not a string");
  std::string text(length + 1, '\0');
  check(napi_get_value_string_utf8(env, value, text.data(), text.size(), &length), "not a string");
  text.resize(length);
  return text;
}

inline double to_number(napi_env env, napi_value value) {
  double number = 0;
  check(napi_get_value_double(env, value, &number), "not a number");
  return number;
}

inline int to_int(napi_env env, napi_value value, int least, int most) {
  const double number = to_number(env, value);
  if (!(number >= least && number <= most)) throw BadArgument("bad argument: a number out of range");
  return static_cast<int>(number);
}

inline bool to_bool(napi_env env, napi_value value) {
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

inline std::vector<napi_value> to_list(napi_env env, napi_value array) {
  uint32_t length = 0;
  check(napi_get_array_length(env, array, &length), "not an array");
  std::vector<napi_value> items(length);
  for (uint32_t at = 0; at < length; at++) check(napi_get_element(env, array, at, &items[at]), "item");
  return items;
}

inline napi_value get(napi_env env, napi_value object, const char *name) {
  napi_value value;
  check(napi_get_named_property(env, object, name, &value), name);
  return value;
}

inline void set(napi_env env, napi_value object, const char *name, napi_value value) {
  check(napi_set_named_property(env, object, name, value), name);
}

inline napi_value from_number(napi_env env, double number) {
  napi_value value;
  check(napi_create_double(env, number, &value), "number");
  return value;
}

inline napi_value from_string(napi_env env, const std::string &text) {
  napi_value value;
  check(napi_create_string_utf8(env, text.data(), text.size(), &value), "string");
  return value;
}

inline napi_value from_bool(napi_env env, bool flag) {
  napi_value value;
  check(napi_get_boolean(env, flag, &value), "boolean");
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

inline napi_value undefined(napi_env env) {
  napi_value value;
  napi_get_undefined(env, &value);
  return value;
}

inline napi_value to_error(napi_env env, const std::string &text) {
  napi_value message, error;
  napi_create_string_utf8(env, text.data(), text.size(), &message);
  napi_create_error(env, nullptr, message, &error);
  return error;
}

} // namespace hearth
