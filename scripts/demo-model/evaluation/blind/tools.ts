import { tool } from '../judge.ts';

/** Tools that occur neither in the training nor in the other cases. */
export const blindTools = {
  tide: tool('high_tide_times', 'Get the times of the high tide at a beach.', { beach: 'string' }),
  parcel: tool('whereIsParcel', 'Find out where a parcel is.', { tracking_no: 'string' }),
  vacuum: tool('vacuum_cleaner_run', 'Let the vacuum cleaner clean a room', { room: 'string' }),
  blinds: tool('blinds_position', 'Set the blinds to a percentage.', { percent: 'integer' }),
  haircut: tool('haircut_booking', 'Book a haircut.', { day: 'string', 'barber?': 'string' }),
  bus: tool('next_bus', 'Tell when the next bus leaves from a stop.', { stop: 'string' }),
  recipe: tool('recipeFinder', 'Find a recipe with an ingredient', { ingredient: 'string' }),
  fish: tool('feed_goldfish', 'Feed the goldfish some portions.', { portions: 'integer' }),
  oven: tool('preheat_oven', 'Preheat the oven to a temperature', { celsius: 'integer' }),
  lawn: tool('mow_lawn', 'Mow the lawn of a garden.', { garden: ['front', 'back'] }),
  pollen: tool('pollen_count', 'Get the pollen count of a place.', { place: 'string' }),
  library: tool('renew_loan', 'Renew the loan of a book.', { book: 'string' }),
  train: tool('buyTrainTicket', 'Buy a train ticket.', { from_station: 'string', to_station: 'string' }),
  dice: tool('roll_dice_of', 'Roll a dice with some sides.', { sides: 'integer' }),
  eggs: tool('boil_eggs', 'Boil some eggs', { eggs: 'integer', soft: 'boolean' }),
  pool: tool('pool_temperature', 'Tell how warm the pool is.', {}),
  invoice: tool('invoiceByNumber', 'Show an invoice by its number.', { invoice_no: 'integer' }),
  printer: tool('refill_printer', 'Refill the printer with ink.', { ink: ['cyan', 'yellow', 'magenta'] }),
  zargle: tool('zargleFrob', 'Zargle a frob at a level', { frob: 'string', level: 'integer' }),
  meeting: tool('drop_meeting', 'Cancel a meeting.', { meeting_id: 'string' }),
  radio: tool('tune_radio', 'Tune the radio to a station.', { station: 'string', 'volume?': 'integer' }),
  whales: tool('whale_watch', 'Tell which whales were seen in a bay', { bay: 'string' }),
} as const;
