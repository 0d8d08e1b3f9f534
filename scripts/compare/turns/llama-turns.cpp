// Prints the turns that llama.cpp's own test of chats reads, for turns.ts: one JSON object on each line. TESTS is that
// test with `note_turn(` where it would read one.
#include "chat.h"
#include "common.h"

#include <nlohmann/json.hpp>

#include <iostream>
#include <string>

static nlohmann::ordered_json parsed(const common_json & value) {
    return nlohmann::ordered_json::parse(value.dump());
}

template <class Case> static void note_turn(const std::string & template_path, const Case & turn) {
    const auto & params = turn.params;
    auto messages       = params.messages;
    if (messages.empty()) {
        messages.push_back({});
        messages[0].role    = "user";
        messages[0].content = "Hey there!";
    }
    nlohmann::ordered_json found = {
        { "template", template_path },
        { "messages", parsed(common_chat_msgs_to_json_oaicompat(messages)) },
        { "tools", parsed(common_chat_tools_to_json_oaicompat(params.tools)) },
        { "isRequired", params.tool_choice == COMMON_CHAT_TOOL_CHOICE_REQUIRED },
        { "isThinking", params.enable_thinking },
        { "keepsThoughts", params.reasoning_format == COMMON_REASONING_FORMAT_NONE },
        { "continues", params.continue_final_message != COMMON_CHAT_CONTINUATION_NONE },
        { "isPartial", turn.is_partial },
        { "input", turn.input },
        { "text", turn.expect.content },
        { "reasoning", turn.expect.reasoning_content },
        { "calls", nlohmann::ordered_json::array() },
    };
    for (const auto & call : turn.expect.tool_calls) {
        found["calls"].push_back({ { "name", call.name }, { "arguments", call.arguments } });
    }
    std::cout << found.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) << std::endl;
}

#include TESTS

int main() {
    test_template_output_peg_parsers(false);
    std::cout.flush();
    // Freeing what the library holds is of no use here.
    std::_Exit(0);
}
