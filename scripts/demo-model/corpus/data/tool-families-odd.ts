/** More tools with questions of their own, from rarer trades; the form is that of `everydayFamilies`. */
export const oddFamilies = `
(reserve|book|rent) (sauna|court|lane|studio|boat|kayak|canoe|karaoke_room|hall|rehearsal_room|bowling_lane|laundry_room)
> (Reserve|Book|Rent) (a|the) {noun} on a day (for some hours|)
day: day|weekday|on|date = weekday
hours?: hours|duration|length|for_hours = digit
! {verb} (the|a) {noun} (on|for) {day}( for {hours} hours|)
? (Is the|Is a) {noun} free on {day}? (I|We) need {hours} hours.
? (We|I) would like (a|the) {noun} (on|for) {day}( for {hours} hours|).

(heat|warm_up|preheat|fire_up) (sauna|oven|kiln|bath|greenhouse|pool|terrarium|forge)
> (Heat|Warm|Heats) (a|the) {noun} (up|) to some degrees
degrees: degrees|temperature|heat|target = small
! (heat|warm|bring) the {noun} (up|) to {degrees} (degrees|°C)
? The {noun} should (be|have) {degrees} degrees.
? I (want|need|like) the {noun} {degrees} degrees (warm|hot).

(feed|give_food_to|nourish) (animal|animals|pet|resident)
> (Feed|Give food to) an animal
animal: animal|name|who|pet = nickname
food: food|what|feed|meal = food
kilos?: kilos|amount|kg|quantity = digit
! (feed|give) {animal} (some {food}|{kilos} kilos of {food})
! give (some {food}|{kilos} kg of {food}) to {animal}
? {animal} is hungry and (wants|likes|needs) {food}.
? {animal} has not had (any|its) {food} (yet|today).

(adopt|sponsor|buy|sell) (animal|pet|pony|turtle|llama)
> {verb} an animal in the name of a person
animal: animal|which|pet|species = animal
name: name|owner|sponsor|person = fullName
! {verb} (the|a) {animal} (for|in the name of) {name}
? {name} (wants|would like) to {verb} (the|a) {animal}.

(score|record|count|add) (goal|point|points|try|basket)
> (Add|Record) points for a (team|player)
team: team|player|side|club|for = nickname
points: points|score|goals|number = digit
! (give|add) {points} (points|goals) (to|for) {team}
! give {team} {points} (points|more points)
? {team} (made|scored|got) {points} (points|goals).
? {points} (points|goals) for {team}!

(get|show|find) (score|result|final_score) (of_match|of_game|)
> The (score|result) of a (match|game) between two teams
home: home|team_a|home_team|first_team = nickname
away: away|team_b|guest_team|second_team = nickname
! (tell me|find|show me) the (score|result) of {home} (against|versus|vs) {away}
? (How did|What was the result when) {home} (play|played) against {away}?
? Who won, {home} or {away}?
? {home} - {away}?

(schedule|arrange|set_up|plan) (match|duel|friendly|game|race)
> (Arrange|Schedule) a (match|duel) of two teams on a day
home: home|team_a|first|host = nickname
away: away|team_b|second|opponent|guest = nickname
day: day|weekday|on|date = weekday
! (let|have) {home} play (against|) {away} on {day}
! (schedule|plan|set up) {home} (against|versus|vs) {away} (on|for) {day}
? {home} (should|wants to|will) meet {away} on {day}.

(move|advance|place|put) (chess_piece|piece|pawn|token|figure|rook)
> (Move|Place) a piece from one (square|field) to another
from: from|start|square|origin = square
to: to|end|target|square_to = square
! (move|put|take) (it|the piece) from {from} to {to}
? {from} to {to}(, please|).
? From {from} I (go|move|want) to {to}.

(tune|set|adjust) (radio|station|frequency|receiver|channel)
> (Tune|Set) the {noun} to a frequency
frequency: frequency|megahertz|mhz|station = decimal
! (tune|set|switch) (it|the radio) to {frequency}( megahertz| MHz|)
? I (want|would like) to hear {frequency}( FM|).

(launch|fire|send_up|start) (rocket|balloon|probe|satellite|fireworks)
> (Launch|Fire) a {noun} by name after some seconds
name: name|rocket|craft|mission = nickname
seconds: seconds|countdown|delay|after = small
! (launch|fire|start) (the {noun}|) {name} in {seconds} seconds
! (launch|fire) {name} after a countdown of {seconds} seconds
? {name} (may|can|should) go up in {seconds} seconds.

(steer|turn|set_course|navigate|point) (ship|boat|yacht|telescope|antenna|crane)
> (Steer|Turn|Point) (a|the) {noun} to some degrees
degrees: degrees|heading|angle|course|bearing = hundreds
! (steer|turn|point) the {noun} to {degrees} degrees
? New (course|heading|direction): {degrees} degrees.
? The {noun} (must|should) point to {degrees} degrees.

(load|stow|put_aboard|take_aboard) (cargo|freight|goods|wagon|truck)
> (Load|Stow) some (tonnes|crates) of (goods|{noun})
goods: goods|cargo|what|freight|item = goods
tonnes: tonnes|tons|weight|amount = count
! (load|stow|take) {tonnes} (tonnes|tons|crates|t) of {goods}
? There are {tonnes} tonnes of {goods} (on the pier|waiting|to be loaded).
? {tonnes} tonnes of {goods} (go|come) aboard.

(restore|clean|lend|insure|photograph) (painting|exhibit|artwork|statue|fossil)
> {verb} a {noun} by its title
title: title|work|name|exhibit|piece = title
artist?: artist|painter|by|author = fullName
! {verb} (the {noun}|) {title}( by {artist}|)
? (We|I) (want|have|need) to {verb} {title}( by {artist}|).
? Who can {verb} the {noun} {title}( by {artist}|)?

(find|who_is|get) (painter|artist|composer|author|inventor|director)
> (Says|Tells) who made (a work|it), the {noun}
title: title|work|name|piece = title
! (tell me|find out|look up) who (made|created|is behind) {title}
? Who (made|wrote|painted|composed|created|is behind) {title}?
? {title}, who is that by?

(borrow|renew|reserve|return|extend) (book|item|novel|volume)
> {verb} a {noun} by its title
title: title|book|name|volume = title
reader?: reader|user|member|card_holder = person
! {verb} (the {noun}|) {title}( for {reader}|)
? I (want|need|would like) to {verb} (the {noun}|) '{title}'.
? {reader} would like to {verb} '{title}'.

(water|sprinkle|irrigate) (plants|garden|field|flowers|lawn|greenhouse)
> (Water|Sprinkle) the {noun} for some minutes
amount: minutes|duration|mins|for_minutes = small
bed?: bed|area|zone|where = nickname
! (water|sprinkle) the {noun}( at {bed}|) for {amount} minutes
! give the {noun} water for {amount} minutes
? The {noun} (needs|could do with) water. {amount} minutes will do.

(plant|sow|set) (seeds|bulbs|seedlings|trees|vegetables)
> (Plant|Sow) a number of {noun} of some kind
kind: kind|plant|what|species|variety = thing
count: count|number|quantity|how_many = small
! (plant|sow|set) {count} {kind} {noun}
? There is (room|space) for {count} {kind} {noun}.

(report|notify|flag) (damage|pothole|problem|fault|leak|broken_lamp|noise|litter)
> (Report|Tell the city about) (a|some) {noun} in a street
street: street|where|place|location|address = street
note?: note|description|details|comment = sentence
! (report|tell them about) (the|a|some) {noun} (in|on|at) {street}( with the note '{note}'|)
? There is (some|a|another) {noun} (in|on) {street}.
? {street} has a {noun}( again|).

(pickup|collect|fetch|empty) (rubbish|waste|bin|glass|furniture|paper)
> (Collects|Fetches) {noun} at an address on a day
street: address|street|where|place = street
day: day|on|weekday|date = weekday
! (pick up|collect|take away) the {noun} (at|in) {street} on {day}
? (Can|Could) you come to {street} on {day} for the {noun}?
? On {day} the {noun} should be gone from {street}.

(restart|reboot|stop|scale|ping|update) (server|service|machine|node|pod|router|job)
> {verb} (a|the) {noun} by its name
name: name|host|service|id|node|hostname = serial
! {verb} (the {noun}|) {name}
! {verb} {name}, (the|our) {noun}
? {name} (hangs|is stuck|does not answer|is slow). {verb} it(, please|)!
? Our {noun} {name}? {verb} it.

(deploy|release|ship|roll_out|publish) (version|app|build|website|package|service)
> (Deploy|Release) a version to (a place|an environment)
version: version|tag|release|build = version
to: environment|stage|to|target = staging/production/test
! (deploy|ship|roll out|release|bring) {version} (to|on) {to}
? {version} (is ready for|should go to|can go to) {to}.

(run|execute|query|search) (query|sql|database|log|logs|code)
> {verb} (a|the) {noun} (on|in) a (database|host)
query: query|text|pattern|term|command = sentence
where: database|host|where|source = serial
! {verb} '{query}' (on|in) {where}
! {verb} the {noun} '{query}' (on|in) {where}
? What does {where} (have|say) for '{query}'?

(create|open|file|raise) (ticket|issue|bug|case|incident|request)
> (Create|Open|File) a {noun} with a title and a priority
title: title|summary|subject|name = sentence
level: priority|severity|level|urgency = low/medium/high
! (create|open|file) (a|an) {noun} '{title}' (with {level} priority|and give it {level} priority|with priority {level})
? I have (a|another) {noun}: '{title}', {level} priority.

(prescribe|give|order|dose) (medicine|drug|medication|pills|drops)
> (Prescribe|Give) a medicine to a patient
patient: patient|person|name|to = fullName
drug: drug|medicine|what|medication = rareName
mg?: mg|milligrams|dose|amount = hundreds
! (give|prescribe) {patient} ({drug}|{mg} mg of {drug})
! (give|prescribe) ({drug}|{mg} milligrams of {drug}) (to|for) {patient}
? {patient} (needs|should get) ({drug}|{mg} mg of {drug}).

(book|make|arrange|get) (appointment|consultation|slot|visit|session)
> (Book|Make) an appointment with a person at a time
with: with|doctor|person|expert|who = fullName
time: time|at|hour|when = time
day?: day|weekday|on = weekday
! (book|make|arrange) (one|an appointment) with {with}( on {day}|) at {time}
? Can I (see|meet|talk to) {with}( on {day}|) at {time}?
? Is {with} free( on {day}|) at {time}?

(dye|paint|colour|print|spray) (hair|wall|fabric|car|fence|boat|wool)
> {verb} (the|a) {noun} in a colour
colour: colour|color|shade|tone|paint = colour
where?: what|where|part|object = nickname
! {verb} (the {noun}|my {noun}|{where}) {colour}
? I (want|would like) (the {noun}|my {noun}) in {colour}.
? The {noun} should be {colour}.

(cut|saw|drill|bend|slice) (board|pipe|sheet|rope|wire|hole|fabric)
> {verb} a {noun} with a (length|width)
mm: mm|length|width|size|cm = numeric
material?: material|from|of|stuff = thing
! {verb} (the|a|my) {noun} (to|with) {mm} (mm|cm|millimetres|centimetres)( from {material}|)
? I need (a|the) {noun} of {mm} (mm|cm)( from {material}|).

(brew|make|pour|mix) (drink|tea|coffee|cocktail|potion|juice)
> (Brew|Make|Pour) a drink (for a guest|)
drink: drink|kind|which|flavour|recipe = nickname
guest?: guest|for|customer|name = person
! (make|pour|mix|bring) (me|us|) (a|one) {drink}( for {guest}|)
? {guest} would like a {drink}.
? One {drink}( for {guest}|), please.
? I (could do with|fancy|would like) a {drink}.

(vote|cast_vote|rate|review|grade) (film|song|book|place|dish|show|essay)
> (Rate|Give points to|Vote for) a {noun}
title: title|name|what|item = title
stars: stars|points|rating|score|grade = digit
! (give|rate) (the {noun}|) {title} {stars} (stars|points)
? {title} (was|is) (great|nice|boring|bad): {stars} (stars|points).
? {stars} stars for {title}.

(name|baptize|christen|label) (ship|star|baby|robot|rose|hurricane)
> (Give|Choose) a {noun} a name
name: name|label|title|called = nickname
! (name|call) the {noun} {name}
? The {noun} (should be called|is to be named) {name}.
? {name} is a (nice|good) name for the {noun}.

(sell|trade|auction|exchange) (stamp|coin|card|antique|share|stock|item)
> {verb} a {noun} for a price
item: item|name|what|lot|title = thing
price: price|amount|for|value|minimum = count
! {verb} the {item} (for|at) {price} (euros|dollars|)
! {verb} my {noun}, the {item}, for {price} (euros|dollars)
? I (want|would like) to {verb} the {item} for {price} euros.

(send|dispatch|call) (ambulance|taxi|plumber|mechanic|fire_engine|tow_truck|electrician)
> (Send|Call) (a|the) {noun} to an address
address: address|street|where|location|to = street
name?: name|caller|person|who = fullName
! (send|call) (a {noun}|the {noun}) to {address}( for {name}|)
? We need (a|the) {noun} (at|in) {address}.
? {name} is waiting for (a|the) {noun} (at|in) {address}.

(cast|use|learn) (spell|charm|magic|power)
> (Cast|Use) a spell on (someone|a target)
spell: spell|name|charm|which = rareName
target: target|on|who|enemy = person
! {verb} (the {noun}|) {spell} on {target}
? {target} should feel the {noun} {spell}.
`;
