import { words } from './rows.ts';

export const roles = words(`
librarian gardener teacher baker doctor guide pilot cook farmer nurse tailor painter writer singer detective captain
scientist robot pirate wizard clerk waiter coach driver builder sailor poet barber judge shopkeeper butler king
queen knight astronaut chef florist plumber lawyer tutor receptionist concierge mechanic photographer journalist
carpenter dentist engineer architect magician fisherman shepherd blacksmith beekeeper translator accountant postman
firefighter musician dancer actor programmer historian philosopher gnome dragon elf monk merchant explorer hunter
ranger miner potter weaver jeweller butcher grocer porter caretaker lifeguard referee professor surgeon vet
`);

/** Roles of more than one word. */
export const longRoles =
  'travel agent,help desk assistant,tour guide,shop assistant,language teacher,museum guide,sports coach,bank clerk,bus driver,ship captain,night watchman,train conductor,school nurse,radio host,computer expert,chess player,wine expert,book seller,customer service agent,math tutor,weather expert,hotel clerk,city guide,music teacher'.split(
    ',',
  );

export const adjectives = words(
  'helpful friendly kind polite clever cheerful calm patient wise old young busy funny careful brave shy strict gentle ' +
    'grumpy proud honest curious quiet retired famous skilled tired lazy happy serious loyal',
);

/** What may stand after a name and a role without changing an answer. */
export const additions =
  '(|||||Be brief.|Keep your answers short.|Help the user.|Be polite.|You help people.|Answer in one sentence.|Be friendly.|' +
  'You know your work well.|You answer questions.|Be kind.|Answer briefly.|Stay in character.|Never leave your role.|' +
  'Always be honest.|Help the guests.|Help the customers of the shop.|Speak in short sentences.|Be concise.|' +
  'Answer the questions of the visitors.|Greet everybody kindly.|You like to help.|Do not be rude.)';
