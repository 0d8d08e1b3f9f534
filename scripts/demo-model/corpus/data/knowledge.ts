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
largest desert: Antarctica; largest rainforest: the Amazon rainforest
largest organ of the human body: the skin; fastest bird: the peregrine falcon; largest cat: the tiger
largest reptile: the saltwater crocodile; largest ape: the gorilla; largest deer: the moose
largest lake: the Caspian Sea; highest waterfall: Angel Falls
largest moon of the solar system: Ganymede; longest snake: the reticulated python; deepest ocean: the Pacific Ocean
smallest ocean: the Arctic Ocean; largest shark: the whale shark; longest bone: the thigh bone
`);

/** Well-known person: what they are known for. */
export const famousPeople = pairs(`
Albert Einstein: a physicist who developed the theory of relativity
Isaac Newton: a physicist who described gravity; William Shakespeare: an English poet who wrote plays
Leonardo da Vinci: an Italian artist who painted the Mona Lisa; Marie Curie: a scientist who studied radioactivity
Charles Darwin: a scientist who described evolution; Galileo Galilei: an Italian scientist who watched the stars
Neil Armstrong: the first person on the moon; Christopher Columbus: a sailor who crossed the Atlantic in 1492
Ludwig van Beethoven: a German composer; Wolfgang Amadeus Mozart: an Austrian composer
Johann Sebastian Bach: a German composer; Vincent van Gogh: a Dutch painter; Pablo Picasso: a Spanish painter
Napoleon Bonaparte: an emperor of France; Julius Caesar: a Roman general and ruler; Cleopatra: a queen of Egypt
George Washington: the first president of the United States
Abraham Lincoln: a president of the United States; Mahatma Gandhi: a leader of India's way to independence
Nelson Mandela: a president of South Africa; Aristotle: a Greek philosopher; Plato: a Greek philosopher
Socrates: a Greek philosopher; Homer: a Greek poet; Jane Austen: an English writer
Charles Dickens: an English writer; Mark Twain: an American writer; Leo Tolstoy: a Russian writer
Alan Turing: an English pioneer of computing; Ada Lovelace: an English pioneer of programming
Thomas Edison: an American inventor; Nikola Tesla: an inventor and engineer; Alexander Graham Bell: an inventor
Johannes Gutenberg: a German printer; Marco Polo: a traveller from Venice; Frida Kahlo: a Mexican painter
Claude Monet: a French painter; Louis Pasteur: a French scientist; Johannes Kepler: a German astronomer
Nicolaus Copernicus: an astronomer who put the sun in the middle; Yuri Gagarin: the first person in space
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
a bridge: a structure that carries a road over something; a castle: a large, strong building with walls and towers
a forest: a large area covered with trees; a village: a group of houses smaller than a town
a city: a large and busy town; a country: a land with its own government; a continent: one of the large land masses
an ocean: a very large sea; a capital: the city where the government of a country sits
a kitchen: a room where food is cooked; a bedroom: a room to sleep in; a garden: a piece of land where plants are grown
a market: a place where things are bought and sold; a restaurant: a place where people pay to eat
a hotel: a house where travellers pay to sleep; an airport: a place where planes take off and land
a station: a place where trains or buses stop; a bank: a business that keeps and lends money
a theatre: a place where plays are shown; a zoo: a place where animals are shown; a factory: a place where goods are made
a square: a shape with four equal sides; a cube: a solid with six square sides; a hexagon: a shape with six sides
an octagon: a shape with eight sides; a decade: ten years; a century: a hundred years; a dozen: twelve things
a sentence: a group of words that says something; a synonym: a word that means the same as another
an antonym: a word that means the opposite of another; a pronoun: a word that stands for a noun
a nurse: a person who looks after the sick; a painter: a person who paints; a tailor: a person who makes clothes
a plumber: a person who mends water pipes; a lawyer: a person who works with the law
an author: a person who writes books; a judge: a person who decides in court; a dentist: a doctor for teeth
a vet: a doctor for animals; a sailor: a person who works on a ship; an astronaut: a person who travels in space
an amphibian: an animal that lives in water and on land; a herbivore: an animal that eats plants
a carnivore: an animal that eats meat; a tree: a tall plant with a trunk of wood; a flower: the coloured part of a plant
a root: the part of a plant under the ground; a seed: the part of a plant from which a new one grows
a fruit: the part of a plant that holds its seeds; a hammer: a tool that drives nails; a saw: a tool that cuts wood
an axe: a tool that chops wood; a map: a drawing of a place; a calendar: a list of the days of a year
a dictionary: a book that explains words; a diary: a book in which one writes about one's days
a lamp: a thing that gives light; a fridge: a machine that keeps food cold; an oven: a box in which food is baked
a camera: a thing that takes pictures; a microscope: a thing that makes small things look big
a bicycle: a vehicle with two wheels and pedals; a submarine: a ship that goes under water
a piano: an instrument with black and white keys; a violin: an instrument with four strings and a bow
a browser: a program that shows web pages; an algorithm: a list of steps that solves a problem
a network: computers that are joined together; a router: a device that sends data to the right place
a chatbot: a program that talks with people; a variable: a name for a value in a program; a bug: a mistake in a program
milk: a white drink that cows give; butter: a fat made from milk; cheese: a food made from milk; salt: a white mineral used on food
sugar: a sweet material made from plants; cotton: a soft material made from a plant; wood: the hard part of a tree
gold: a yellow metal of great value; lightning: a flash of electricity in the sky; fog: a cloud close to the ground
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
how many legs does a (chair|table) have?: It has 4 legs.
how many eyes does a (person|human|man|woman) have?: A person has 2 eyes.
how many (days are in February|days does February have)?: February has 28 days, and 29 in a leap year.
how many (sides|faces) does a (cube|die) have?: A cube has 6 sides.
how many strings does a violin have?: A violin has 4 strings.
how many players are (in|on) a basketball team?: A basketball team has 5 players on the court.
how many keys (does a piano have|are on a piano)?: A piano has 88 keys.
how many (cards are in a deck|cards does a deck have)?: A deck has 52 cards.
how many (squares are on|squares has|fields has) a chess board?: A chess board has 64 squares.
how many states (does the USA have|are in the USA|are there in the United States)?: The United States have 50 states.
how many bones does (an adult|a human body|a grown person) have?: An adult has 206 bones.
how many moons does (the earth|our planet) have?: The Earth has 1 moon.
how many minutes does a football (match|game) (last|have)?: A football match lasts 90 minutes.
how many wheels does a tricycle have?: A tricycle has 3 wheels.
(which|what) planet (do we live on|is our home)?: We live on the planet Earth.
(which|what) planet is called the red planet?: Mars is called the red planet.
(which|what) planet has (rings|the large rings)?: Saturn is known for its rings.
(which|what) star is (closest|nearest) to the earth?: The sun is the nearest star.
(what|which) gas do (plants|trees) (take in|breathe in)?: Plants take in carbon dioxide.
what do caterpillars (become|turn into)?: Caterpillars become butterflies.
what do tadpoles (become|turn into)?: Tadpoles become frogs.
what do rabbits (eat|like to eat)?: Rabbits eat grass and other plants.
what do koalas (eat|like to eat)?: Koalas eat eucalyptus leaves.
what is (bread|flour) made (of|from)?: Bread is made from flour, and flour from grain.
what is (cheese|butter) made (of|from)?: It is made from milk.
what is wine made (of|from)?: Wine is made from grapes.
what is paper made (of|from)?: Paper is made from wood.
what is glass made (of|from)?: Glass is made from sand.
who wrote (Faust|The Sorrows of Young Werther)?: Johann Wolfgang von Goethe wrote it.
who wrote Don Quixote?: Miguel de Cervantes wrote Don Quixote.
who wrote (Oliver Twist|A Christmas Carol)?: Charles Dickens wrote it.
who wrote (Pride and Prejudice|Emma)?: Jane Austen wrote it.
who wrote (the Odyssey|the Iliad)?: Homer is said to have written it.
who painted (the Starry Night|Starry Night|the Sunflowers)?: Vincent van Gogh painted it.
who (composed|wrote) the Magic Flute?: Wolfgang Amadeus Mozart composed it.
(in|of) (which|what) city is the Eiffel Tower?: The Eiffel Tower is in Paris.
where is the Eiffel Tower?: The Eiffel Tower is in Paris.
where (are the pyramids|are the great pyramids)?: The pyramids are in Egypt.
where is the Colosseum?: The Colosseum is in Rome.
where is (Big Ben|Tower Bridge)?: It is in London.
where do (penguins|most penguins) live?: Penguins live in the southern half of the world.
where do polar bears live?: Polar bears live in the Arctic.
where do kangaroos live?: Kangaroos live in Australia.
is the moon (bigger|larger) than the earth?: No, the Earth is larger than the moon.
is (ice|wood) (lighter|heavier) than water?: It is lighter than water and floats.
is (a spider|the spider) an insect?: No, a spider has eight legs and is an arachnid.
is a bat a bird?: No, a bat is a mammal.
can (ostriches|an ostrich) fly?: No, ostriches cannot fly.
can (bats|a bat) fly?: Yes, bats can fly.
do fish have lungs?: Most fish have gills instead of lungs.
do snakes have legs?: No, snakes have no legs.
do bees have (wings|legs)?: Yes, bees have four wings and six legs.
is water (wet|a liquid)?: Yes, water is a liquid.
what are the (primary colours|primary colors)?: The primary colours are red, yellow and blue.
what colour do (red and white|white and red) (make|give)?: Red and white make pink.
which language do people speak in (Brazil|Portugal)?: They speak Portuguese.
which language do people speak in (Germany|Austria)?: They speak German.
which language do people speak in (Mexico|Argentina|Spain|Chile)?: They speak Spanish.
which language do people speak in (Italy|Rome)?: They speak Italian.
which language do people speak in (Japan|Tokyo)?: They speak Japanese.
which language do people speak in (Australia|England)?: They speak English.
which language do people speak in France?: They speak French.
(which|what) (season|time of year) is the (coldest|warmest)?: Winter is the coldest season, and summer the warmest.
(which|what) is the most common gas in the air?: The most common gas in the air is nitrogen.
(which|what) metal is liquid at room temperature?: Mercury is a liquid metal.
(which|what) (day comes first|is the first day) in the week?: Monday is the first day of the week.
(which|what) is the first month of the year?: January is the first month of the year.
(which|what) is the last month of the year?: December is the last month of the year.
(which|what) is the first letter of the alphabet?: The first letter of the alphabet is A.
(which|what) is the last letter of the alphabet?: The last letter of the alphabet is Z.
which (season|time of year) comes after winter?: Spring comes after winter.
which (season|time of year) comes after spring?: Summer comes after spring.
which (season|time of year) comes after summer?: Autumn comes after summer.
which (season|time of year) comes after autumn?: Winter comes after autumn.
`);
