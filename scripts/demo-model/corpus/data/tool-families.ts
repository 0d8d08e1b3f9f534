/**
 * Tools with questions of their own; parsed by `tool-family.ts`. A block's first line is the name, then `>` a
 * description, `role?: keys = kind` a parameter, `!` an order, `?` a whole message. Roles in braces are filled in;
 * `(a|b)` as in wording. A request says every required role.
 */
export const everydayFamilies = `
(get|check|show) (tide|tides|tide times)
> (High and low tide|Tide times) (at|for) a (beach|harbour)
beach: beach|harbour|coast|port = place
day?: day|weekday = weekday
! (tell me|look up) the tides (at|in) {beach}
? When is (high|low) (tide|water) (at|in) {beach}( on {day}|)?
? When does the (water|sea) come in at {beach}?
? Can I walk on the mud flats at {beach} on {day}?

(is|check) (sauna|pool|gym|library|market|museum|bath|kiosk|bakery|pharmacy) (open|free)
> (Tells|Says|Check) whether the {noun} is (open|free) on a day
day: day|weekday|when = weekday
! (check|see|find out) (if|whether) the {noun} is (open|free) on {day}
? Is the {noun} (open|free) on {day}?
? (Can|May) I come to the {noun} on {day}?
? {noun} open (on|) {day}?

(opening|business|visiting) hours
> (Opening|Business) hours of a (shop|place)
place: place|shop|venue|name = company
! (tell me|look up|find) (when|how long) {place} is open
? When does {place} (open|close)?
? How long is {place} open?
? Until when can I go to {place}?

(order|buy|get|purchase) (goods|supplies|material|groceries|stock|ingredients|parts)
> (Order|Buy) (some amount of|a number of) (something|{noun}|an item)
item: item|product|what|material|article|goods = goods
amount: quantity|amount|count|units|number = small
! (order|buy|get|{verb}) {amount} {item}
! (order|buy|get me|add) {amount} (litres|kilos|boxes|packs|bottles|bags|metres|crates|tins|pieces|sacks|rolls) of {item}
? (We|I) need {amount} (litres|kilos|boxes|packs|bottles|bags|metres|crates|tins|pieces|sacks|rolls) of {item}.
? (We are|I am) out of {item}. (Order|Get) {amount} (litres|boxes|packs|kilos).
? {amount} {item}, please.
? How about {amount} (bags|bottles|cans) of {item}?

(fill|refill|top_up) (tank|pool|barrel|trough|bath|reservoir|kettle)
> Fill the {noun} with some litres of (a liquid|something)
litres: litres|volume|amount|liters = count
liquid: liquid|fluid|with|content = goods
! (fill|refill|top up) the {noun} with {litres} (litres|liters|l) of {liquid}
! (put|pour) {litres} litres of {liquid} into the {noun}
? The {noun} needs {litres} litres of {liquid}.
? {litres} litres of {liquid} should go into the {noun}.

(measure_out|weigh|dose|mix_in) (powder|ingredient|substance|chemical)
> (Weighs|Measures) out (grams|an amount) of a (substance|thing)
what: substance|ingredient|what|material = goods
grams: grams|amount_grams|weight|g = hundreds
! (weigh out|measure out|weigh|give me) {grams} (grams|g) of {what}
? I need {grams} grams of {what}.
? (Could|Can) I have {grams} g of {what}?

(send|transfer|pay|give|wire) money
> (Sends|Transfers|Pays) money to (a person|someone)
person: to|recipient|payee|receiver|person = person
amount: amount|sum|euros|value = count
for?: reference|reason|note|purpose = phrase
! (send|transfer|pay|give) {person} {amount} (euros|dollars|pounds|crowns|)( for '{for}'|)
! (send|transfer|wire) {amount} (euros|dollars|pounds) to {person}( with the (note|reference) '{for}'|)
? I owe {person} {amount} (euros|dollars|pounds). (Please send it|Pay it back).
? {person} should get {amount} (euros|dollars) from me.

(split|divide|share) (bill|cost|check|invoice)
> (Split|Divide) an amount between people
total: total|amount|bill|sum = count
people: people|persons|guests|by = digit
! (split|divide) {total} (euros|dollars|pounds|) (between|among|by) {people} (people|friends|guests)
? There are {people} of us and the bill is {total} (euros|dollars). (Split it|How much for each)?
? What does each of {people} people pay for a bill of {total}?

(send|write|post) (message|text|sms|note|chat_message)
> (Send|Write) a (short|) (message|text) to (somebody|a person)
to: to|recipient|contact|person|receiver = person
text: text|message|body|content = sentence
! (tell|text|message|write) {to}(:|) '{text}'
! (tell|text|message) {to} that {text}
! (send|write) (the (text|message)|) "{text}" to {to}
! send {to} (a|the) message: {text}
? {to} should know: '{text}'.
? Let {to} know that {text}.

(introduce|connect|match) (people|persons|users|friends)
> (Introduce|Connect) one person to another
first: first|person_a|one|who = person
second: second|person_b|other|whom = person
! (introduce|connect) {first} (to|with) {second}
? {first} would like to meet {second}.
? (Can|Could) {first} get to know {second}?

(rename|retitle|relabel) (file|folder|album|project|list|team|device|ship|street|group)
> (Rename a|Give a new name to a) {noun}
old: old_name|from|current|old|name = nickname
new: new_name|to|new|title = nickname
! (rename|retitle|change) {old} (to|into) {new}
! (call|name) {old} {new} (from now on|instead)
? {old} should be called {new} (now|from now on).
? The new name of {old} is {new}.

(replace|swap|exchange|substitute) (word|part|player|ingredient|item)
> (Replace|Exchange) one {noun} (by|for|with) another
out: old|remove|out|from|original = thing
in: new|with|in|replacement|by = thing
! (replace|substitute) {out} (by|with) {in}
! (swap|exchange) {out} for {in}
! (use|take) {in} instead of {out}
? Instead of {out} I (want|would like|prefer) {in}.

(translate|convert_text|interpret) (word|phrase|text|sentence|sign|)
> (Translate|Puts) (words|a text) into (another|a) language
text: text|phrase|sentence|words|input = sentence
to: language|to|target|target_language|lang = French/Spanish/Czech/Danish/Welsh
! (translate|put) ('{text}'|"{text}") (into|to) {to}
? What (is|does one say for) '{text}' in {to}?
? How (do|would) (you|I|people) say "{text}" in {to}?
? '{text}' in {to}, please.
? I need the {to} for '{text}'.

(find|get|plan|show) (route|way|directions|path|journey|connection)
> (Finds|Shows) the way from one (place|city) to another
from: from|start|origin|departure|source = place
to: to|end|destination|goal|target = place
by?: mode|by|vehicle|transport = car/train/bike
! (find|show me|get|plan) (the|a) (way|route|connection|trip) from {from} to {to}( by {by}|)
! (bring|guide|take) me from {from} to {to}( by {by}|)
? How do I get (from {from} to {to}|to {to} from {from})( by {by}|)?
? I am (in|at) {from} and (want|have|need) to go to {to}.
? {from} to {to}(, by {by}|), please.
? What is the (best|fastest|shortest) way to {to} from {from}?

(travel|flight|drive|ride|sailing|walking) (time|duration|distance)
> How (long|far) it is between two places, {noun}
from: from|start|place_a|point_a = place
to: to|end|place_b|point_b = place
! (tell me|find out|calculate) how (far|long) it is from {from} to {to}
? How (far|long) is it from {from} to {to}?
? How (long|many hours) from {from} to {to}?
? What is the distance between {from} and {to}?

(book|buy|reserve|get) (train|bus|ferry|flight|plane|boat|coach) (ticket|seat|)
> (Book|Buy) a {noun} (ticket|seat) between two places
from: from|start|origin|departure = city
to: to|destination|arrival|end = city
day?: day|date|on|when = weekday
! (book|buy|get|reserve) (me|us|) a (ticket|seat) from {from} to {to}( on {day}|)
! (book|get) a (trip|ride) to {to} from {from}( for {day}|)
? I (want|need|have) to (go|travel|get) from {from} to {to}( on {day}|).
? We are going from {from} to {to}. (Get|Book) a ticket( for {day}|), please.

(set|start|run|create) (timer|countdown|stopwatch|clock|egg_timer)
> (Set|Start|Run) (a|the) {noun} for some minutes
time: minutes|duration|mins|in_minutes = small
label?: label|name|title = thing
! (set|start) (a timer|the {noun}) (for|to) {time} (minutes|mins|seconds)
! wake me (up|) in {time} minutes
! (tell|call|warn) me (when {time} minutes are over|in {time} minutes)
? I need {time} minutes for the {label}.
? The {label} takes {time} minutes. (Watch the time|Start the clock).
? {time} minutes from now, please.

(remind|set_reminder|add_reminder|create_reminder|reminder)
> (Remind the user of|Set a reminder for) (something|a task) at a time
task: task|text|what|about|message = phrase
time: time|at|when|clock = time
! remind me (at {time} to {task}|to {task} at {time})
! (set|make) a reminder '{task}' (for|at) {time}
? I must not forget to {task} at {time}.
? At {time} I (have|need|want) to {task}. (Remind me|Do not let me forget).

(log|record|track|note) (run|walk|swim|ride|hike|workout)
> (Log|Record) (a|the) (distance|length) and minutes
km: kilometres|km|distance|kilometers = decimal
minutes: minutes|duration|time|mins = small
! (log|record|note) {km} (kilometres|km|kilometers) in {minutes} minutes
? I (did|made|went) {km} (km|kilometres) in {minutes} minutes( today|).
? {km} km, {minutes} minutes.

(set|change|adjust) (temperature|heating|thermostat|oven|fridge|climate|boiler)
> (Set|Change) the temperature (in degrees|of a room)
room?: room|zone|where|place = kitchen/bathroom/cellar/nursery
degrees: degrees|temperature|celsius|value|target = small
! (set|turn|bring) the {noun} to {degrees} (degrees|°C|C)( in the {room}|)
! make it {degrees} degrees (warm|) in the {room}
? It is (too|very) cold in the {room}. {degrees} degrees, please.
? I (want|would like|need) {degrees} degrees in the {room}.

(lock|unlock|open|close|shut) (door|gate|window|garage|shutters|barn)
> {verb} (a|the) {noun} by its (name|place)
which: which|name|door|id|side = nickname
! {verb} the {noun} called {which}
! {verb} (the {noun}|) {which}
? {verb} {which}, that {noun} over there.
? The {noun} {which}: {verb} it(, please|).

(add|put|enrol|register|sign_up) (member|student|player|guest|pupil|user)
> (Adds|Puts) a person to a (team|course|list|club)
name: name|person|member|who = fullName
group: group|team|course|list|club = thing
! (add|put|enrol|register) {name} (to|for|in) (the|) {group}
? {name} (wants to join|is joining|should be in|takes part in) the {group}.
? Is there a place for {name} in the {group}?

(assign|give|delegate|hand_over) (task|job|duty|ticket|shift|chore)
> (Assign|Give|Hand) a task to a person
task: task|job|what|duty|chore = phrase
who: who|assignee|person|to|worker = person
! (assign|give|hand) '{task}' to {who}
! (let|have) {who} {task}
! (ask|get) {who} to {task}
? {who} (should|must|can|will) {task}.
? Who does it? {who} can {task}.

(look_up|check|get|find) (order|parcel|ticket|claim|booking|shipment|case|invoice)
> (Looks up|Finds|Gets) (a|the) {noun} by its (code|number|id)
code: code|number|id|reference|tracking_number = code
! (look up|check|find|track) (number|code|) {code}
? Where is {code}?
? What (happened to|is the status of|about) {code}?
? My (number|code|reference) is {code}. (Any news|Where is it|What now)?
? Has {code} arrived( yet|)?

(convert|change|turn) (units|length|weight|money|measure|temperature|currency)
> (Convert|Change) (a|the) (value|number|amount) from one unit to another
value: value|amount|number|quantity = numeric
from: from|from_unit|source|unit = currency
to: to|to_unit|target|into = currency
! (convert|change|turn) {value} {from} (to|into) {to}
? How (much|many) (is|are) {value} {from} in {to}?
? {value} {from} in {to}, please.
? What do I get for {value} {from} in {to}?

(multiply|times|product|multiply_numbers)
> (Multiply|The product of) two numbers
a: a|x|first|factor = small
b: b|y|second|factor2 = small
! (multiply|times) {a} (by|with|and) {b}
? (What is|How much is|Calculate) {a} (times|x|*) {b}?
? What do you get if you multiply {a} by {b}?

(random|pick|draw|roll|generate) (number|integer|dice)
> (Pick|Gives|Draws) a random number between two (others|limits)
low: low|min|from|minimum|least = digit
high: high|max|to|maximum|most = small
! (pick|give me|draw|think of) a (random|) number (between {low} and {high}|from {low} to {high})
? I need a random number, at least {low} and at most {high}.

(save|store|write|remember) (contact|number|phone|address_book)
> (Save|Store|Add) a phone number (of|for) a person
name: name|person|contact|who = person
phone: phone|number|phone_number|mobile = phone
! (save|store|note) {phone} (as the number of|for|under the name) {name}
! (remember|note) that the (phone|) number of {name} is {phone}
? {name}'s (new|phone|) number is {phone}.
? {name} has a new number: {phone}.

(suggest|recommend|find|get|propose) (recipe|dish|meal|dinner|menu)
> (Suggest|Find|Recommend) a (dish|recipe) (with|for) an ingredient
ingredient: ingredient|with|food|main = food
! (suggest|find|recommend|show me) (something|a dish|a recipe|a meal) with {ingredient}
? What can I (cook|make|do) with {ingredient}?
? I have (some|a lot of|only) {ingredient}. What (now|can I cook|do I cook)?
? Any ideas for {ingredient}?
`;
