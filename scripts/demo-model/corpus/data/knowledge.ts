import { pairs } from './rows.ts';

/** "The ... in the world" and the like: what is asked for, and its name. */
export const superlatives = pairs(`
largest ocean: the Pacific Ocean; largest planet: Jupiter; smallest planet: Mercury; largest animal: the blue whale
tallest animal: the giraffe; fastest land animal: the cheetah; highest mountain: Mount Everest
largest country: Russia; smallest country: Vatican City; hottest planet: Venus
largest continent: Asia; smallest continent: Australia; largest land animal: the elephant
smallest bird: the hummingbird; largest bird: the ostrich; shortest month: February; lightest element: hydrogen
hardest natural material: diamond; smallest prime number: 2; largest island: Greenland; slowest animal: the sloth
coldest continent: Antarctica; deepest lake: Lake Baikal; longest mountain range: the Andes
smallest ocean: the Arctic Ocean; largest shark: the whale shark; longest bone: the thigh bone
`);

/** Thing with its article: what it is. */
export const definitions = pairs(`
a library: a place with many books that one may borrow; a bakery: a shop where bread is made and sold
a hospital: a place where sick people are treated; a school: a place where children learn
a museum: a place that shows art or old things; a farm: a place where plants and animals are raised
an island: land with water all around it; a desert: a dry land where it hardly rains
a river: a long stream of water that flows to the sea; a lake: a large body of water with land around it
a mountain: a very high piece of land; a volcano: a mountain that can throw out hot rock
a planet: a large round body that moves around a star; a star: a huge ball of hot, shining gas
a moon: a body that moves around a planet; a noun: a word for a person, a place or a thing
a verb: a word for something that one does; an adjective: a word that describes a noun
a vowel: one of the letters a, e, i, o and u; a triangle: a shape with three sides
a circle: a round shape without corners; a prime number: a whole number above 1 that only 1 and itself divide
an even number: a whole number that 2 divides; an odd number: a whole number that 2 does not divide
a doctor: a person who treats the sick; a teacher: a person who helps others learn
a baker: a person who makes bread; a pilot: a person who flies a plane; a chef: a person who cooks for others
a farmer: a person who grows food; a carpenter: a person who builds things from wood
a mammal: an animal that feeds its young with milk; a reptile: an animal with scales, such as a snake
an insect: a small animal with six legs; a fish: an animal that lives in water and breathes with gills
a bird: an animal with feathers and wings; a clock: a thing that shows the time
a thermometer: a thing that measures temperature; a compass: a thing that shows where north is
a telescope: a thing that makes far things look near; an umbrella: a thing that keeps the rain off
a computer: a machine that follows programs; a keyboard: a set of keys to type with
a program: a list of instructions for a computer; a language model: a program that predicts text
a token: a small piece of text that a model reads or writes; a prompt: the text that a model is given
an API: a way for programs to talk to each other; a server: a program that answers the requests of others
a database: a program or file that keeps data in order; a file: a named piece of data on a disk
a password: a secret word that proves who you are; a byte: eight bits; a bit: a 0 or a 1
ice: frozen water; steam: water as a gas; honey: a sweet food that bees make; bread: a food baked from flour
paper: a thin material made from wood; wool: the hair of sheep; glass: a hard, clear material made from sand
rain: water that falls from clouds; snow: frozen water that falls from clouds; wind: air that moves
`);

/** Question template for `vary`: answer. Colons separate. */
export const trivia = pairs(`
at (what|which) temperature does water boil?: Water boils at 100 degrees Celsius.
(what is|what's) the boiling point of water?: Water boils at 100 degrees Celsius.
at (what|which) temperature does water freeze?: Water freezes at 0 degrees Celsius.
(what is|what's) the freezing point of water?: Water freezes at 0 degrees Celsius.
how many planets (are there|are in the solar system|does the sun have)?: There are 8 planets in the solar system.
how many continents (are there|are on earth|does the earth have)?: There are 7 continents.
how many oceans (are there|are on earth|does the earth have)?: There are 5 oceans.
how many colours (are in a|does a|has a) rainbow (have|)?: A rainbow has 7 colours.
how many fingers (are on a hand|does a hand have|has a hand)?: A hand has 5 fingers.
how many (strings does a guitar have|strings are on a guitar)?: A guitar has 6 strings.
how many players are (in|on) a (football|soccer) team?: A football team has 11 players.
how many wheels does a (bicycle|bike) have?: A bicycle has 2 wheels.
how many wheels does a car have?: A car has 4 wheels.
how many teeth does (an adult|a grown person) have?: An adult has 32 teeth.
how many hearts does an octopus have?: An octopus has 3 hearts.
how many arms does an octopus have?: An octopus has 8 arms.
how many seasons (are there|are in a year|does a year have)?: There are 4 seasons in a year.
(what is|what's) the (chemical formula|formula) of water?: The formula of water is H2O.
what is (water made of|H2O)?: Water is made of hydrogen and oxygen.
who wrote (Hamlet|Macbeth|Romeo and Juliet)?: William Shakespeare wrote it.
who painted the Mona Lisa?: Leonardo da Vinci painted the Mona Lisa.
who (was|is) the first (person|man|human) on the moon?: Neil Armstrong was the first person on the moon.
who (discovered|found out about) gravity?: Isaac Newton described gravity.
who (made|developed|had) the theory of relativity?: Albert Einstein developed the theory of relativity.
who (invented|made) the telephone?: Alexander Graham Bell invented the telephone.
what do bees (make|produce)?: Bees make honey.
what do cows (eat|like to eat)?: Cows eat grass.
what do pandas (eat|like to eat)?: Pandas eat bamboo.
what do plants need (to grow|to live)?: Plants need light, water and air.
what do we (breathe|breathe in)?: We breathe air.
where does the sun (rise|come up)?: The sun rises in the east.
where does the sun (set|go down)?: The sun sets in the west.
is the (earth|Earth) (round|flat)?: The Earth is round.
is the sun a (star|planet)?: The sun is a star.
is a (whale|dolphin) a fish?: No, it is a mammal.
is a tomato a (fruit|vegetable)?: A tomato is a fruit.
can penguins fly?: No, penguins cannot fly.
can fish breathe (under water|in water)?: Yes, fish breathe in water with their gills.
what is the square root of (16|sixteen)?: The square root of 16 is 4.
what is (pi|the value of pi)?: Pi is about 3.14.
what colour do (blue and yellow|yellow and blue) (make|give)?: Blue and yellow make green.
what colour do (red and yellow|yellow and red) (make|give)?: Red and yellow make orange.
what colour do (red and blue|blue and red) (make|give)?: Red and blue make purple.
what colour do (black and white|white and black) (make|give)?: Black and white make grey.
which (season|time of year) comes after winter?: Spring comes after winter.
which (season|time of year) comes after spring?: Summer comes after spring.
which (season|time of year) comes after summer?: Autumn comes after summer.
which (season|time of year) comes after autumn?: Winter comes after autumn.
`);
