import { heldOutNames } from './names.ts';
import { words } from './rows.ts';

const notHeldOut = (name: string): boolean => !heldOutNames.includes(name);

/** Given names of many languages, some with accents and hyphens. */
export const givenNames = words(`
Abigail Adelina Adrian Aditi Agata Ahmed Aidan Aiko Aisha Akira Alasdair Albrecht Aleksander Alessia Alfonso Alicia
Alina Alistair Alvaro Amalia Amara Ambrose Amelia Anand Anatole Angela Angus Anika Anouk Ansel Anselm Antonia Anwar
Apolline Archie Ariadne Arjun Arnaud Arnold Arvid Asa Asger Ashok Astor Atticus Audrey August Aurelia Aurora Axel Azra
Baldwin Barbara Barnard Bartholomew Basil Beatrice Beatrix Benedict Benoit Berenice Bernadette Bertram Birgit Blanche
Boaz Bogdan Boyd Bram Branwen Bridget Brigitte Britta Bronwen Bruce Byron Caleb Calvin Camille Candace Carlotta Carmela
Caspar Cassandra Catalina Cedric Celeste Cesare Chandra Chiara Chidi Christoph Cillian Clarissa Claude Clemens Clement
Clementine Clive Constance Cordelia Cornelius Craig Cressida Crispin Cyril Dagmar Daichi Damian Damien Daria Darius
Darren Davide Deborah Declan Deirdre Demetra Denise Derek Desmond Dieter Dilys Dimitra Dirk Dolores Dominic Donald
Dorian Dorothea Douglas Drew Duarte Dunja Dylan Ebba Edmund Eduardo Edwin Efua Egon Eileen Einar Ekaterina Eleanor Elin
Eloise Elspeth Elton Elvira Emeka Emiko Emre Enid Enrico Enzo Ephraim Erin Ernest Esmeralda Estelle Ethan Etta Eugene
Eugenia Eunice Evander Evelyn Ezra Faisal Faye Federica Feliks Ferdinand Fergus Fernanda Fidel Filippa Fleur Floris
Francesca Frederick Frida Fumiko Gabriel Gareth Gaspard Gavin Gemma Genevieve Geoffrey Georgina Gerald Gerhard Gertrude
Giles Gillian Ginevra Giovanni Gisela Giulia Glenn Gloria Gordon Graham Gregor Griselda Guido Gunnar Gunther Gustavo
Guy Gwendolyn Hamish Harald Haruki Harvey Hector Hedda Hedwig Heinrich Helga Henrik Hermann Hilda Hiroshi Holger
Horace Hortense Howard Hubert Humphrey Ibrahim Idris Ignacio Ilya Imran Inaya Inigo Irena Irene Irma Isa Isaac Isadora
Ishaan Ivana Ivo Jacinta Jacqueline Jago Jamal Janek Janet Jarek Jarvis Jasmine Javier Jeremiah Jerome Jessica Joachim
Joanna Jocelyn Johanna Jolanta Jonathan Jordi Joris Joyce Judith Jules Jurgen Justine Kaito Kamal Karim Katarina
Katrin Keith Kendra Kenneth Khadija Kieran Kirsten Klara Konrad Kristof Kwame Lachlan Ladislav Lakshmi Lambert Lana
Laszlo Latisha Laurence Leif Leila Lennart Leonie Leopold Leticia Levi Liesel Linnea Lionel Livia Lloyd Lorcan Lorenzo
Lorna Lothar Lucinda Ludmila Ludovic Ludwig Luigi Lydia Mabel Madeleine Mads Magda Magnus Malcolm Malik Manfred Manuel
Marcel Marcus Margaret Margot Mariam Marian Marianne Marlene Marlon Marnie Mathilde Matteo Matthias Maud Maureen Maurice
Mavis Melanie Melvin Mercedes Meredith Merle Micah Michal Miguel Mikael Mildred Millicent Milos Minerva Miranda Miriam
Mohan Moira Moritz Mortimer Moses Muriel Mustafa Myra Nadine Naoko Naomi Natalia Nathaniel Neil Nelson Nerea Neville
Ngozi Niall Nicholas Nigel Nils Noemi Norbert Norman Nuria Octavia Odette Olaf Oleg Olena Olwen Omari Oona Orla Orlando
Orson Osman Osric Oswald Ottavia Padma Paloma Pascal Patience Patricia Patrick Pearl Peregrine Perpetua Petronella
Philippa Phoebe Phyllis Pilar Piotr Polly Portia Prudence Radha Rafiq Ragnar Raisa Ramona Randolph Raphael Rashid Rasmus
Raymond Rebecca Regina Reinhard Renata Reuben Rhiannon Rhys Ricardo Roderick Rodrigo Roger Roland Roman Romy Ronan
Rosemary Rowan Roxana Rufus Rupert Russell Sabine Sabrina Sadie Saira Salma Salome Salvatore Samantha Sanjay Saoirse
Saskia Scarlett Sebastian Selina Serafina Serge Severin Seymour Shirin Shirley Sibylle Sidney Siegfried Sigrid Silas
Silvester Simona Sinead Sidonie Solveig Soren Stanley Stefania Stephanie Stewart Stuart Sunita Susanna Svetlana Sylvie
Tabitha Tadeusz Takumi Tamara Tamsin Tancred Tanya Tatiana Tobias Tobin Tomas Tracy Tristan Trudy Tyrone Ulrich Ulrike
Umberto Uri Ursel Ute Valentin Vanessa Vasily Vaughn Verena Veronica Vesna Vicente Vidar Vikram Vilma Vincenzo Virginia
Vivian Vivienne Vladimir Waldemar Wallace Wanjiru Warren Wenceslas Werner Wilbur Wilfred Wilhelm Wolfgang Wyatt Xander
Ximena Yasmin Yolanda Youssef Yuri Yvette Yvonne Zachary Zahra Zainab Zbigniew Zelda Zeno Zita Zofia Zsofia Zuleika
Amélie André Aurélie Bjørn Björn Chloé Céline Désirée Eléonore Eugénie François Frédéric Gérard Gösta Göran Håkon Hélène
Inés Íñigo Jérôme José Jörg Jürgen Kåre Loïc Lőrinc Léa Maël María Mathéo Márta Mónica Noël Núria Pál Pía Renée Rosalía
René Søren Sébastien Sofía Thérèse Tomás Zoë Zoé Ángel Åsa Élodie Øyvind Özlem Šárka Jean-Luc Marie-Claire Anne-Sophie
Hans-Peter Karl-Heinz Ana-Maria Lou-Ann Jean-Pierre Mary-Jane Eva-Lotta Kim-Ly Abdul-Rahman Jo-Ann Pierre-Yves
Anna-Lena Carl-Johan Bo-Ra Min-Jun Ji-Woo Seo-Yeon`).filter(notHeldOut);

export const familyNames = words(`
Abbott Abernathy Abramov Acheampong Adebayo Aguilar Ahlberg Akhtar Albrecht Almeida Alvarez Amundsen Andersson
Antonelli Appiah Arslan Ashworth Atkinson Aydin Babic Bailey Balogun Banerjee Barros Bartlett Basu Beaumont Beck Belov
Benitez Bennett Bergman Bernard Bertrand Bianchi Birch Blackwood Bloom Bogdanov Bonnet Borges Boswell Bradley Brandt
Brennan Brock Bruun Buchanan Burgess Byrne Cabrera Caldwell Campbell Cardoso Carlsen Carvalho Castillo Chandra Chang
Chaudhry Chevalier Choi Christie Cisneros Clarke Coleman Conti Cortez Craven Crawford Cruz Curtis Dahl Dalton Davies
Dekker Delgado Demir Desai Dias Diaz Dimitrov Dixon Donnelly Dubois Duffy Dumont Dunn Duran Eberhardt Eklund Ellis
Engel Eriksson Escobar Espinoza Fairfax Falk Farrell Faulkner Fernandes Ferrara Finch Fitzgerald Fleming Flores Fonseca
Forsberg Fournier Fraser Fujimoto Gallagher Garcia Gardner Garnier Gibson Giordano Gomez Gonzalez Goodwin Graves Greco
Grimaldi Gupta Gustafsson Haas Hagen Haider Halloran Hamilton Hancock Harding Hartmann Hashimoto Hawkins Hayashi Heller
Henderson Hendriks Herrera Higgins Hoang Hoffmann Holloway Holm Horvat Hussain Ibarra Inoue Ishikawa Jablonski Jansen
Jansson Jarvis Jefferson Jensen Jimenez Johansson Jovanovic Kamara Kapoor Kaplan Karlsson Kaur Keating Keller Kemp
Kimura Kirchner Klein Kobayashi Kovacs Kozlov Kramer Krause Kruger Kumar Lambert Lancaster Lang Laurent Lehmann Leroy
Lindqvist Lombardi Lopez Lund Mackenzie Madsen Malik Mancini Marchetti Marinov Marshall Martinez Mbeki McAllister
McBride McCarthy McDonald Mendoza Mercer Meyers Mikhailov Mitchell Molnar Montgomery Morales Moreau Mori Morozov Morrow
Mueller Murakami Murphy Mwangi Nakamura Navarro Neumann Newton Nguyen Nielsen Nilsson Norris Nowak Nunez Nyberg Oakley
Obi Okafor Okonkwo Olofsson Orlov Ortega Osborne Ostrowski Pacheco Palmer Pappas Park Paterson Pearson Pedersen
Pellegrini Pereira Petersen Petrov Pfeiffer Pham Phillips Pinto Pohl Porter Prescott Quigley Quiroga Rahman Ramirez
Rasmussen Reilly Reyes Ribeiro Richter Rinaldi Rivera Robertson Rodriguez Romano Rosenberg Roux Ruiz Sadler Saito
Salazar Sandberg Schaefer Schmidt Schneider Schulz Sharma Shaw Shepherd Simmons Sinclair Sokolov Sorensen Soto Spencer
Steiner Stone Strand Strauss Sullivan Suzuki Svensson Takahashi Tanner Tatum Thornton Toth Tran Turgenev Underwood
Valdez Vance Vargas Vasquez Vega Vogel Volkov Wallace Walsh Wanjala Weiss Whitaker Whitfield Wilkins Winter Wong
Woodward Yamamoto Yilmaz York Zhang Zielinski Zimmermann O'Brien O'Connor O'Neill D'Angelo Müller Schröder Åberg
Lindström Sjöberg Fernández Gutiérrez Núñez Peña Lefèvre Béranger Kovačević Dvořák Nagyová Öztürk Løvland Brändle
Smith-Jones Garcia-Lopez Meyer-Wolf Taylor-Reed Brown-Hill Lloyd-Webb`).filter(notHeldOut);

/** Places with names of one to four words. */
export const places = `
Aalborg, Aberdeen, Abilene, Adelaide, Ajaccio, Alicante, Alkmaar, Almaty, Amarillo, Amiens, Ancona, Angers, Antalya,
Arezzo, Arnhem, Arras, Astana, Augsburg, Avignon, Bangor, Bari, Batumi, Bayonne, Bilbao, Birmingham, Blackpool, Bolzano,
Bradford, Braga, Brno, Brighton, Bursa, Cadiz, Caen, Cagliari, Canterbury, Carlisle, Catania, Chester, Chihuahua, Cluj,
Coimbra, Como, Cordoba, Corinth, Cusco, Delft, Derby, Dijon, Dortmund, Dover, Dundee, Durham, Eindhoven, Ennis, Erfurt,
Essen, Exeter, Faro, Ferrara, Florence, Frankfurt, Freiburg, Fukuoka, Galle, Genoa, Girona, Gothenburg, Graz, Grenoble,
Groningen, Guadalajara, Haarlem, Haifa, Halifax, Hanover, Hiroshima, Hobart, Honolulu, Hull, Innsbruck, Inverness,
Ipswich, Jaipur, Jena, Joensuu, Kaunas, Kilkenny, Klagenfurt, Kobe, Kochi, Kosice, Kuopio, Lahti, Leicester, Leiden,
Lengerich, Limerick, Lincoln, Linz, Liverpool, Lublin, Lucca, Lugano, Lund, Maastricht, Malaga, Manchester, Mannheim,
Marseille, Medan, Memphis, Metz, Modena, Mombasa, Murcia, Mysore, Namur, Nashville, Newcastle, Norwich, Nottingham,
Novosibirsk, Odessa, Omaha, Orebro, Oulu, Padua, Palermo, Parma, Perugia, Pisa, Plovdiv, Plymouth, Poznan, Preston,
Ravenna, Reims, Rennes, Rostock, Rotterdam, Rouen, Salerno, Salzburg, Samarkand, Sendai, Seville, Sheffield, Siena,
Sligo, Stavanger, Sunderland, Surat, Swansea, Szeged, Tampico, Taunton, Timisoara, Tijuana, Toledo, Toulouse, Trieste,
Tromso, Tucson, Ulm, Umea, Valencia, Varna, Vasteras, Verona, Vigo, Visby, Waterford, Wichita, Winchester, Worcester,
Wroclaw, Wurzburg, Yokohama, Zamora, Zaragoza, Zwolle, New York, Los Angeles, San Diego, Las Vegas, New Orleans,
San Francisco, Santa Fe, Salt Lake City, Fort Worth, Kansas City, Cape Town, Port Elizabeth, Buenos Aires, Rio Grande,
Sao Paulo, Santa Cruz, Punta Arenas, Puerto Montt, Tel Aviv, Abu Dhabi, Hong Kong, Kuala Lumpur, Chiang Mai, Da Nang,
Novi Sad, Banja Luka, Baden-Baden, Aix-en-Provence, Saint-Malo, Stratford-upon-Avon, Newcastle upon Tyne, Bad Homburg,
Den Haag, La Paz, San Juan, El Paso, Le Havre, Les Sables, Villa Maria, Monte Carlo, Alice Springs, Palmerston North,
Gold Coast, Lower Hutt, Red Deer, Moose Jaw, Thunder Bay, Saint John, Quebec City, Addis Ababa, Port Harcourt, Bielsko,
São Luís, Málaga, Zürich, Düsseldorf, Göteborg, Malmö, Kraków, Łódź, Århus, Tromsø, Nîmes, Besançon, Orléans, León,
Mérida, Plzeň, Győr, Jyväskylä
`
  .split(',')
  .map((place) => place.trim());

/** Beginnings and ends of names that sound real; any two make one. */
export const nameStarts = words(`
Al Am An Ar As Bal Bar Ber Bran Bren Cal Car Cas Cor Dag Dal Dan Del Dor Ed El Em Er Fal Fen Fer Gal Gar Ger Gil Gun
Hal Har Hel Her Is Jar Jes Jor Kal Kas Kel Kor Lan Lar Leo Lin Lor Lu Mal Mar Mel Mer Mor Nar Nel Nor Ol Or Os Pas Pel
Per Ran Ren Ro Ros Sal Sam Sar Sel Sil Sor Tal Tam Tar Thel Tor Tul Ul Ur Val Var Vel Ver Vin Wal Wil Win Yor Zan Zel`);
export const nameEnds = words(`
a ah ana ander ard aria as bert bin by da dan dis don dra dric ela ella en enna eth fred frid ga gan gard helm ia ias
ica ice ida iel ika in ina ira is isa ita itha ius ka kin la land len lia lin lo ly man mar mer min mond mund na nan
nar ne nia nie no nor ny o ola olf on ona or ora os ra ran red ren ric rid rik ris ro ron sa son sten stin ta tan ter
tha tin to ton tor un ur us va van vard ven via vik vin wald ward wen win wyn ya yn`);
