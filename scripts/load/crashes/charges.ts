import type { LedgerRow } from '../../../src/store/tables/use/ledger-table.ts';
import type { Seen } from './client.ts';

/** Computed tokens that may be the beginning of a character that never became whole, and so were not sent. */
const mostUnsent = 3;

/** Where the ledger and the clients' usage of one model disagree, one line each. */
export function compareCharges(
  modelId: string,
  seen: readonly Seen[],
  ledger: readonly LedgerRow[],
): string[] {
  const answers = seen.filter((answer) => answer.modelId === modelId);
  const rows = ledger.filter((row) => row.modelId === modelId);
  const problems: string[] = [];
  if (rows.length !== answers.length)
    problems.push(`${modelId}: ${answers.length} requests, but ${rows.length} rows in the ledger`);
  const charged = rows.map(({ completionTokens }) => completionTokens);
  for (const { chargedTokens } of answers) {
    if (chargedTokens === undefined) continue;
    const index = charged.indexOf(chargedTokens);
    if (index < 0) problems.push(`${modelId}: an answer of ${chargedTokens} tokens is not in the ledger`);
    else charged.splice(index, 1);
  }
  const ascending = (a: number, b: number) => a - b;
  const broken = answers.filter(({ chargedTokens }) => chargedTokens === undefined);
  const received = broken.map(({ tokens }) => tokens).toSorted(ascending);
  for (const [index, tokens] of charged.toSorted(ascending).entries()) {
    const more = tokens - (received[index] ?? 0);
    if (more < 0 || more > mostUnsent)
      problems.push(
        `${modelId}: ${tokens} tokens charged for an answer of ${received[index]} that broke off`,
      );
  }
  return problems;
}
