import { askFor, askWhether } from '../text/asking.ts';

const solve =
  "(what is|what's|how much is|how much are|calculate|compute|work out|tell me|solve|can you calculate|could you calculate|please calculate|please compute|can you work out|find|determine|figure out|give me|do you know|I need|evaluate|what makes|what do you get for|what comes out of|what is the answer to|what is the result of|please solve|||)";
const thing =
  '(apples|coins|books|euros|eggs|cards|stamps|marbles|pencils|dollars|sweets|cookies|chairs|stones|tickets|points|bottles|boxes|shirts|toys|nuts|balls|photos|plates|keys|buttons|flowers)';
const movers =
  '(cats|birds|cars|pens|people|children|guests|sheep|dogs|boats|pupils|ducks|cows|players|visitors|bikes|ants|passengers|students|fish)';
const finish = '(?|?||.| =| = ?|, please.|=?)';

/** Templates for a sum; first the numbers as they are, then within words and small stories. */
export function sumQuestions(first: string, second: string): string[] {
  return [
    `${solve} ${first} + ${second}${finish}`,
    `${solve} ${first} + ${second}?`,
    `${solve} ${first} plus ${second}?`,
    `${solve} the (sum|total) of ${first} and ${second}?`,
    `(add|please add|can you add|could you add|add up|sum up|now add|help me add|I want to add|I have to add|let us add|you should add|try to add) ${first} (and|to|plus|and) ${second}.`,
    `${first}(+| +|+ )${second}(=|?||=?| = ?)`,
    `(what do|how much do|what number do|what would) ${first} and ${second} (make|add up to|give|come to|sum to|total|make together|give together|give when added)?`,
    `${first} and ${second}(, what is that together|, how much is that|, added|: the sum|, what is the sum|, together|: how much together|, what do they make)?`,
    `(what is|what's|how much is) ${first} (and ${second} together|increased by ${second}|and another ${second}|and ${second} more|added to ${second})?`,
    `(if you|when you|when I|if I|suppose I) add ${first} (to|and) ${second}, (what do (you|I) get|what is the result|how much is it|what comes out|what is that)?`,
    `(start|begin) (with|at|from) ${first} and add ${second}. (What do you get|What is it|Where do you end|How much is that|What is the result)?`,
    `(increase|raise) ${first} by ${second}.`,
    `(what is|what's|which number is|what number is) ${second} more than ${first}?`,
    `(if I|when I|suppose I|let's say I|say I) have ${first} ${thing} and (get|find|buy|receive|win|am given|collect) ${second} more, how many (do I have|are there|is that|have I got|does that make) (|now|in all|in total|altogether|together)?`,
    `(I have|we have|my sister has|my friend owns|Tom has|Anna has) ${first} ${thing}. (I get|we get|then come|we buy|somebody brings|I find|we add|they add) ${second} more. How many (is that|are there|is it in total|does that make|are there now)?`,
    `there are ${first} ${movers} and ${second} more (come|arrive|join them|turn up|follow). How many (are there|are there now|are there in all|is that together|are there then|do we have)?`,
    `(one (box|bag|basket|shelf|room|bus) (has|holds|contains) ${first} ${thing}, (the other|another|a second one) ${second}). How many (are there|are there together|is that|are in both)?`,
    `(a coat|a book|a lamp|a cake|a shirt) costs ${first} euros and (a hat|a bag|a pen|a drink|a ticket) ${second}. (How much is that together|What do I pay|What do both cost|How much must I pay)?`,
    `(it is ${first} degrees and gets ${second} warmer. How warm is it|I walk ${first} km and then ${second} more. How far is that|I am ${first}. How old am I in ${second} years|I read ${first} pages and then ${second} more. How many is that|we drive ${first} km, rest, and drive ${second} more. How far did we drive)?`,
    ...askFor(`the (sum|result|total) of ${first} (+|plus) ${second}`),
    ...askFor(`the sum of ${first} and ${second}`),
    ...askWhether(
      `(how much ${first} (and|plus) ${second} (is|makes|are)|what ${first} (+|plus) ${second} is|what the sum of ${first} and ${second} is)`,
    ),
  ];
}

/** Templates for a difference that is not negative. */
export function differenceQuestions(large: string, small: string): string[] {
  return [
    `${solve} ${large} - ${small}${finish}`,
    `${solve} ${large} - ${small}?`,
    `${solve} ${large} minus ${small}?`,
    `${solve} ${large} less ${small}?`,
    `(subtract|please subtract|can you subtract|could you subtract|now subtract|I want to subtract|I have to subtract|help me subtract|deduct) ${small} from ${large}.`,
    `(take|please take|can you take|now take) ${small} (away from|from|off) ${large}.`,
    `${large}(-| -|- )${small}(=|?||=?| = ?)`,
    `${solve} the difference (of|between|between) ${large} and ${small}?`,
    `(what is left|how much is left|what remains|how much remains|what do I have left|what stays|what is the rest) (when|if) (you|I|we) (take|subtract|remove) ${small} from ${large}?`,
    `(by how much is ${large} (more|larger|greater|bigger)|how much larger is ${large}|how much is ${large} (larger|bigger)|how much more is ${large}) than ${small}?`,
    `how much (is missing|do I need|must I add|is lacking) (from ${small} to ${large}|to get from ${small} to ${large}|to go from ${small} to ${large})?`,
    `(decrease|reduce|lower|shorten) ${large} by ${small}.`,
    `(what is|what's|how much is) ${large} (decreased by|reduced by|without|lowered by|take away) ${small}?`,
    `(start|begin) (with|at|from) ${large} and (take away|subtract|go back|remove) ${small}. (What do you get|What is it|Where do you end|What is left|What is the result)?`,
    `(if I|when I|suppose I|let's say I|say I) have ${large} ${thing} and (give away|lose|spend|sell|use|break|hand out|throw away) ${small}, how many (are left|do I have left|remain|are still there|do I keep|have I got left)?`,
    `(I have|we have|my sister has|my friend owns|Tom has|Anna has) ${large} ${thing}. ${small} (are lost|are sold|are gone|get broken|are given away|disappear|are stolen|are used up). How many (are left|remain|are still there|stay)?`,
    `there are ${large} ${movers} and ${small} (leave|go away|go home|run off|disappear|get out). How many (are left|stay|remain|are still there|are there now)?`,
    `(from|out of) ${large} ${thing}, ${small} (are|were) (sold|lost|taken|gone|removed|broken). (How many are left|How many remain|What is left)?`,
    `(I pay with ${large} euros and it costs ${small}. How much do I get back|it was ${large} degrees and got ${small} colder. How warm is it|a rope of ${large} m is cut by ${small} m. How long is the rest|a book has ${large} pages and I read ${small}. How many are left|I am ${large} and my brother is ${small} years younger. How old is he|the way is ${large} km and we walked ${small}. How far is it still)?`,
    ...askFor(`the (difference between|difference of) ${large} and ${small}`),
    ...askFor(`the result of ${large} (-|minus) ${small}`),
    ...askWhether(
      `(how much ${large} minus ${small} is|what ${large} (-|minus) ${small} is|what is left of ${large} without ${small}|how much larger ${large} is than ${small})`,
    ),
  ];
}

/** Templates for a product of the times tables. */
export function productQuestions(first: string, second: string): string[] {
  return [
    `${solve} ${first} (*|x|×) ${second}${finish}`,
    `${solve} ${first} (*|x|times) ${second}?`,
    `${solve} ${first} times ${second}?`,
    `${solve} ${first} multiplied (by|with) ${second}?`,
    `${solve} the product of ${first} and ${second}?`,
    `(multiply|please multiply|can you multiply|could you multiply|now multiply|help me multiply|I have to multiply) ${first} (by|and|with) ${second}.`,
    `${first}(*| *|x|×)${second}(=|?||=?| = ?)`,
    `(what do|what would|how much do) ${first} and ${second} (make multiplied|give when multiplied|give as a product|make when you multiply them)?`,
    `(if you|when you|when I|if I) multiply ${first} (by|and|with) ${second}, what (do you get|is the result|comes out|is it)?`,
    `(from the times table|times table|multiplication): ${first} (times|x|*) ${second}?`,
    `${first} (bags|boxes|rows|groups|tables|plates|rooms) (with|of) ${second} ${thing} each(. How many are there|, how many is that|: how many in all)?`,
    `${first} (tickets|books|pens|cakes|hats|lamps) (cost|at) ${second} euros each. (How much is that|What do I pay|What do they cost)?`,
    ...askFor(`the (product|result) of ${first} (*|times) ${second}`),
    ...askWhether(
      `(how much ${first} times ${second} is|what ${first} (times|x|*) ${second} is|what the product of ${first} and ${second} is)`,
    ),
  ];
}

/** Templates for a division without a rest. */
export function quotientQuestions(whole: string, part: string): string[] {
  return [
    `${solve} ${whole} (/|÷|:|divided by) ${part}${finish}`,
    `${solve} ${whole} divided by ${part}?`,
    `(divide|please divide|can you divide|could you divide|now divide|help me divide) ${whole} by ${part}.`,
    `how (often|many times) does ${part} (go|fit) into ${whole}?`,
    `(if|when) (I|we) (share|divide|split) ${whole} ${thing} among ${part} people, how many does each get?`,
    `(what do you get|what is the result) if you divide ${whole} by ${part}?`,
    ...askFor(`the (quotient of ${whole} and ${part}|result of ${whole} (/|divided by) ${part})`),
    ...askWhether(`(what ${whole} divided by ${part} is|how often ${part} goes into ${whole})`),
  ];
}
