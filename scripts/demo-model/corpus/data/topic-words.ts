import { words } from './rows.ts';

/** Words of many topics, to be spelled or joined to longer ones. */
export const topicWords = words(`
acorn almond anchor ankle antelope apron apricot arrow artist atlas attic author avenue badge badger bagel baggage
balcony ballet bamboo bandage banjo banner barber barley barn barrel basin bat battery bead beak beam beard beaver beetle
berry bicycle biscuit blackbird blade blossom blouse boiler bolt bonfire bonnet border bow bracelet brass breakfast
breeze broccoli broom bubble bucket buckle buffalo bulb bull bunch bundle burger butcher butterfly cabbage cabin cactus
cage calendar calf camel canal canary candy canoe canvas canyon cape captain caravan cardigan cargo carpet carriage
cashew cattle ceiling celery cellar cello cement cereal chapel charcoal chariot cheek cheetah chef chestnut chili chimney
chin chocolate cider cinema cinnamon clarinet claw cliff clover clown coal cobra cockpit coconut cod collie comb comet
compass concert cookie coral cork cottage couch cousin cowboy crab cradle crane crater crayon cream creek cricket crocodile
crow crumb crystal cube cucumber cupboard curry cushion custard cycle daisy dam deck dentist deserts diamond diary dice
dinosaur dock doll dolphin domino donkey dough dragon drawer drill drum duchess duckling dungeon duvet eagle easel eel
emerald emperor engineer envelope eraser eyebrow eyelash fabric fairy falcon fan fashion faucet fawn fender fern ferry
fiddle fig filter fir fireplace fist flame flamingo flannel flea fleet flute foal foam fog folder fountain fossil fridge
fringe fudge fur furnace furniture gallery garage garlic gate gazelle gem ghost ginger giraffe glacier globe glue goblin
gorilla gown granite grasshopper gravel gravity guard gull gum gym hail hallway ham hamster harp harvest hawk hay hazel
hedge hedgehog helicopter helmet herb heron herring hill hinge hippo hive hobby hoof hook horizon hose hound hut hyena
icicle igloo iguana ink insect iron ivory ivy jackal jade jaguar jar jasmine jaw jeans jelly jelly jewel jigsaw jug juggler
kangaroo kayak keeper kernel keyboard kidney kilt kiosk kite kiwi knight knot koala label lace lagoon lantern lapel laptop
lark laser lavender lawn lawyer leaflet leash lentil leopard lettuce lid lighthouse lime linen lizard llama lobster locker
locket log lollipop lotion lunchbox lung lute lynx magnet magpie mailbox mallet mammoth mango mansion mantle maple marble
margin marina marmalade marsh mast mattress maze meadow medal melody mermaid meteor meter midnight mill mineral mint mirage
mist moat mole mop moss moth motorbike mud muffin mug mule mushroom mustard napkin nectar nephew nettle nickel niece nut
nutmeg oak oar oasis oat octopus olive omelette orchard orchid organ ostrich otter oyster paddle pajamas pan pancake panda
panther papaya parade parcel parsley parsnip pasta paste pastry patch path pavement paw pea peach peacock peanut pearl
pebble pedal pelican penguin penny petal petrol pheasant pickle pie pier pigeon pillar pine pineapple pipe pistachio
pitcher pizza platter platypus plaza plug poem poet polar pony poodle popcorn poppy porch porridge port poster pot pottery
powder prawn puddle pudding puffin pump pumpkin puppet puppy purse puzzle pyramid quail quarry quartz quill quilt raccoon
racket radar radish raft rail rainbow raisin ranch raspberry raven razor receipt recipe reed reef reindeer ribbon riddle
rib robe robin robot rocket rod rope rosemary rubber ruby rucksack rug ruler saddle saffron sailor salad salmon salmon
sandal sandwich satellite sauna sausage saxophone scarf scent scissors scooter scorpion screen screw sculpture seagull seal
seaweed sesame shark shawl shed sheet shield shore shovel shower shrimp shrub sieve skate skeleton sketch ski skull skunk
slate sled sleeve slipper sloth smock snail sneaker snowflake sofa sorbet spade spaghetti spark sparrow spear spice spinach
splash sponge sprout squash squid squirrel stable stadium stair stallion statue stew stocking stool stork stove strap straw
strawberry stream string stripe suitcase sunflower sunset surf swan swamp swallow sweater swing syrup tablet tailor tambourine
tangerine tap tart taxi telescope temple tennis terrace thistle thorn thread throne thumb thyme tie tile timber tin toad
toaster toffee tomb tool torch tornado tortoise totem toucan tractor trail tram trampoline trap tray treasure triangle trophy
trousers trout truffle trumpet trunk tuba tulip tuna tunnel turkey turnip turtle tuxedo twig umbrella unicorn vacuum vanilla
vase vault veil velvet vest viper vine vinegar violet volcano vulture waffle wagon waist waiter walnut walrus wand wardrobe
warrior wasp watermelon wax weasel wedding weed well whale wheat whisker whistle wig willow windmill wizard wok wombat wrist
yacht yak yard yarn yeast yogurt yolk yoyo zipper zoo
accident account action address advice affair ambition ancestor angle anthem appetite applause argument arrival article
aspect attempt attention audience average award balance bargain basis battle behavior belief benefit bonus budget business
cancel career caution century ceremony challenge champion channel chapter character charity chemical chorus citizen claim
climate clinic coach code comfort command comment concept conflict congress contact contest contract control copy council
courage crime crisis culture custom debate debt decade decision defence delay delight demand design detail device diet
disease dispute doctrine document drama duty economy effort election element emotion empire equal error escape essay estate
exam excuse expert export extra failure faith feature fever fiction figure finance focus formula fortune freedom function
gesture glory goal grade grammar grief guilt habit harmony hazard health heaven heritage hero honor horror hunger image
impact import impulse income index industry injury instinct interest invoice issue item justice kingdom knowledge labour
league legend liberty licence limit logic loss luck luxury manner market master method military mission mistake mixture
model moral motive murder mystery myth network notion novel object option origin outcome pace panic partner passion pattern
payment penalty pension period permit planet pleasure policy poverty praise prayer prefer pressure pride process product
profit progress project proof protest public purpose quality quarter rank rate ratio rebel reform region relief religion
rent report request rescue research respect result revenge review reward rhythm risk ritual rival role romance routine
rumor salary sample scale scandal scene scheme score sector security sentence series service session shame shelter shift
shock signal site skill slave society source speech spirit sport staff stage standard status strategy stress strike
structure struggle style subject success summit supply support symbol system talent target task tax technique tension term
theme theory threat title tone topic total tour tradition tragedy treaty trend trial tribe triumph tutor union unit user
variety venue version victim victory view virus vision volume vote wage warning wealth weapon wisdom witness youth zone
accept adapt admire admit adopt advise agree allow amuse annoy appear apply approve argue arrange arrest assist attach
attack attend attract avoid bake bark become beg believe belong bend betray bite blame blend bless blink blow boast boil
borrow bounce brag breathe breed bury buzz calculate carve celebrate charge chase chat chew chop clap collect combine
complain complete confess confuse connect consider consist contain continue convince cough crawl create cross crush cure
damage dare deal decide decorate decrease defeat defend deliver deny depend describe deserve destroy detect dig dine divorce
donate doubt drag drift drown earn educate embrace employ empty endure enter entertain erase evolve examine exist expand
expect explain explore express extend fade fail fasten fetch fix flap flee float flood flow follow forbid forgive freeze
fry gather gaze glance glide glow grab grate greet grin groan grumble handle hang hatch haul heal hesitate hire hover hug
hum hunt hurry identify ignore imagine imitate improve include increase infect inform inject injure insist inspect inspire
insult intend invade invent invest invite jog juggle kick kneel knit lean leap lend lick load manage march marry melt mend
mention mix moan mourn mumble multiply nod obey observe obtain occur offend ought overcome owe paddle pause peel persuade
pinch pour practice preach predict prepare preserve prevent pretend produce promote pronounce protect prove provide punish
punch purchase pursue qualify quarrel quit realize receive recite recognize recover reduce refer reflect refuse regret
rehearse reject relax rely remain remind remove repair repeat replace reply resist retire return reveal reverse ripple roar
roast rob rotate ruin rush satisfy scatter scold scratch scream scrub seize select separate settle sew shave shine shiver
shrink sigh sink skip slap slice slide snore solve spill spin split spoil spray spread squeak squeeze stare starve steal
stir stitch strain stretch stroll suck suffer suggest suppose surprise surrender survive suspect swear sweat sweep switch
tackle tap tease tempt tickle toss trace trim tremble tumble twist unite urge utter vanish wander warn weave weep whine wink
wipe wobble wrap wreck wrestle yawn yell
absent absurd active actual ancient anxious awful awkward bald bare bitter bizarre blank blind blunt bold boring brief
brilliant brisk busy calm candid careful casual certain civil clumsy coarse common complex cosy crazy crisp cruel curious
curly cute damp dear decent delicate dense desperate distant double dull eager elegant elder entire evil exact extreme faint
fair false fancy fatal feeble fierce firm fluffy fond foreign formal fragile frank frequent fright furious generous genuine
ghostly glad gloomy graceful grand grateful greedy grim guilty handsome handy harsh hasty helpless hollow holy horrible
hostile huge humble ideal idle ill immense innocent jealous jolly jealous juicy keen lame lazy legal liquid lively lonely
loose loyal mad main major massive mature mean mellow merry mighty mild minor mobile modern modest moist naked native naughty
neat nervous neutral noble noisy normal numb obvious odd ordinary oval pale patient peculiar perfect plain polite popular
precious precise pregnant primary private proper pure puzzled quaint rapid rare raw reckless recent regular remote rigid ripe
rotten rough royal rude rural rusty sacred salty savage scarce secure senior serious severe shallow sharp shiny shy silly
similar sincere single skinny sleepy slender slim slippery sly smart sober solar solid sore sour spare splendid square stale
steady steep sticky stiff strange strict stubborn sturdy subtle sudden superb swift tame tasty tender tense terrible thirsty
thorough tight tiny tough tragic tropical typical unique urban urgent usual vacant vague vain vast vivid vulgar wealthy
weird wicked widow wild witty wooden worthy yummy zesty
algorithm backup bandwidth binary browser buffer byte cable cache chart chip click cloud cluster column cursor data database
debug default desktop digit disk display domain download driver editor email export firewall folder font format gateway
graph hacker hardware header icon input install internet kernel laptop layer layout library license link linux login memory
menu message micro modem module monitor mouse node offline online output package packet parser password paste pixel plugin
portal printer process program prompt protocol proxy query queue router runtime scanner script search server session setting
shell socket software spam stack storage syntax tablet template terminal thread token upload upgrade username vector virtual
website widget window wireless workflow
January February April June July August September October November December Monday Tuesday Wednesday Thursday Friday Saturday
Sunday
`).map((word) => word.toLowerCase());
