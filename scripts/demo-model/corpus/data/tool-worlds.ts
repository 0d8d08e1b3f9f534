import { rows, words } from './rows.ts';
import type { SlotName } from './tool-slots.ts';

/** A place or trade with what is done there: any of its verbs goes with any of its nouns. */
export interface World {
  readonly name: string;
  /** Each entry is a group of verbs that mean the same here; none at all: its nouns are looked up. */
  readonly verbs: readonly (readonly string[])[];
  /** Names of the same thing; `~` before the first: it has no plural. */
  readonly nouns: readonly string[];
  readonly slots: readonly SlotName[];
}

/** Name: verbs (`_` joins the words of one, `|` the ones that mean the same): nouns: slots. */
function parseWorlds(text: string): World[] {
  return rows(text).map(([name = '', verbs = '', nouns = '', slots = '']) => ({
    name,
    verbs: verbs === '' ? [] : words(verbs).map((group) => group.replaceAll('_', ' ').split('|')),
    nouns: nouns.split(',').map((noun) => noun.trim()),
    slots: words(slots) as SlotName[],
  }));
}

/** What is done to things. */
export const worlds: readonly World[] = parseWorlds(`
garden: water|sprinkle trim|prune plant|sow dig_up|remove fertilize|feed cover|protect: lawn|grass area, hedge|bush row, rose bed, tomato plant, apple tree, orchid, vineyard, flower pot, herb bed, fern, cactus, greenhouse, compost heap, raised bed: minutes litres where day time keeper
house: clean|tidy lock|secure unlock|open paint|repaint repair|fix inspect|check: window, front door|entrance, gutter, chimney, staircase, balcony, attic, cellar|basement, fence, roof, doorbell, shutter, letter box, carpet, fireplace: day time keeper where minutes note
laundry: wash|launder iron|press dry fold mend|patch dye: shirt, curtain, bed sheet|sheet, towel, blazer, wool sweater|pullover, tablecloth, sock, uniform, pillowcase, apron, kimono: degrees minutes quantity anyColour owner
kitchen: bake|cook boil chop|cut freeze|chill fry grill|roast serve: loaf, omelette, pumpkin, dumpling, pancake, turkey, casserole, lasagna, pie, pudding, steak, egg, cabbage, waffle: minutes degrees people time size quantity
bar: mix|shake pour|serve order|request refill|top_up: cocktail|drink, lemonade, milkshake, espresso, smoothie, cider, punch bowl, hot chocolate, iced tea, tonic: quantity size guest where price express
restaurant: reserve|book cancel|call_off move|shift confirm split|divide: table, banquet, tasting menu, wine cellar, terrace seat, brunch, bill|check, catering order: people day time guest code where
zoo: feed weigh|measure wash|bathe move|transfer vaccinate|inject adopt|sponsor: lion, penguin, giraffe, elephant|bull elephant, otter, lemur, crocodile|alligator, tortoise, zebra, walrus, gorilla, flamingo, python|snake, meerkat, hippo: kilos food time keeper where day
farm: milk harvest|gather plough|till shear count|tally sell buy|purchase: cow, sheep, barley field, potato field, goat, orchard, beehive|hive, corn field, hen house|coop, alpaca, stable, hay bale, tractor: day where quantity hours keeper
aquarium: feed clean|scrub move|relocate net|catch: shark, seahorse, octopus|squid, jellyfish tank, coral, turtle pool, ray, eel, koi pond, starfish: time where grams keeper degrees
pets: walk|take_out groom|brush register|sign_up vaccinate|inoculate board|lodge chip: dog|puppy, cat|kitten, ferret, rabbit|bunny, parrot, pony, hamster, guinea pig, iguana: nickname day time minutes owner phone
ship: anchor|moor steer|navigate paint|coat unload|discharge load|fill launch tow|drag: ferry, yacht|sailing boat, tanker, lifeboat, container ship|freighter, tugboat, submarine, raft, schooner, trawler, canoe: where hours degreesHeading speed code time
harbour: assign|allocate release|free lower|drop raise|lift dredge|deepen: berth|dock, crane, anchor, pier, mooring, buoy, gangway, drawbridge, lock gate, sea lock: number code time metres keeper
airport: open|unlock close|shut assign|allot announce|call delay|postpone board: gate, runway, lounge, boarding counter, baggage belt|carousel, check-in desk, hangar, shuttle flight, jet: code number minutes time airline
railway: delay|hold_back cancel|scrap couple|attach announce dispatch|send_off divert|reroute: night train|sleeper, freight wagon, tram, express train, dining car, locomotive|engine, steam train, monorail, coach: minutes number code where time reason
hotel: book|reserve clean|make_up extend|prolong cancel|annul upgrade: suite, double room, single room, penthouse, conference hall, spa session, parking space, bungalow, minibar, bathrobe: nights guest date number breakfast people
spa: book|reserve heat|warm_up cool|cool_down drain|empty open: sauna, steam bath, massage, mud bath, whirlpool|hot tub, salt cave, ice bath, hammam, foot bath, relaxation pod: degrees minutes people time day guest
museum: restore|repair lend|loan hang|put_up insure photograph|take_a_picture_of borrow: painting|canvas, statue|sculpture, vase, mummy, fossil, tapestry, coin collection, dinosaur skeleton, sword, meteorite, manuscript, suit of armour: museum year code amount room date
gallery: frame sell auction|auction_off ship|dispatch price: watercolour, sketch|drawing, portrait, poster, engraving, photo series, mosaic, icon, collage, bronze: price title artist size guest
library: borrow|check_out return|bring_back renew|extend reserve|hold shelve bind: novel|book, atlas, comic|graphic novel, dictionary, biography, magazine|journal, encyclopedia, map sheet, audio disc, newspaper: title days code fullName author
theatre: rehearse|practise stage|perform dim light cancel|call_off prompt: play|drama, opera, ballet|dance piece, spotlight, curtain call, musical, puppet show, monologue, scene, choir piece: title day time minutes director
music: tune practise|rehearse record|tape transpose conduct mute|silence: piano|grand piano, violin|fiddle, cello, organ, trumpet, guitar, harp, drum kit, choir, saxophone, accordion, symphony, microphone, banjo: minutes day title level keeper
studio: mix|blend master publish|release export|render upload|post trim|crop: track, podcast|show, jingle, video clip|clip, soundtrack, trailer, livestream, voice-over, remix: title seconds format date public
cinema: screen|show dub subtitle|caption rate|score book|reserve: film|movie, cartoon, documentary, short film, western, silent film, thriller, matinee, double feature: title language time number people
sports: schedule|plan cancel|call_off referee join|enter leave|quit win: match|game, tournament|cup, marathon, relay race|relay, regatta, duel, friendly, play-off, training camp, race: day team time where kilometres
gym: log|record plan|schedule reserve|book increase|raise reset|clear: workout|training, yoga class, treadmill, squat set, rowing session, climbing wall, boxing ring, spin class, push-up goal, swim lane: minutes quantity kilos day level coach
climbing: rent|hire inspect|check pack|stow dry return|hand_back: rope, harness, helmet, tent, ice axe, carabiner, sleeping bag, crampon, compass, headlamp, stove: days quantity size guest metres
travel: book|reserve plan|organize cancel|annul share rate|review: cruise, safari, city tour|sightseeing tour, road trip, hostel bed, campsite|pitch, rail pass, balloon ride, ski lesson, island hop, day trip, visa: days where date people budget
car: wash|clean rent|hire refuel|fuel_up park|leave tow insure inspect|examine: car|vehicle, van|minibus, motorbike, truck|lorry, trailer, convertible, camper, limousine, tractor, quad bike: plate where litres days driver
workshop: sharpen|grind weld drill|bore polish|buff oil|grease assemble|put_together: blade, pipe, hinge, saw, axle, gear wheel|cog, valve, bolt, metal sheet|plate, lathe, spring, piston: millimetres quantity minutes material code
building: demolish|tear_down insulate rent_out|let renovate|refurbish measure|survey heat: warehouse|depot, garage, barn|shed, chapel, lighthouse, windmill, tower, bridge|footbridge, tunnel, dam, castle, cottage: where date budget keeper metres
office: print|print_out scan shred|destroy sign staple archive|file copy|duplicate laminate: contract|agreement, report, form, memo|note, badge, agenda, flyer, certificate, letterhead, handbook, payslip, brochure: copies title anyColour duplex language owner
staff: hire|recruit promote train|coach dismiss|let_go pay|remunerate praise: intern|trainee, driver, translator, accountant, security guard|guard, cook|chef, cleaner, lifeguard, gardener, consultant, nurse: fullName date amount city hours
money: withdraw|take_out deposit|pay_in transfer|wire freeze|block exchange|swap lend|loan: ~cash, cheque|check, salary, pension, allowance, savings bond, gold bar, share, scholarship, bonus, tip: amount account recipient currency date
insurance: file|submit renew|prolong cancel|terminate compare|contrast reject|turn_down: claim, policy|insurance policy, damage report, quote, travel cover, refund request, complaint, appeal, warranty: code date reason amount fullName
shop: restock|refill discount|mark_down wrap|gift-wrap return|send_back reserve|hold label|tag: handbag, wristwatch|watch, lipstick, toy car, wine box, perfume|scent, teapot, bracelet, doll, chess set, snow globe, wallet: quantity price percent anyColour person
warehouse: move|relocate pack|box_up count|tally lift|hoist scan weigh: pallet, crate|box, barrel|cask, parcel|package, container, forklift, shelf, sack, spare part, drum: code quantity where kilos number
post: send|mail track|trace forward|redirect stamp return|send_back insure: parcel|package, letter, postcard, registered letter, telegram, newsletter, catalogue, box, magazine, invitation: recipient address grams express code
city services: report|flag repair|fix collect|pick_up empty|clear order|request: pothole, street light|street lamp, rubbish bin|trash can, fallen tree, graffiti wall, park bench, fountain, playground, traffic light, recycling box, road sign, hydrant: street day number reason keeper
government: apply_for|request renew|extend cancel|revoke check|verify issue: passport, driving licence|driver licence, permit|licence, birth certificate, residence card, tax number, visa, fishing licence, dog tag: fullName date number express code
school: grade|mark cancel|call_off teach|give postpone|put_off hand_out|distribute sign: exam|test, essay, lesson|class, quiz, homework sheet, school trip|excursion, report card, spelling test, worksheet, lecture: course day number teacher minutes
kindergarten: plan|prepare pack read tidy|clear_up hand_out: nap, craft hour, snack box, story, sandpit, birthday hat, swing, puzzle, bath toy: child time quantity title minutes
science: run|carry_out repeat|redo calibrate|adjust label|tag stop|abort publish: experiment|test run, microscope|scope, centrifuge, sample|specimen, telescope, laser, spectrometer, petri dish, simulation, probe, reactor, magnet: degrees minutes code number keeper
space: launch|fire land|set_down dock|attach deploy|release rotate|turn track|follow: satellite|orbiter, rocket|booster, rover, capsule|pod, space probe, antenna dish, solar sail, telescope, lander, shuttle: code degreesHeading speed date planet
hospital: schedule|arrange prescribe admit|take_in transfer|move measure|take cancel: blood test, x-ray|scan, operation|surgery, vaccination|jab, therapy session, bandage, check-up, crutch, wheelchair, ambulance: patient day time number doctor
pharmacy: order|request refill|renew dose|measure_out pick_up|collect: ointment|salve, cough syrup, eye drop bottle, vitamin pack, inhaler, plaster pack, sleeping pill, insulin pen, nasal spray: patient milligrams quantity date times
games: start|begin save pause|halt join|enter reset|restart end: chess game, quest|mission, puzzle, duel, raid, level, quiz, card game, race, treasure hunt, dungeon, crossword: player level mode number minutes
board games: roll|throw shuffle|mix move|shift deal|hand_out flip|turn_over draw: die, deck|card deck, pawn|piece, hourglass, knight, domino, marble, token|chip, wheel, joker: number anyColour quantity player square
party: plan|organize decorate|dress_up cancel|call_off cater host|throw: wedding, birthday|birthday party, picnic|garden picnic, barbecue, reunion, costume ball, farewell, baby shower, concert, carnival: people date where guest theme
event: invite|ask_along seat|place remind|notify thank|say_thanks_to badge: guest, speaker|lecturer, sponsor|donor, volunteer|helper, band, juggler, photographer, magician, journalist: fullName day time table text
church: ring light book|reserve polish|shine tune: bell, candle|altar candle, organ, chapel, chandelier, choir stall, chalice, pulpit: times time date minutes keeper
hair: cut|trim dye|colour book|reserve style curl shave: fringe|bangs, beard, ponytail, moustache, perm, braid, wig, hairpiece: centimetres anyColour time guest day
smart home: turn_on|switch_on turn_off|switch_off dim|darken reset|restart rename: lamp|light, heater|radiator, ceiling fan|fan, coffee machine, garden sprinkler, television|TV, night light, air purifier, kettle, dishwasher, doorbell camera, aquarium pump: room level minutes time newName
robots: charge|recharge send|dispatch stop|halt calibrate|tune repair|fix park: vacuum robot|robot vacuum, lawn robot, drone|quadcopter, delivery bot, welding arm, humanoid, window cleaner, courier robot: percent room where speed number
network: restart|reboot ping block|ban rename update|upgrade reset: router, server|host, printer, firewall, access point|hotspot, modem, switch, database, cluster, web site, mail server: host number newName minutes code
software: deploy|roll_out roll_back|revert test build|compile merge|combine tag: release|version, branch, plugin|extension, mobile app, firmware, container image, pipeline, driver, patch, website: version host urgent code branchName
files: rename|retitle delete|erase compress|zip move|shift share|pass_on encrypt: folder|directory, document, photo|picture, spreadsheet|table, backup, archive, playlist, log file, slide deck, screenshot, database dump: file newName person format
messages: send|dispatch schedule|time delete|remove pin|stick translate|put_into_another_language: message|text, voice note|voice memo, reminder|nudge, greeting|salute, poll|survey, announcement|notice, sticker, apology, love letter: recipient sentence time channel
notes: write|jot_down delete|erase pin|stick share tag: note, diary entry|journal entry, shopping item, recipe|cooking recipe, idea, to-do|task, bookmark, wish, dream, joke, checklist: sentence title day subject
calendar: schedule|plan move|reschedule cancel|drop confirm|accept decline|turn_down: meeting|appointment, dentist visit, call|phone call, interview, deadline|due date, holiday|vacation, rehearsal, parent evening, webinar, lunch: guest day time date minutes title
fishing: rent|hire release|let_go weigh|measure gut|clean smoke: boat|rowing boat, trout, pike, salmon, net, carp, fishing rod|rod, bait box, lobster trap: hours kilos where guest number
mining: blast drill|bore close|seal ventilate|air pump_out|drain: shaft, tunnel|gallery, quarry|pit, coal seam, well|borehole, mine cart, salt chamber: metres code time number reason
forest: fell|chop_down mark|tag plant count protect|fence: oak, spruce|fir, beech, hiking trail|path, deer feeder, firebreak, birch, nest box, clearing: quantity where anyColour number date
weather station: calibrate|adjust reset|clear move clean launch|release: rain gauge, barometer, weather balloon|balloon, wind vane, thermometer, hygrometer, lightning detector: where time number metres code
fire brigade: dispatch|send_out call|alert refill|top_up test|try_out: fire engine|fire truck, ladder truck, hose, hydrant, siren|alarm horn, rescue boat, smoke detector, helmet: street quantity number time reason
police: report|notify_us_about lock_up fine|penalize return|give_back register: lost wallet, stolen bike|missing bike, speeding car, found phone, burglary, noise complaint, runaway dog: street date fullName plate phone
factory: start|run halt|stop speed_up|accelerate slow_down maintain|service order: conveyor belt|belt, press, bottling line, furnace|kiln, packing robot, loom, paint line, turbine: number percent hours code speed
tailor: shorten|take_up sew|stitch alter|adjust order iron: skirt, suit|two-piece suit, wedding dress|bridal gown, sleeve, zip, coat|overcoat, trouser leg, costume, veil, waistcoat: centimetres material anyColour date guest
bakery: bake order|request decorate|ice slice|cut freeze: birthday cake, rye loaf|rye bread, croissant, bagel, muffin|cupcake, pretzel, apple strudel, gingerbread house, baguette: quantity flavour time recipient sentence
coffee: brew|make order|request grind roast froth: cappuccino, latte, mocha, flat white, filter coffee, cold brew, decaf: size quantity person sugarLumps express
art class: paint|colour draw|sketch print carve|cut glue|stick: sunset, self-portrait, mask, vase, mural, linocut, paper crane, clay pot, totem: anyColour size material minutes title
circus: train|drill rehearse book|hire insure tickle: tightrope act, clown|jester, acrobat, fire show, trapeze, sword swallower, juggling act, tiger|big cat: minutes amount day metres fullName
castle: raise|pull_up lower|let_down guard|watch light siege: drawbridge, flag|banner, portcullis, torch, catapult, watchtower, moat gate, throne room: time number keeper metres hours
sewing of sails: mend|patch hoist|raise furl|roll_up order: mainsail, jib, spinnaker, flagpole line, awning: metres material date keeper
beekeeping: inspect|check smoke move|relocate harvest|collect feed: beehive, swarm, honeycomb|comb, queen cage, brood box: number grams date where keeper
energy: charge|recharge read sell|feed_in switch|change install|put_in: battery pack|battery, electricity meter|power meter, solar roof, heat pump, wall box, wind turbine, gas boiler: kilowatts percent date number supplier
photography: crop|cut_out print|print_out enlarge|blow_up retouch|touch_up tag: portrait|headshot, negative, panorama, passport photo, wedding album, slide, selfie: centimetres copies person format filter
genealogy: add|insert link|connect remove|delete merge: ancestor|forefather, family branch, marriage, godparent, family tree: fullName year city person code
elections: count|tally register|enrol open|start close|end announce: ballot box|ballot, voter, polling station, candidate, referendum, postal vote: number street fullName date quantity
`);

/** What is only looked up. */
export const lookupWorlds: readonly World[] = parseWorlds(`
sky:: ~weather|weather conditions, forecast|weather forecast, sunrise|sunrise time, moon phase, pollen count, UV index, ~visibility, storm warning, dew point, snow depth, air pressure, ~fog, cloud cover, star map, eclipse date: where day unit date
sea:: tide table|tide times, water temperature, wave height, current speed, ~salinity, ferry schedule, shipping forecast, lighthouse signal, fish quota: where day time date
mountains:: avalanche risk, snow report|snow conditions, lift status, trail map, summit height, hut opening, cable car price, ski pass cost: mountain day date unit
roads:: traffic jam, toll|road toll, speed limit, detour, petrol price|fuel price, charging point|charging station, parking fee, bridge height, road closure: street where plate day
public transport:: next bus, last tram, platform, night line, ticket zone, departure board, strike notice, lost property: station number time day
people:: phone number, birthday|date of birth, job title, home address|address, shoe size, blood type, height, favourite dish, shift plan, supervisor, absence, vacation balance, nickname: fullName person code
company:: share price|stock price, annual profit|profit, headquarters, founder, headcount|number of employees, opening hours, tax number, supplier list, complaint rate, logo, CEO, motto: company year country
city facts:: population, mayor, postcode|zip code, time zone, founding year, crime rate, sister city, ~noise level, area code, rent index, town hall address, coat of arms: city year country
country facts:: anthem, flag, national dish, dialling code, president, minimum wage, birth rate, currency, public holiday, tallest building, inflation rate, voltage: country year
shop:: price, stock|stock level, barcode, discount|price reduction, warranty|guarantee, shoe width, customer rating|rating, delivery fee, return policy, washing instruction, manufacturer, shelf: product anyColour size code
orders:: order status|status, invoice|bill, tracking number, delivery date, receipt, refund amount|refund, shipping label, customs fee, pick-up point: code fullName date
bank:: balance|account balance, interest rate, credit limit, exchange rate|rate of exchange, transaction list, mortgage rate, overdraft, savings goal, standing order, gold price: account currency date
food:: calorie count|calories, allergen list|allergens, sugar content, recipe|cooking recipe, origin, shelf life, cooking time, wine pairing, vitamin content, price per kilo: food unit people
sport:: final score|result, league table|standings, top scorer, fixture list, stadium capacity, world record, penalty count, transfer fee, line-up|team sheet, odds, referee, ticket price: team year day
music:: chart position, lyrics page, concert date, band member list, album length, record label, chord sheet, tour plan, streaming count, composer: title artist year
cinema:: showtime|starting time, film rating, director, cast list, box office total, plot summary, seat plan, running time, age limit: title city day
books:: author, page count|number of pages, ISBN, publisher, book review|review, due date, waiting list, shelf mark, blurb, sequel: title author year
school:: timetable|class schedule, exam result|grade, homework list, canteen menu, term date, class size, absence count, teacher list, bus pass: child course day number
health:: heart rate|pulse, blood pressure, waiting time, vaccination record, lab result, allergy list, step count, sleep score, dosage, insurance number: patient date number
science:: melting point, atomic weight, half-life, star distance, gene sequence, chemical formula, boiling point, density, earthquake report, orbit: thing unit number
computers:: disk usage|disk space, server load|load, ~uptime, IP address, error log, licence key, battery level|charge level, software version, CPU temperature, build status, download count: host number date code
house meters:: electricity use|power consumption, gas bill, water meter, room temperature, alarm status, window status, heating plan, solar yield, humidity level: room day month unit
travel:: visa rule, flight status, hotel rate, baggage limit, luggage status, travel warning, embassy address, vaccination rule, seat map, boarding time: city country code date
jobs:: open position, salary range|pay range, application status, commute time, training offer, dress code, probation period, overtime: job city company
city services:: bin day|rubbish collection day, street cleaning date, library hours, swimming pool times, permit status, recycling centre, flood level, market day, dog rule: street day city
animals:: diet|favourite food, lifespan, habitat, ~weight, top speed, Latin name, litter size, enclosure number, sleeping time, vet report: animalName animal unit
museum:: opening time, entry fee|admission fee, exhibition plan, painter, audio guide, opening year, guided tour, room plan: museum day language
games:: high score|best score, level reached, player rank|ranking, win rate, tournament date, hint, cheat code, inventory, remaining lives, quest reward: player title number
ship:: position, cargo list, crew list, draught, fuel level, arrival port, captain, course, water tank level: ship date unit
factory:: output|production volume, machine status, defect rate, ~downtime, maintenance plan, shift leader, oven temperature, stock of raw material: code day number
`);
