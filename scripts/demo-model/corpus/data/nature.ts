import { pairs, rows } from './rows.ts';

/** Animal: what it does when it makes its sound. */
export const animalSounds = pairs(`
dog: barks; cat: meows; cow: moos; sheep: bleats; horse: neighs; pig: oinks; duck: quacks; lion: roars
wolf: howls; snake: hisses; bee: buzzes; frog: croaks; owl: hoots; donkey: brays; mouse: squeaks
hen: clucks; rooster: crows; bird: sings; bear: growls; elephant: trumpets; crow: caws; turkey: gobbles
pigeon: coos; goose: honks; monkey: chatters; goat: bleats; tiger: roars; cricket: chirps; mosquito: buzzes
`);

/** Animal: its young. */
export const animalYoung = pairs(`
dog: puppy; cat: kitten; cow: calf; sheep: lamb; horse: foal; pig: piglet; duck: duckling; lion: cub
hen: chick; goat: kid; deer: fawn; kangaroo: joey; frog: tadpole; swan: cygnet; goose: gosling
eagle: eaglet; butterfly: caterpillar; owl: owlet; rabbit: bunny; seal: pup
bear: cub; tiger: cub; fox: cub; elephant: calf; whale: calf; giraffe: calf; wolf: pup; donkey: foal; zebra: foal
turkey: poult; hare: leveret; llama: cria
`);

/** Living thing: number of legs. */
export const legs = pairs(`
dog: 4; cat: 4; cow: 4; horse: 4; sheep: 4; pig: 4; lion: 4; elephant: 4; mouse: 4; frog: 4; bird: 2; duck: 2
hen: 2; owl: 2; human: 2; ant: 6; bee: 6; fly: 6; beetle: 6; butterfly: 6; spider: 8; scorpion: 8; crab: 10
goat: 4; rabbit: 4; bear: 4; fox: 4; wolf: 4; tiger: 4; camel: 4; giraffe: 4; donkey: 4; lizard: 4; turtle: 4
crocodile: 4; goose: 2; eagle: 2; penguin: 2; ostrich: 2; wasp: 6; moth: 6; ladybird: 6
grasshopper: 6; tick: 8; lobster: 10; whale: 0; dolphin: 0; shark: 0; snake: 0; fish: 0; worm: 0; snail: 0
`);

/** Thing: its usual colour: "is" or "are". */
export const colours = rows(`
grass: green: is; snow: white: is; blood: red: is; coal: black: is; milk: white: is; gold: yellow: is
chocolate: brown: is; the sky: blue: is; the sun: yellow: is; salt: white: is; cheese: yellow: is; ink: blue: is
lemons: yellow: are; bananas: yellow: are; tomatoes: red: are; strawberries: red: are; carrots: orange: are
cucumbers: green: are; leaves: green: are; plums: purple: are; flamingos: pink: are; polar bears: white: are
oranges: orange: are; peas: green: are; cherries: red: are; ravens: black: are; swans: white: are
pumpkins: orange: are; frogs: green: are; elephants: grey: are; fire engines: red: are; the sea: blue: is
 cream: white: is; spinach: green: is; ketchup: red: is; tar: black: is; soot: black: is
rice: white: is; straw: yellow: is; emeralds: green: are; rubies: red: are; sapphires: blue: are; crows: black: are
sunflowers: yellow: are; canaries: yellow: are; raspberries: red: are; avocados: green: are
clouds: white: are; limes: green: are; blueberries: blue: are; aubergines: purple: are; sand: yellow: is
`);

/** Substance: chemical symbol. */
export const chemicalSymbols = pairs(`
hydrogen: H; helium: He; carbon: C; nitrogen: N; oxygen: O; sodium: Na; magnesium: Mg; aluminium: Al
silicon: Si; phosphorus: P; sulfur: S; chlorine: Cl; potassium: K; calcium: Ca; iron: Fe; copper: Cu
lithium: Li; boron: B; fluorine: F; argon: Ar; titanium: Ti; chromium: Cr; manganese: Mn; cobalt: Co
bromine: Br; iodine: I; platinum: Pt; tungsten: W; barium: Ba; radium: Ra; arsenic: As; bismuth: Bi; krypton: Kr
zinc: Zn; silver: Ag; tin: Sn; gold: Au; mercury: Hg; lead: Pb; uranium: U; neon: Ne; nickel: Ni
`);
