/** Templates that ask for what a noun phrase names, such as "the capital of France". */
export function askFor(thing: string): string[] {
  return [
    `(what is|what's|what is|what's|what would be|which is|do you know|can you tell me|could you tell me|can you name|could you name|would you know|do you remember|can I have|may I ask for|any idea about|can you give me|could you please tell me|are you able to tell me|would you tell me) ${thing}?`,
    `(tell me|name|please tell me|please name|give me|please give me|say|state|find|remind me of|write down|I need|I need to know|I want to know|I want|I would like to know|I'd like to know|I would like to have|I am looking for|I'm looking for|I have to find|I was asked for|I am asked for|I'm curious about|I am interested in|help me with|help me find) ${thing}.`,
    `(I forgot|I have forgotten|I don't know|I do not know|I can't remember|I cannot remember|I can't recall|I never learned|I am not sure about|I don't remember|I always forget|I keep forgetting|nobody here knows|we do not know|no one told me) ${thing}(.|.|, can you help?|. Do you know it?|. Can you tell me?)`,
    `(my (friend|son|daughter|teacher|colleague|brother|sister|boss|neighbour|father|mother|child) (asks for|wants to know|asked me for|needs|asks about|wonders about)|for a (quiz|test|game|crossword) I need|for (my homework|school|my class|a bet) I need|somebody asked me for|they ask for|the question is about|we need|we are looking for|the quiz asks for) ${thing}.`,
    `(|please: |so: |wanted: |question: |needed: |and )${thing}(?||, please.| please|, please?| is what?| is?|...?|? Thanks.|: what is it?| - what is it?|. What is it?|. Do you know it?|, do you know it?)`,
    `(do you know|can you tell me|could you tell me|please tell me|I wonder|I was wondering|I would like to know|would you know|have you any idea|any idea) what ${thing} is?`,
  ];
}

/** Templates that ask an indirect question, such as "which continent Peru is on". */
export function askWhether(clause: string): string[] {
  return [
    `(do you know|can you tell me|could you tell me|would you know|can you say|can you find out|do you remember|any idea|have you any idea|could you please tell me|may I ask) ${clause}?`,
    `(tell me|please tell me|say|I wonder|I was wondering|I would like to know|I'd like to know|I want to know|I need to know|I forgot|I have forgotten|I don't know|I do not know|I can't remember|I am not sure|my (friend|son|daughter|teacher|colleague) (asks me|wants to know|wonders)|people ask me|remind me|explain) ${clause}.`,
  ];
}
