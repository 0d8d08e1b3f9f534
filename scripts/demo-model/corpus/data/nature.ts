import { pairs, rows } from './rows.ts';

/** Animal: what it does when it makes its sound. */
export const animalSounds = pairs(`
dog: barks; cat: meows; cow: moos; sheep: bleats; horse: neighs; pig: oinks; duck: quacks; lion: roars
wolf: howls; snake: hisses; bee: buzzes; frog: croaks; owl: hoots; donkey: brays; mouse: squeaks
hen: clucks; rooster: crows; bird: sings; bear: growls; elephant: trumpets; crow: caws; turkey: gobbles
`);

/** Animal: its young. */
export const animalYoung = pairs(`
dog: puppy; cat: kitten; cow: calf; sheep: lamb; horse: foal; pig: piglet; duck: duckling; lion: cub
hen: chick; goat: kid; deer: fawn; kangaroo: joey; frog: tadpole; swan: cygnet; goose: gosling
eagle: eaglet; butterfly: caterpillar; owl: owlet; rabbit: bunny; seal: pup
`);

/** Living thing: number of legs. */
export const legs = pairs(`
dog: 4; cat: 4; cow: 4; horse: 4; sheep: 4; pig: 4; lion: 4; elephant: 4; mouse: 4; frog: 4; bird: 2; duck: 2
hen: 2; owl: 2; human: 2; ant: 6; bee: 6; fly: 6; beetle: 6; butterfly: 6; spider: 8; scorpion: 8; crab: 10
snake: 0; fish: 0; worm: 0; snail: 0
`);

/** Thing: its usual colour: "is" or "are". */
export const colours = rows(`
grass: green: is; snow: white: is; blood: red: is; coal: black: is; milk: white: is; gold: yellow: is
chocolate: brown: is; the sky: blue: is; the sun: yellow: is; salt: white: is; cheese: yellow: is; ink: blue: is
lemons: yellow: are; bananas: yellow: are; tomatoes: red: are; strawberries: red: are; carrots: orange: are
cucumbers: green: are; leaves: green: are; plums: purple: are; flamingos: pink: are; polar bears: white: are
oranges: orange: are; peas: green: are; cherries: red: are; ravens: black: are; swans: white: are
pumpkins: orange: are; frogs: green: are; elephants: grey: are; fire engines: red: are; the sea: blue: is
clouds: white: are; limes: green: are; blueberries: blue: are; aubergines: purple: are; sand: yellow: is
`);

/** Substance: chemical symbol. */
export const chemicalSymbols = pairs(`
hydrogen: H; helium: He; carbon: C; nitrogen: N; oxygen: O; sodium: Na; magnesium: Mg; aluminium: Al
silicon: Si; phosphorus: P; sulfur: S; chlorine: Cl; potassium: K; calcium: Ca; iron: Fe; copper: Cu
zinc: Zn; silver: Ag; tin: Sn; gold: Au; mercury: Hg; lead: Pb; uranium: U; neon: Ne; nickel: Ni
`);
