/** Common English words: most vocabularies hold each with its leading space as one token. */
const words =
  `the of and to in is that for it as was with be by on not he his but at are this have from or had an
they which one you were all her she there would their we him been has when who will no more if out so up said what its
about than into them can only other time new some could these two may first then do any like my now over such our man
me even most made after also did many off before must well back through years where much your way down should because
long each just state those people too how little good world make very year still see own work men day get here old life
both between being under three never know same last another while us might great go come since against right came take
used himself few house use place during without again home around small however found thought went say part once
general high upon school every does got united left number course war until always away something fact water public
less put think far enough took hand head yet government system better set told nothing night end why called find going
look asked later point knew next program city business give group toward young days let room side social given present
several order national possible rather second face per among form important often things looked early white case`
    .trim()
    .split(/\s+/);

/** `count` words, chosen by numbers in 0 (included) to 1 (excluded). */
export const randomWords = (count: number, uniform: () => number): string =>
  Array.from({ length: count }, () => words[Math.floor(uniform() * words.length)]).join(' ');
