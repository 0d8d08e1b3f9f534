import { t } from '../words/operator-texts.ts';
import { Fold } from '../ui/fold.tsx';

/** What the library that loads it says: a signal, a call, a name of C++. */
const technical = /^(.*? cannot be loaded): (.*(?:SIG|\(|::).*)$/;

/** Why a model could not be loaded: what a program says about itself is folded behind the sentence. */
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
