import type { ValueKind } from '../text/values.ts';
import { words } from './rows.ts';

const parse = (text: string): readonly (readonly [string, ValueKind])[] =>
  words(text).map((pair) => {
    const [key = '', kind = ''] = pair.split(':');
    return [key, kind as ValueKind];
  });

/** What tools return, with the kind of value that belongs to it. */
export const resultKeys = parse(`
id:code id:large number:large status:word state:word name:fullName owner:fullName title:title price:decimal total:count
cost:count fee:decimal balance:large amount:large count:large quantity:count left:small remaining:count used:count
speed:count weight:decimal height:count width:count length:numeric depth:count distance:count distance_km:large
temperature:small temperature:signed humidity:small pressure:hundreds level:small percent:small score:digit rank:count
points:large votes:large visitors:large population:large views:large seats:hundreds year:year age:age date:date time:time
start:time end:time arrival:time departure:time opens:time closes:time duration:measure minutes:small hours:digit
days:digit day:weekday weekday:weekday month:month city:city country:country place:place location:place address:street
street:street room:place gate:code platform:digit seat:square table:small row:digit code:code reference:code
tracking_number:large order_number:large invoice_number:code version:version host:serial path:file file:file size:measure
phone:phone email:email contact:person author:fullName artist:fullName teacher:person doctor:fullName driver:person
winner:nickname player:nickname animal:animal species:rareName colour:colour color:colour material:thing item:thing
product:product dish:food drink:nickname flavour:food company:company brand:company carrier:company message:sentence
note:sentence reason:sentence comment:sentence answer:sentence text:sentence summary:sentence advice:sentence
result:precise value:precise rate:precise average:precise ratio:precise latitude:precise longitude:precise sum:large
nextStop:place ticketPrice:decimal orderId:code windSpeed:small waterLevel:count batteryLevel:small lastUpdate:time
finishTime:time roomNumber:hundreds shelfMark:code trainNumber:code plate:code keyword:rareName password:serial
`);

/** What is or is not so. */
export const truths = words(`
open closed locked empty full ready late early free busy active online offline available sold_out paid valid expired
broken clean dirty safe visible hidden public private finished running stopped confirmed cancelled delivered shipped
approved sent saved charged connected enabled disabled occupied booked wet dry warm cold hungry asleep awake complete
licensed insured vaccinated fresh frozen heated cloudy sunny windy crowded quiet loud legal signed archived refundable
is_open is_free is_ready is_locked is_empty is_full is_paid is_late is_valid is_member isOpen isReady isActive isFull
`);

/** Lists that may be empty. */
export const collections = words(`
results items hits matches orders tickets parcels rooms seats flights trains tables books films songs events meetings
messages notes files users guests animals plants tours offers recipes appointments errors games players shops hotels
`);
