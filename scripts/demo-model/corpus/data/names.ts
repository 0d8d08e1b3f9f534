import type { Choices } from '../text/choices.ts';
import { words } from './rows.ts';

/** Names that only the evaluation uses. */
export const heldOutNames = words(`
Ottilie Barnaby Zephyr Quinlan Marisol Torvald Ines Cosima Dashiell Fenwick Isolde Jorah Kestrel Lysander
Mirabel Nerys Ophelia Percival Rosalind Sylvan Thaddeus Valerian Winifred Yannick Zinnia Bastian Corin
Delphine Eamon Galen Hesper Juno Leander Moxie Nimbus Tavish Wendell Belkor Dorvina Miravel Talusin
`);

/** Names of tools that only the evaluation uses, as far as the corpus would compose them. */
export const heldOutTools: readonly string[] = words(
  'buyTrainTicket drop_anchor drop_meeting feed_pet findVolcano heat_sauna next_bus openGate paint_fence pollen_count preheat_oven print_badge tune_radio',
);

const commonNames = words(`
Ada Adam Alan Alba Alex Alice Alma Amir Amy Ana Andrea Andrew Anna Anton Aria Arthur Astrid Aya Ben Bella Bernd
Bianca Bill Bob Boris Bruno Carl Carla Carlos Carmen Carol Cecil Celia Chen Chloe Chris Clara Claire Cleo Colin
Dana Daniel Daphne David Dean Diana Diego Dora Doris Duncan Edgar Edith Elena Eli Elias Ella Ellen Elsa Emil
Emily Emma Eric Erik Esther Eva Evan Farid Fatima Felix Finn Fiona Flora Frank Freya Fritz George Gerda Gina
Grace Greta Gus Hana Hannah Hans Harry Hassan Hazel Heidi Helen Henry Hugo Ida Igor Ines Ingrid Ivan Ivy Jack
Jacob James Jana Jane Jasper Jean Jenny Jin Joan Joe John Jonas Josef Jose Judy Julia Julian June Kai Karen Karl
Kate Kenji Kim Klaus Kurt Lara Lars Laura Layla Lea Lena Leo Leon Lewis Lily Lina Linda Lisa Liam Lola Louis Lucas
Lucy Luis Luna Maja Marco Maria Marie Mark Marta Martin Mary Max Maya Mei Mia Mila Milo Mina Mira Mohamed Mona
Nadia Nadine Nate Nell Nia Nick Nico Nina Noah Noel Nora Olga Oliver Olivia Omar Oscar Otto Owen Pablo Paul Paula
Pedro Penny Peter Petra Pia Pierre Quinn Rahul Ralph Rania Ravi Rita Robert Robin Rosa Rose Ruby Rudolf Ruth Sally
Sam Samir Sara Sasha Selma Simon Sofia Sonja Stella Sven Sylvia Tara Ted Thea Theo Thomas Tilda Tim Tina Tom Tony
Ulla Uma Vera Victor Viola Walter Wanda Wei Will Wilma Xavier Yara Yuki Yusuf Zara Zoe Zora Arlo Blake Casey Dale
`).filter((name) => !heldOutNames.includes(name));

const onsets = words('b br c ch d dr f fl g gr h j k kl l m n p pr qu r s sh sk st t tr th v w y z');
const vowels = words('a e i o u a e i o ai ee ou ia');
const codas = words('l n r s t m x th nd rt sk _ _ _ _');

/** A made-up word of two or three syllables in small letters, such as "dravina". */
export function madeUpWord(choices: Choices): string {
  let word = '';
  for (let count = choices.integer(2, 3); count > 0; count--)
    word += choices.pick(onsets) + choices.pick(vowels);
  return word + choices.pick(codas).replace('_', '');
}

/** A made-up name that the evaluation does not use, such as "Dravina". */
export function madeUpName(choices: Choices): string {
  const word = madeUpWord(choices);
  const name = word.charAt(0).toUpperCase() + word.slice(1);
  return heldOutNames.includes(name) ? madeUpName(choices) : name;
}

/** A person's name: a usual one or a made-up one. */
export function personName(choices: Choices): string {
  return choices.chance(0.55) ? choices.pick(commonNames) : madeUpName(choices);
}
