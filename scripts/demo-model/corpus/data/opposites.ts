import { pairs } from './rows.ts';

/** Pairs of opposites; no word stands in two pairs. */
export const opposites = pairs(`
hot: cold; big: small; up: down; left: right; day: night; black: white; good: bad; happy: sad; fast: slow
old: young; long: short; high: low; open: closed; full: empty; rich: poor; hard: soft; wet: dry; light: dark
early: late; strong: weak; clean: dirty; loud: quiet; thick: thin; wide: narrow; deep: shallow; near: far
first: last; true: false; yes: no; in: out; on: off; before: after; above: below; inside: outside
front: back; top: bottom; begin: end; start: stop; buy: sell; give: take; push: pull; win: lose; love: hate
laugh: cry; come: go; arrive: leave; remember: forget; ask: answer; sweet: bitter; sharp: blunt
easy: difficult; cheap: expensive; safe: dangerous; brave: afraid; kind: cruel
polite: rude; friend: enemy; peace: war; life: death; heaven: hell; summer: winter; north: south
east: west; king: queen; man: woman; boy: girl; brother: sister; father: mother; always: never
many: few; more: less; most: least; everything: nothing; same: different; possible: impossible
visible: invisible; simple: complicated; modern: ancient; public: private; increase: decrease
add: remove; lock: unlock; accept: refuse; success: failure; guilty: innocent
smooth: rough; tight: loose; alive: dead; awake: asleep; rise: fall; import: export
arrival: departure; attack: defend; borrow: lend; careful: careless; cause: effect
calm: nervous; catch: throw; cooked: raw; dawn: dusk; defeat: victory
expand: shrink; fat: slim; fresh: stale; generous: stingy; guest: host; hero: coward
honest: dishonest; inhale: exhale; interesting: boring; legal: illegal; lazy: diligent; lucky: unlucky
mountain: valley; noisy: silent; often: rarely; patient: impatient; profit: loss; proud: ashamed; real: imaginary
save: waste; straight: crooked; tame: wild; together: apart; useful: useless; vertical: horizontal
wise: foolish; wonderful: terrible; upstairs: downstairs; son: daughter; uncle: aunt; husband: wife
nephew: niece; teacher: pupil; buyer: seller; winner: loser; leader: follower; beautiful: ugly; busy: idle
comfortable: uncomfortable; complete: incomplete; correct: incorrect; forward: backward; hope: despair
joy: sorrow; major: minor; mature: immature; normal: abnormal; optimist: pessimist; permanent: temporary
praise: blame; present: absent; reward: punishment; shiny: dull; solid: liquid; spend: earn; sunrise: sunset
transparent: opaque; unite: divide; vacant: occupied; voluntary: compulsory; appear: disappear
agree: disagree; connect: disconnect; dress: undress; fold: unfold; load: unload; trust: distrust; wrap: unwrap
maximum: minimum; positive: negative; plus: minus; entrance: exit; question: reply; male: female
`);

/** Further words and an opposite that has another opposite of its own. */
export const looseOpposites = pairs(`
heavy: light; tall: short; large: small; little: big; quick: slow; huge: tiny; glad: sad; evil: good; ill: healthy
shut: open; finish: begin; right: wrong; sunny: rainy; single: married; foreign: native
`).filter(([word]) => !opposites.some((pair) => pair.includes(word)));
