import { pairs } from './rows.ts';

/** Kind of thing in the plural: examples, always listed in this order. */
export const categories: readonly (readonly [string, readonly string[]])[] = pairs(`
fruits: apple, pear, plum, cherry, banana, orange, lemon, grape, melon, peach; vegetables: carrot, potato, onion, cabbage, bean, pea, tomato, lettuce, leek, spinach
animals: dog, cat, horse, cow, sheep, lion, pig, bear, wolf, tiger; colours: red, blue, green, yellow, black, white, brown, pink, grey, purple
countries: France, Spain, Italy, Japan, Brazil, Egypt, Germany, India, Canada, Kenya; planets: Mercury, Venus, Earth, Mars, Jupiter, Saturn
drinks: water, tea, coffee, milk, juice, lemonade, cocoa, cider, wine, beer; days: Monday, Tuesday, Wednesday, Thursday, Friday, Saturday
months: January, February, March, April, May, June; birds: robin, eagle, owl, swan, duck, crow, gull, hawk, stork, sparrow
cities: London, Paris, Rome, Tokyo, Cairo, Berlin, Madrid, Vienna, Oslo, Athens; sports: football, tennis, swimming, running, rowing, chess, cycling, golf, hockey, rugby
instruments: piano, guitar, violin, flute, drum, trumpet, harp, cello, organ, clarinet; tools: hammer, saw, drill, axe, rake, spade, pliers, wrench, chisel, file
trees: oak, pine, birch, willow, maple, beech, elm, ash, fir, cedar; flowers: rose, tulip, lily, daisy, violet, poppy, iris, orchid, daffodil, lavender
shapes: circle, square, triangle, oval, star, cube; languages: English, French, Spanish, German, Italian, Dutch, Russian, Japanese, Arabic, Polish
jobs: teacher, doctor, farmer, cook, pilot, nurse, baker, painter, driver, lawyer; clothes: shirt, coat, hat, sock, shoe, scarf, dress, skirt, glove, belt
metals: iron, gold, silver, copper, tin, lead; insects: ant, bee, fly, beetle, moth, wasp, cricket, flea, ladybird, gnat
rooms: kitchen, bedroom, bathroom, hall, office, cellar; seasons: spring, summer, autumn, winter
continents: Africa, Asia, Europe, North America, South America, Australia
oceans: Pacific, Atlantic, Indian, Arctic, Southern; fish: trout, salmon, tuna, cod, carp, herring
rivers: Nile, Amazon, Rhine, Danube, Thames, Seine; mountains: Everest, Kilimanjaro, Mont Blanc, Matterhorn, Fuji, Olympus
body parts: head, arm, leg, hand, foot, nose; family members: mother, father, brother, sister, uncle, aunt
pets: dog, cat, hamster, rabbit, parrot, goldfish; wild animals: lion, wolf, bear, fox, tiger, elephant
farm animals: cow, pig, sheep, horse, goat, hen; reptiles: snake, lizard, turtle, crocodile, gecko, tortoise
pieces of furniture: table, chair, bed, sofa, desk, shelf; kitchen tools: knife, fork, spoon, pan, pot, bowl
herbs: basil, mint, parsley, thyme, sage, rosemary; spices: pepper, salt, cinnamon, ginger, saffron, cumin
desserts: ice cream, cake, pudding, pie, jelly, custard; berries: strawberry, raspberry, blueberry, cranberry, blackberry, gooseberry
nuts: walnut, hazelnut, almond, cashew, peanut, chestnut; toys: doll, ball, kite, puzzle, robot, teddy bear
school subjects: maths, history, music, art, science, geography; buildings: house, school, church, castle, tower, barn
materials: wood, glass, metal, paper, stone, plastic; gases: oxygen, hydrogen, helium, nitrogen, neon, argon
currencies: euro, dollar, pound, yen, franc, peso; hobbies: reading, painting, gardening, cooking, fishing, dancing
composers: Bach, Mozart, Beethoven, Haydn, Chopin, Verdi; painters: Monet, Picasso, van Gogh, Rembrandt, Klimt, Kahlo
islands: Malta, Cuba, Iceland, Sicily, Crete, Madagascar; European countries: France, Spain, Italy, Germany, Poland, Norway
Asian countries: Japan, China, India, Thailand, Vietnam, Nepal; African countries: Egypt, Kenya, Ghana, Mali, Morocco, Angola
shops: bakery, bookshop, pharmacy, supermarket, butcher, florist; dances: waltz, tango, polka, salsa, samba, rumba
games: chess, cards, dominoes, checkers, tag, hopscotch; emotions: joy, anger, fear, love, sadness, surprise
verbs: go, run, eat, sleep, read, write; adjectives: big, small, red, happy, cold, fast; nouns: house, tree, dog, book, car, river
vowels: a, e, i, o, u; even numbers: 2, 4, 6, 8, 10, 12; odd numbers: 1, 3, 5, 7, 9, 11; prime numbers: 2, 3, 5, 7, 11, 13
gemstones: diamond, ruby, emerald, sapphire, opal, topaz; hats: cap, beret, bonnet, helmet, turban, beanie
programming languages: Python, Java, C, Rust, Ruby, Go; file formats: txt, pdf, png, mp3, csv, json
dog breeds: poodle, beagle, collie, terrier, boxer, labrador; sea animals: whale, shark, dolphin, seal, crab, octopus
vehicles: car, bus, train, boat, plane, bicycle, lorry, tram, ship, van; foods: bread, rice, soup, cheese, egg, cake, pasta, salad, butter, honey
`).map(([kind, examples]) => [kind, examples.split(', ')] as const);
