import type { Phrases } from './languages.ts';

/** The phrases of a language that are an answer to what somebody says in it. */
type Answer = 'hello' | 'howAreYou' | 'thanks' | 'goodbye' | 'goodMorning' | 'goodNight';

/** What somebody says in a language, as templates for `vary`, by what it is. A greeting of two languages is in none. */
export const foreignTalk: Readonly<Record<string, Readonly<Record<Answer, string>>>> = {
  French: {
    hello: '(Bonjour|Salut|Bonsoir|Coucou|Bonjour à tous|Bonjour mon ami|Bien le bonjour|Rebonjour)',
    howAreYou:
      '(Comment allez-vous|Comment ça va|Ça va|Comment vas-tu|Comment tu vas|Vous allez bien|Tout va bien) ?',
    thanks:
      '(Merci|Merci beaucoup|Mille mercis|Merci bien|Un grand merci|Merci pour tout|Je vous remercie|Merci à vous|Merci pour votre aide)',
    goodbye:
      '(Au revoir|À bientôt|À plus tard|À demain|Adieu|À la prochaine|Au revoir et merci|Bonne journée|À plus)',
    goodMorning: '(Bonjour|Bon matin|Bonjour, bien dormi)',
    goodNight: '(Bonne nuit|Dormez bien|Bonne nuit à tous|Bonne nuit et à demain|Fais de beaux rêves)',
  },
  German: {
    hello:
      '(Guten Tag|Grüß Gott|Servus|Moin|Grüß dich|Schönen guten Tag|Guten Tag zusammen|Hallo und guten Tag)',
    howAreYou:
      '(Wie geht es Ihnen|Wie geht es dir|Wie geht es|Wie gehts|Alles gut|Na, wie geht es|Geht es Ihnen gut|Alles klar bei dir)?',
    thanks:
      '(Danke|Danke schön|Vielen Dank|Herzlichen Dank|Danke sehr|Besten Dank|Tausend Dank|Ich danke Ihnen|Danke für die Hilfe|Danke dir)',
    goodbye:
      '(Auf Wiedersehen|Tschüss|Bis bald|Bis morgen|Bis später|Mach es gut|Leb wohl|Tschüss und danke|Auf Wiederhören|Schönen Tag noch)',
    goodMorning:
      '(Guten Morgen|Einen schönen guten Morgen|Guten Morgen zusammen|Guten Morgen und hallo|Schönen Morgen)',
    goodNight:
      '(Gute Nacht|Schlaf gut|Schlafen Sie gut|Gute Nacht zusammen|Gute Nacht und bis morgen|Träum süß)',
  },
  Spanish: {
    hello: '(¡Hola!|Hola|Buenas tardes|Hola amigo|Hola a todos|¡Buenas!|Muy buenas|Hola, buenas)',
    howAreYou:
      '(¿Cómo está?|¿Cómo estás?|¿Qué tal?|Cómo estás|¿Cómo te va?|¿Todo bien?|Qué tal|¿Cómo va todo?)',
    thanks:
      '(¡Gracias!|Gracias|Muchas gracias|Mil gracias|Muchísimas gracias|Gracias por todo|Te lo agradezco|Gracias por la ayuda)',
    goodbye:
      '(¡Adiós!|Adiós|Hasta luego|Hasta mañana|Hasta pronto|Nos vemos|Hasta la vista|Adiós y gracias|Que te vaya bien)',
    goodMorning: '(¡Buenos días!|Buenos días|Muy buenos días|Buenos días a todos|Hola, buenos días|Buen día)',
    goodNight:
      '(¡Buenas noches!|Buenas noches|Que duermas bien|Que descanses|Buenas noches a todos|Dulces sueños)',
  },
  Italian: {
    hello: '(Salve|Buona sera|Buon pomeriggio|Salve a tutti|Ciao a tutti|Ciao, come va|Ehi ciao)',
    howAreYou: '(Come sta|Come stai|Come va|Tutto bene|Va tutto bene|Come te la passi|Stai bene)?',
    thanks:
      '(Grazie|Grazie mille|Molte grazie|Tante grazie|Grazie di tutto|La ringrazio|Ti ringrazio|Grazie infinite)',
    goodbye:
      '(Arrivederci|Addio|A presto|A domani|Ci vediamo|A dopo|Arrivederla|Alla prossima|Buona giornata)',
    goodMorning: '(Buongiorno|Buon giorno|Buongiorno a tutti|Buondì|Un buongiorno a lei)',
    goodNight: "(Buonanotte|Buona notte|Dormi bene|Sogni d'oro|Buonanotte a tutti|Buonanotte e a domani)",
  },
  Dutch: {
    hello: '(Goedendag|Goedemiddag|Goedenavond|Dag allemaal|Hoi|Hoi hoi|Een goede dag|Hallo daar)',
    howAreYou:
      '(Hoe gaat het|Hoe gaat het met u|Hoe gaat het met je|Hoe is het|Alles goed|Gaat het goed|Hoe maakt u het)?',
    thanks:
      '(Dank u|Dank je|Dank u wel|Dank je wel|Bedankt|Hartelijk dank|Heel erg bedankt|Veel dank|Bedankt voor de hulp)',
    goodbye:
      '(Tot ziens|Doei|Tot morgen|Tot later|Tot straks|Tot de volgende keer|Doeg|Tot gauw|Fijne dag nog)',
    goodMorning: '(Goedemorgen|Goede morgen|Een goede morgen|Goedemorgen allemaal|Morgen allemaal)',
    goodNight: '(Goede nacht|Slaap lekker|Welterusten|Goedenacht|Slaap zacht|Welterusten allemaal)',
  },
  Portuguese: {
    hello: '(Olá|Oi|Boa tarde|Olá a todos|Olá amigo|Oi, tudo|Olá, boa tarde|Ora viva)',
    howAreYou: '(Como está|Como vai|Tudo bem|Como você está|Como estás|Está tudo bem|Como tem passado)?',
    thanks:
      '(Obrigado|Obrigada|Muito obrigado|Muito obrigada|Obrigado por tudo|Obrigado pela ajuda|Agradeço muito|Valeu)',
    goodbye: '(Adeus|Tchau|Até logo|Até amanhã|Até breve|Até mais|Até já|Até à próxima|Adeus e obrigado)',
    goodMorning: '(Bom dia|Muito bom dia|Bom dia a todos|Olá, bom dia|Um bom dia)',
    goodNight: '(Boa noite|Durma bem|Boa noite a todos|Dorme bem|Bons sonhos|Boa noite e até amanhã)',
  },
};

/** The answer to what was said: thanks are returned with "you are welcome", the rest in kind. */
export function answerTo(phrases: Phrases, said: Answer): string {
  if (said === 'thanks') return phrases.welcome;
  if (said === 'howAreYou') return phrases.fine;
  return phrases[said];
}
