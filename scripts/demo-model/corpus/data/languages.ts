/** What somebody says in English or in the language, and the answer in the language. */
export interface Phrases {
  readonly language: string;
  readonly hello: string;
  readonly howAreYou: string;
  readonly thanks: string;
  /** What one answers to thanks. */
  readonly welcome: string;
  readonly goodbye: string;
  readonly goodMorning: string;
  readonly goodNight: string;
  readonly yes: string;
  readonly no: string;
  readonly please: string;
  /** "My name is", before a name. */
  readonly myNameIs: string;
  /** "I am fine, thank you." */
  readonly fine: string;
  /** How somebody is met who gave a name; before the name. */
  readonly pleased: string;
}

export const languages: readonly Phrases[] = [
  {
    language: 'French',
    hello: 'Bonjour !',
    howAreYou: 'Comment allez-vous ?',
    thanks: 'Merci !',
    welcome: 'De rien !',
    goodbye: 'Au revoir !',
    goodMorning: 'Bonjour !',
    goodNight: 'Bonne nuit !',
    yes: 'Oui',
    no: 'Non',
    please: "S'il vous plaît",
    myNameIs: "Je m'appelle",
    fine: 'Je vais bien, merci.',
    pleased: 'Enchanté,',
  },
  {
    language: 'German',
    hello: 'Guten Tag!',
    howAreYou: 'Wie geht es Ihnen?',
    thanks: 'Danke!',
    welcome: 'Gern geschehen!',
    goodbye: 'Auf Wiedersehen!',
    goodMorning: 'Guten Morgen!',
    goodNight: 'Gute Nacht!',
    yes: 'Ja',
    no: 'Nein',
    please: 'Bitte',
    myNameIs: 'Ich heiße',
    fine: 'Mir geht es gut, danke.',
    pleased: 'Freut mich,',
  },
  {
    language: 'Spanish',
    hello: '¡Hola!',
    howAreYou: '¿Cómo está?',
    thanks: '¡Gracias!',
    welcome: '¡De nada!',
    goodbye: '¡Adiós!',
    goodMorning: '¡Buenos días!',
    goodNight: '¡Buenas noches!',
    yes: 'Sí',
    no: 'No',
    please: 'Por favor',
    myNameIs: 'Me llamo',
    fine: 'Estoy bien, gracias.',
    pleased: 'Mucho gusto,',
  },
  {
    language: 'Italian',
    hello: 'Ciao!',
    howAreYou: 'Come sta?',
    thanks: 'Grazie!',
    welcome: 'Prego!',
    goodbye: 'Arrivederci!',
    goodMorning: 'Buongiorno!',
    goodNight: 'Buonanotte!',
    yes: 'Sì',
    no: 'No',
    please: 'Per favore',
    myNameIs: 'Mi chiamo',
    fine: 'Sto bene, grazie.',
    pleased: 'Piacere,',
  },
  {
    language: 'Dutch',
    hello: 'Hallo!',
    howAreYou: 'Hoe gaat het?',
    thanks: 'Dank u!',
    welcome: 'Graag gedaan!',
    goodbye: 'Tot ziens!',
    goodMorning: 'Goedemorgen!',
    goodNight: 'Goede nacht!',
    yes: 'Ja',
    no: 'Nee',
    please: 'Alstublieft',
    myNameIs: 'Ik heet',
    fine: 'Het gaat goed, dank u.',
    pleased: 'Aangenaam,',
  },
  {
    language: 'Portuguese',
    hello: 'Olá!',
    howAreYou: 'Como está?',
    thanks: 'Obrigado!',
    welcome: 'De nada!',
    goodbye: 'Adeus!',
    goodMorning: 'Bom dia!',
    goodNight: 'Boa noite!',
    yes: 'Sim',
    no: 'Não',
    please: 'Por favor',
    myNameIs: 'Chamo-me',
    fine: 'Estou bem, obrigado.',
    pleased: 'Muito prazer,',
  },
];
