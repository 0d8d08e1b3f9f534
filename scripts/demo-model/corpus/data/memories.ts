import { rows, words } from './rows.ts';

export const colours = words(
  'red blue green yellow black white orange purple pink brown grey gold silver turquoise violet beige crimson indigo ' +
    'magenta cyan lilac maroon olive scarlet teal lavender khaki amber ivory coral navy mint',
);
export const foods = words(
  'pizza soup pasta rice bread cheese salad curry fish sushi pancakes stew noodles tacos ramen pie lasagne risotto ' +
    'dumplings falafel goulash paella omelette porridge waffles chocolate yoghurt couscous gnocchi ravioli burgers ' +
    'sandwiches potatoes spinach lentils kebab quiche pretzels hummus strudel',
);
export const hobbies = words(
  'chess painting swimming reading cooking hiking singing dancing sailing knitting gardening fishing running cycling ' +
    'skating pottery juggling photography archery climbing rowing surfing baking sewing drawing fencing judo karate ' +
    'origami astronomy golf tennis badminton volleyball cricket yoga skiing riding birdwatching camping diving hockey ' +
    'poetry carpentry embroidery bowling boxing darts handball karaoke',
);
export const pets = words(
  'dog cat horse rabbit parrot hamster turtle fish snake goat pony mouse lizard goldfish donkey chicken duck ferret ' +
    'canary budgie spider frog puppy kitten sheep rat',
);
/** Whoever else has a name. */
export const relatives = words(
  'sister brother mother father son daughter wife husband friend teacher boss neighbour cousin aunt uncle grandmother ' +
    'grandfather nephew niece doctor colleague boat street school village team band company shop',
);
export const jobs = words(
  'teacher baker doctor nurse pilot farmer writer cook painter singer driver lawyer plumber tailor judge clerk dentist ' +
    'carpenter waiter builder barber sailor librarian gardener butcher florist mechanic photographer journalist dancer ' +
    'chemist musician designer translator student detective postman firefighter cashier roofer welder jeweller miner ' +
    'surgeon potter beekeeper glazier mason professor programmer secretary soldier shepherd',
);
export const instruments = words(
  'piano violin guitar flute drums cello trumpet harp clarinet saxophone banjo organ oboe trombone viola accordion',
);
export const tongues = words(
  'French German Spanish Italian Dutch Polish Greek Turkish Arabic Hindi Japanese Korean Swedish Danish Finnish Czech',
);

/** Thing: what may be somebody's favourite one. */
export const favourites: readonly (readonly [string, readonly string[]])[] = rows(`
drink: tea coffee milk lemonade cocoa water juice cider cola beer wine
animal: cat dog horse wolf owl fox bear tiger dolphin otter eagle panda hedgehog whale zebra lynx
season: spring summer autumn winter
day: Monday Tuesday Wednesday Thursday Friday Saturday Sunday
month: January February March April May June July August September October November December
fruit: apples pears bananas cherries grapes mangoes plums peaches kiwis figs melons oranges lemons
sport: tennis football hockey golf rugby basketball cricket judo rowing boxing
flower: roses tulips lilies daisies poppies orchids violets sunflowers
game: chess checkers poker dominoes bingo solitaire tetris backgammon
subject: history music biology art physics geography maths chemistry
instrument: piano violin guitar flute harp cello trumpet drums
vegetable: carrots peas beans onions leeks pumpkin cabbage spinach
music: jazz rock opera blues folk techno reggae soul pop
tree: oak birch maple pine willow beech chestnut
planet: Mars Venus Saturn Jupiter Neptune Mercury
`).map(([thing = '', values = '']) => [thing, words(values)]);
