import { rows } from './rows.ts';

export interface Country {
  readonly name: string;
  readonly capital: string;
  readonly continent: string;
}

/** Countries with a capital that nobody disputes. */
export const countries: readonly Country[] = rows(`
France: Paris: Europe; Germany: Berlin: Europe; Italy: Rome: Europe; Spain: Madrid: Europe
Portugal: Lisbon: Europe; Austria: Vienna: Europe; Belgium: Brussels: Europe; Poland: Warsaw: Europe
Sweden: Stockholm: Europe; Norway: Oslo: Europe; Denmark: Copenhagen: Europe; Finland: Helsinki: Europe
Iceland: Reykjavik: Europe; Ireland: Dublin: Europe; Greece: Athens: Europe; Hungary: Budapest: Europe
Romania: Bucharest: Europe; Bulgaria: Sofia: Europe; Croatia: Zagreb: Europe; Serbia: Belgrade: Europe
Slovakia: Bratislava: Europe; Slovenia: Ljubljana: Europe; Estonia: Tallinn: Europe; Latvia: Riga: Europe
Lithuania: Vilnius: Europe; Ukraine: Kyiv: Europe; Albania: Tirana: Europe; Malta: Valletta: Europe
Switzerland: Bern: Europe; the United Kingdom: London: Europe; the Netherlands: Amsterdam: Europe
Russia: Moscow: Europe; Belarus: Minsk: Europe; the Czech Republic: Prague: Europe
Japan: Tokyo: Asia; China: Beijing: Asia; India: New Delhi: Asia; South Korea: Seoul: Asia
North Korea: Pyongyang: Asia; Thailand: Bangkok: Asia; Vietnam: Hanoi: Asia; the Philippines: Manila: Asia
Turkey: Ankara: Asia; Iran: Tehran: Asia; Iraq: Baghdad: Asia; Jordan: Amman: Asia
Lebanon: Beirut: Asia; Syria: Damascus: Asia; Saudi Arabia: Riyadh: Asia; Qatar: Doha: Asia
Oman: Muscat: Asia; Pakistan: Islamabad: Asia; Bangladesh: Dhaka: Asia; Nepal: Kathmandu: Asia
Bhutan: Thimphu: Asia; Mongolia: Ulaanbaatar: Asia; Laos: Vientiane: Asia; Cambodia: Phnom Penh: Asia
Afghanistan: Kabul: Asia; Uzbekistan: Tashkent: Asia; Georgia: Tbilisi: Asia; Armenia: Yerevan: Asia
Egypt: Cairo: Africa; Kenya: Nairobi: Africa; Nigeria: Abuja: Africa; Ghana: Accra: Africa
Ethiopia: Addis Ababa: Africa; Morocco: Rabat: Africa; Tunisia: Tunis: Africa; Algeria: Algiers: Africa
Libya: Tripoli: Africa; Sudan: Khartoum: Africa; Uganda: Kampala: Africa; Rwanda: Kigali: Africa
Senegal: Dakar: Africa; Mali: Bamako: Africa; Angola: Luanda: Africa; Zambia: Lusaka: Africa
Zimbabwe: Harare: Africa; Namibia: Windhoek: Africa; Madagascar: Antananarivo: Africa
the United States: Washington: North America; Canada: Ottawa: North America; Mexico: Mexico City: North America
Cuba: Havana: North America; Jamaica: Kingston: North America; Panama: Panama City: North America
Brazil: Brasilia: South America; Argentina: Buenos Aires: South America; Chile: Santiago: South America
Peru: Lima: South America; Colombia: Bogota: South America; Ecuador: Quito: South America
Uruguay: Montevideo: South America; Paraguay: Asuncion: South America; Venezuela: Caracas: South America
Australia: Canberra: Oceania; New Zealand: Wellington: Oceania; Fiji: Suva: Oceania
`).map(([name = '', capital = '', continent = '']) => ({ name, capital, continent }));
