import { words } from './rows.ts';

/** Things of every trade, usual and odd: what values and made-up keys are drawn from. */
export const things = words(`
acorn airship alloy almanac ambulance amulet anchor antenna anvil apron aquarium archive arrow atlas attic awning axle
badge bagel bamboo banjo banner barley barn barometer barrel basin basket battery bayonet beacon beaker beehive bell
bellows bench beret billboard blazer blender blossom bonnet boomerang bouquet bracelet bramble brass brick broom brush
buckle bugle bunker buoy burrow butterfly button cabin cable cactus caldron canal cannon canoe canopy canvas capsule
caravan cargo carriage cartridge cashew castle catapult cavern cedar cello cement chalk chapel chariot chess chestnut
chimney chisel cinema circuit clarinet clay cliff cloak clover cobalt coconut collar comet compass copper coral cork
cotton cradle crane crater crayon crystal cupboard curtain cushion cymbal dagger daisy dam desert diary dice dome
dragon drawer dune dynamo eagle easel echo eclipse elbow elevator ember emerald engine envelope fabric factory falcon
feather fern ferry fiddle filter flag flask flint flute fog folder forge fossil fountain fox funnel galaxy garlic gate
gear geyser ginger glacier glove goblet granite gravel guitar gutter hail hammock harbour harness harp harvest hatch
hazel hedge herb hinge honey hook horizon hotel hourglass igloo ink iron ivory ivy jacket jar jewel jigsaw jungle kayak
kettle kiln kiosk ladder lagoon lantern laser lawn leaf ledger lemon lens lettuce lever library lighthouse lily lock
locket loom lotus lumber lute magnet mango mantle maple marble mask meadow medal melon mercury meteor mill mint mirror
mitten moat mole moss mosaic motor mug mural mustard napkin needle nectar nest nickel nozzle nugget nut oak oasis oboe
obelisk olive onyx orbit orchard orchid organ otter oyster paddle palace panda paper parade parcel pasture patio pearl
pebble pedal pepper perfume piano pickle pigment pillar pilot pine pipe piston planet plaster plum pond poppy portal
pouch powder prism pulley pump pumpkin quarry quartz quill quilt raft rail raisin rake ranch raven reef resin ribbon
ring rivet robot rocket roof rope rose rudder rug saddle saffron sail salmon sandal sapphire satin sauna saxophone
scaffold scale scroll sculpture seal seed shell shield shovel shrine shuttle signal silk siren sketch sled slipper
smoke soap socket spade spark spear sphere spice spider sponge spoon spruce stable stadium stamp statue steam steel
stool stove straw stream sundial swamp swan sword syrup tablet tailor tapestry teapot telescope temple thimble thorn
thread throne thunder tile timber tin toffee token torch totem towel tower trail tram treasure trombone trophy truffle
trumpet trunk tulip tundra tunnel turbine turnip turquoise urn valley valve vanilla vase vault velvet vest village vine
vinegar violin volcano voyage waffle wagon walnut walrus wand wardrobe warehouse waterfall wax well whale wheat wheel
whistle willow windmill wizard wool wreath yacht yarn yoke zebra zinc zipper
`);

/** What things are like, in capitals as parts of names too. */
export const qualities = words(`
amber ancient autumn blazing bold brave brilliant bronze calm careful chilly clever cosy crimson crooked curious daring
distant drowsy dusty eager early eastern elegant electric endless faded faithful fancy fearless fierce flying forgotten
foggy fragile fresh friendly frosty frozen giant glowing graceful grand gentle hasty hollow humble icy indigo invisible
jolly lazy light lively lonely lucky magic mellow merry midnight mighty misty modest mossy muddy narrow nimble noble
northern odd patient peaceful plain polar polished proud purple quick quiet rapid rare restless rough round royal rusty
salty scarlet shiny shy silky silver sleepy slim smooth solar southern sparkling spicy steady stormy striped sturdy
swift tall tame tender thirsty tiny twisted upper urban velvet vivid wandering western whispering wide windy wise
wooden young zesty
`);

/** Verbs for errands and reminders. */
export const errandVerbs = words(`
ask borrow brush change collect cancel carry charge chop decorate defrost deliver dry dust empty fetch file fill finish
fold frame frost hang hide iron label lend lock measure mend mop mow oil paint peel photograph pick plant polish post
practise press prune recycle refill renew rent repaint replace rinse scan scrub sharpen shake shorten sign slice sort
stack sweep tape taste test thank tidy translate trim tune unpack update vacuum visit walk warm water weigh wipe wrap
`);

/** Halls, gates and other spots with a number or a name. */
export const spots = words(`
Hall Gate Pier Dock Room Terminal Platform Tower Wing Block Court Zone Deck Bay Aisle Floor Stage Track Studio Stand
Office Station Field Park Square Bridge Cabin Tent Lab Depot Corner Garden Lobby Lounge Cellar Yard Hangar Pool Arena
`);

export const streetKinds = words(
  'Street Road Lane Avenue Way Square Alley Drive Hill Close Row Walk Court Park',
);

export const companyEnds = words(
  'Ltd Inc Works Group Foods Motors Labs Bank Air Media Systems Toys Energy Shipping',
);

/** Error messages; `(a|b)` as in wording, `{thing}`, `{code}`, `{number}` and `{name}` are filled in. */
export const errorTemplates = `
(not|nothing|nobody) found
{thing} (not found|missing|unknown|is locked|is broken|is closed|is busy|is empty|is full|expired|offline)
no (such|matching|free|valid|more) {thing}
no {thing} (with (id|code|number) {code}|called {name}|for {name}|named {name}|left|available|selected)
(unknown|invalid|missing|bad|wrong|expired|duplicate|unsupported) (parameter|value|field|key|token|code|format|unit|date|{thing})
(unknown|invalid) {thing}: {name}
(invalid|unknown) (code|id|number) {code}
(the|this|that) {thing} (is|was|has been) (closed|sold out|not available|already (taken|booked|used)|under repair|switched off|out of order|damaged|deleted|too (old|small|heavy|hot|cold))
{thing} {code} (does not exist|is not available|was not found|is already in use|has expired|is blocked)
(too (many|few)|not enough) (requests|items|{thing}s|credits|seats|arguments|permissions)
(connection|request|session|login|payment|upload|download|transfer|booking|order|call) (failed|refused|lost|timed out|rejected|cancelled|closed|denied|expired)
(access|permission|entry) (denied|refused)( for {name}|)
(server|service|network|database|printer|device|sensor|engine|door|gateway|robot) (error|unavailable|down|offline|busy|not ready|not responding|overloaded|does not answer)
(rate|daily|monthly|credit|size|weight|speed|time) limit (exceeded|reached)( for {name}|)
(battery|tank|disk|memory|paper|ink|stock|oil|storage) (low|empty|full|exhausted)
(card|cheque|payment|request|application) (declined|refused|rejected) by (the bank|{name}|the owner)
(only|at most|at least|no more than) {number} (allowed|people|items|per day|per person|seats)
(cannot|could not|unable to|failed to) (open|read|find|reach|start|stop|move|load|save|parse) (the |){thing}( {code}|)
(outside|not during) (opening|office|working) hours
(closed|not open|fully booked|sold out|unavailable) (today|tomorrow|on {day}|until {day}|for {name})
(internal|unexpected|unknown|fatal) (error|failure|problem)( {number}|)
(timeout|timed out) after {number} (seconds|minutes|ms)
{name} (is not (registered|known|at home|logged in|allowed to do this)|does not answer|has no account|is on holiday|has left)
(please|you must) (log in|sign in|pay|wait|confirm|try again later)( first|)
(quota|budget|balance) (exceeded|too low|used up)
(version|type|unit|currency|language) not supported
(age|height|weight) must be (over|under|at least) {number}
(wrong|invalid|missing) (password|address|date|time|signature|amount|name)
bad (gateway|request|input|weather|signal|connection)
(date|time) (is in the past|not possible|already taken)
`;
