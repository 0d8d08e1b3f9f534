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
Luxembourg: Luxembourg City: Europe; Andorra: Andorra la Vella: Europe
Liechtenstein: Vaduz: Europe; Moldova: Chisinau: Europe; Montenegro: Podgorica: Europe
North Macedonia: Skopje: Europe; Cyprus: Nicosia: Europe; Azerbaijan: Baku: Asia
Kazakhstan: Astana: Asia; Turkmenistan: Ashgabat: Asia; Tajikistan: Dushanbe: Asia; Kyrgyzstan: Bishkek: Asia
Kuwait: Kuwait City: Asia; Bahrain: Manama: Asia; Yemen: Sanaa: Asia; the Maldives: Male: Asia
Brunei: Bandar Seri Begawan: Asia; the United Arab Emirates: Abu Dhabi: Asia
Indonesia: Jakarta: Asia; Malaysia: Kuala Lumpur: Asia; Myanmar: Naypyidaw: Asia; East Timor: Dili: Asia
Somalia: Mogadishu: Africa; Eritrea: Asmara: Africa; Chad: N'Djamena: Africa; Niger: Niamey: Africa
Cameroon: Yaounde: Africa; Gabon: Libreville: Africa; Togo: Lome: Africa; Gambia: Banjul: Africa
Guinea: Conakry: Africa; Liberia: Monrovia: Africa; Sierra Leone: Freetown: Africa; Malawi: Lilongwe: Africa
Mozambique: Maputo: Africa; Botswana: Gaborone: Africa; Lesotho: Maseru: Africa; Mauritius: Port Louis: Africa
Mauritania: Nouakchott: Africa; Burkina Faso: Ouagadougou: Africa; the Seychelles: Victoria: Africa
Guatemala: Guatemala City: North America; Honduras: Tegucigalpa: North America; Haiti: Port-au-Prince: North America
Nicaragua: Managua: North America; Costa Rica: San Jose: North America; Barbados: Bridgetown: North America
El Salvador: San Salvador: North America; the Bahamas: Nassau: North America; Belize: Belmopan: North America
Guyana: Georgetown: South America; Suriname: Paramaribo: South America
Samoa: Apia: Oceania; Tonga: Nuku'alofa: Oceania; Vanuatu: Port Vila: Oceania
Papua New Guinea: Port Moresby: Oceania; Australia: Canberra: Oceania; New Zealand: Wellington: Oceania; Fiji: Suva: Oceania
`).map(([name = '', capital = '', continent = '']) => ({ name, capital, continent }));
