import { t } from '../words/operator-texts.ts';
import { Fold } from '../ui/fold.tsx';

/** A message of the library that loads it: a signal, a call, a name of C++. */
const technical = /^(.*? cannot be loaded): (.*(?:SIG|\(|::).*)$/;

/** Why a model could not be loaded: a program's own message is folded behind the sentence. */
export function LoadFailure({ text }: { text: string }) {
  const [, sentence, why] = technical.exec(text) ?? [];
  if (sentence === undefined) return text;
  return (
    <>
      {sentence}.
      <Fold title={t.models.failureDetails}>
        <p class="facts">{why}</p>
      </Fold>
    </>
  );
}
