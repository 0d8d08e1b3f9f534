import { heldOutNames } from './names.ts';
import { words } from './rows.ts';

export const people = words(`
Anna Ben Clara David Emma Felix Grace Henry Iris Jack Kate Liam Mia Noah Olivia Paul Rosa Sam Tina Victor Wendy Xenia
Yusuf Zoe Ada Bob Carl Diana Erik Fiona George Hanna Ivan Julia Karl Lena Max Nina Oscar Petra Quinn Robert Sara Tom
Ursula Vera Will Amir Bella Chen Dara Elif Farah Goran Hugo Ingrid Jonas Kofi Lucia Marco Nadia Omar Priya Rafael Sofia
Tariq Umar Valentina Walter Yara Zara Alice Bruno Celine Dmitri Eva Frank Gita Helen Igor Jane Kemal Laura Mona Niko
Olga Pedro Rita Stefan Theo Ulla Vincent Willa Yana Aaron Beth Colin Dora Elena Fred Gina Hans Isabel Jim Kara Leo Mary
Nora Otto Pia Ralph Susan Tim Una Vito Wanda Alex Bianca Carlos Daniel Edith Fabio Greta Harry Ida John Kim Luke Martin
Nancy Oliver Paula Rick Simon Tessa Uwe Viola Andrew Brenda Connor Donna Elsa Finn Gary Heidi Ian Jenny Kevin Lisa Mark
Nelly Owen Peter Rachel Steve Tony Ali Bianka Cora Dennis Emil Flora Gustav Holly Ilse Jose Kira Lars Maria Nick Ole
Pablo Rosie Sven Tara Adam Bert Cleo Dean Ella Ford Gwen Hal Inga Jade Kurt Lola Matt Nell`).filter(
  (name) => !heldOutNames.includes(name),
);

export const surnames = words(`
Smith Jones Brown Miller Davis Wilson Moore Taylor Clark Lewis Young Walker King Wright Hill Green Baker Adams Nelson
Carter Turner Parker Evans Collins Stewart Morris Rogers Reed Cook Bell Ward Cox Gray James Watson Brooks Price Wood
Ross Long Hughes Foster Perry Powell Weber Fischer Meyer Wagner Becker Koch Bauer Wolf Rossi Russo Costa Silva Santos
Novak Kowalski Nagy Popov Ivanov Sato Tanaka Kim Lee Wang Singh Khan Patel Cohen Berg Hansen Olsen Larsen`);

export const cities = words(`
Oslo Rome Paris London Berlin Madrid Vienna Prague Dublin Athens Cairo Lima Tokyo Delhi Seoul Boston Denver Dallas Miami
Chicago Houston Seattle Austin Lisbon Porto Milan Naples Turin Venice Munich Hamburg Bremen Cologne Dresden Leipzig Bonn
Zurich Geneva Basel Lyon Nice Lille Nantes Bordeaux Warsaw Krakow Gdansk Budapest Sofia Bucharest Belgrade Zagreb Split
Riga Vilnius Tallinn Helsinki Turku Stockholm Malmo Uppsala Bergen Trondheim Copenhagen Aarhus Odense Amsterdam Utrecht
Brussels Ghent Bruges Antwerp Leeds York Bath Oxford Cambridge Bristol Glasgow Edinburgh Cardiff Belfast Cork Galway
Moscow Kyiv Minsk Tbilisi Yerevan Baku Ankara Istanbul Izmir Beirut Damascus Amman Baghdad Tehran Doha Dubai Muscat
Karachi Lahore Mumbai Chennai Pune Dhaka Colombo Kathmandu Bangkok Hanoi Manila Jakarta Singapore Taipei Beijing Shanghai
Osaka Kyoto Nagoya Sapporo Sydney Perth Brisbane Darwin Auckland Wellington Nairobi Lagos Accra Dakar Tunis Rabat
Algiers Tripoli Luanda Harare Lusaka Kampala Kigali Durban Toronto Montreal Ottawa Calgary Vancouver Mexico Havana
Bogota Quito Santiago Brasilia Recife Salvador Montevideo Asuncion Caracas Panama Phoenix Portland Atlanta Detroit`);

export const countries = words(`
France Germany Italy Spain Portugal Norway Sweden Finland Denmark Poland Austria Hungary Greece Ireland Belgium Japan
China India Brazil Chile Peru Cuba Egypt Kenya Ghana Canada Mexico Turkey Iran Iraq Nepal Vietnam Thailand Malta Cyprus
Iceland Latvia Estonia Serbia Croatia Bulgaria Romania Ukraine Israel Jordan Morocco Nigeria Uganda Colombia`);

export const jobs = words(`
teacher baker doctor nurse pilot painter farmer lawyer cook driver singer dentist plumber gardener writer actor judge
tailor waiter builder barber dancer poet sailor engineer librarian carpenter architect journalist chemist electrician
firefighter scientist photographer musician mechanic student manager designer butcher florist`);

export const colours = words(
  `red blue green yellow black white brown orange purple pink grey silver golden violet beige turquoise`,
);

export const animals = words(`
cat dog horse rabbit hamster parrot turtle goldfish snake mouse goat sheep cow pig duck goose pony lizard frog donkey
canary ferret`);

export const products = words(`
chair table lamp laptop phone camera guitar bicycle tent jacket umbrella backpack kettle toaster pillow blanket mirror
clock printer keyboard monitor speaker headphones scarf sweater skirt shirt hammer ladder bucket candle notebook pencil
knife plate bottle carpet sofa desk shelf suitcase helmet tripod drone violin piano drum puzzle kite skateboard`);

export const foods = words(`
pizza soup bread cheese apples bananas milk eggs rice pasta salad coffee tea juice cake cookies butter honey tomatoes
potatoes onions carrots chicken fish beans nuts sugar flour salt pepper yoghurt oranges grapes noodles burgers tacos
sushi pancakes waffles lemons`);

export const adjectives = words(`
big small old new happy sad quiet loud fast slow warm cold bright dark lost hidden golden silent wild gentle broken
empty hungry lucky sweet bitter secret ancient modern simple strange little long short early late green blue red white
black deep high low soft hard open clean dusty rainy sunny`);

export const nouns = words(`
river mountain garden house window road bridge forest ocean island city village winter summer morning night star moon
sun cloud rain snow wind fire stone tree flower bird cat dog horse fish boat train car plane king queen child friend
mother father book letter song story dream heart hand door key box table chair bread milk apple cake coffee clock
mirror shadow light voice dance game market school office report invoice budget meeting party holiday present shoe
hat coat bag phone plan list team project idea question answer number colour picture film museum station airport`);

export const taskVerbs = words(`
buy call clean fix paint water feed wash pack check send read write visit find sell cook order print pay bring move
plan open close repair return learn sing draw build count`);
