import { pairs } from './rows.ts';

/** Kind of thing in the plural: examples, always listed in this order. */
export const categories: readonly (readonly [string, readonly string[]])[] = pairs(`
fruits: apple, pear, plum, cherry, banana, orange; vegetables: carrot, potato, onion, cabbage, bean, pea
animals: dog, cat, horse, cow, sheep, lion; colours: red, blue, green, yellow, black, white
countries: France, Spain, Italy, Japan, Brazil, Egypt; planets: Mercury, Venus, Earth, Mars, Jupiter, Saturn
drinks: water, tea, coffee, milk, juice, lemonade; days: Monday, Tuesday, Wednesday, Thursday, Friday, Saturday
months: January, February, March, April, May, June; birds: robin, eagle, owl, swan, duck, crow
cities: London, Paris, Rome, Tokyo, Cairo, Berlin; sports: football, tennis, swimming, running, rowing, chess
instruments: piano, guitar, violin, flute, drum, trumpet; tools: hammer, saw, drill, axe, rake, spade
trees: oak, pine, birch, willow, maple, beech; flowers: rose, tulip, lily, daisy, violet, poppy
shapes: circle, square, triangle, oval, star, cube; languages: English, French, Spanish, German, Italian, Dutch
jobs: teacher, doctor, farmer, cook, pilot, nurse; clothes: shirt, coat, hat, sock, shoe, scarf
metals: iron, gold, silver, copper, tin, lead; insects: ant, bee, fly, beetle, moth, wasp
rooms: kitchen, bedroom, bathroom, hall, office, cellar; seasons: spring, summer, autumn, winter
continents: Africa, Asia, Europe, North America, South America, Australia
oceans: Pacific, Atlantic, Indian, Arctic, Southern; fish: trout, salmon, tuna, cod, carp, herring
vehicles: car, bus, train, boat, plane, bicycle; foods: bread, rice, soup, cheese, egg, cake
`).map(([kind, examples]) => [kind, examples.split(', ')] as const);
