import { t } from '../words/operator-texts.ts';
import { usePolled } from '../state/polled.ts';
import { asUser } from '../state/session.ts';
import { Progress } from '../ui/progress.tsx';
import { Table } from '../ui/tables/table.tsx';
import { inOrder } from '../words/formats.ts';

/** A line of a file of errors. */
interface ErrorLine {
  readonly custom_id: string;
  readonly response: { readonly body: { readonly error?: { readonly message: string } } } | null;
  readonly error: { readonly message: string } | null;
}

/** Lines that are shown; the file has all of them. */
const shownLines = 20;

/** Which lines of a batch have no answer, each with the reason. */
export function LineErrors({ fileId }: { fileId: string }) {
  const file = usePolled(
    async (signal) =>
      (await (await asUser(`files/${fileId}/content`, { signal })).text()).trimEnd().split('\n'),
    [fileId],
  );
  const lines = (file.value ?? []).slice(0, shownLines).map((line) => JSON.parse(line) as ErrorLine);
  const more = (file.value?.length ?? 0) - lines.length;
  const byReason = Map.groupBy(
    lines,
    ({ response, error }) => response?.body.error?.message ?? error?.message,
  );
  return (
    <>
      <Progress of={file} />
      {lines.length > 0 && (
        <Table class="stacks wraps line-errors" titles={t.batches.errorColumns}>
          {[...byReason].map(([reason, alike]) => (
            <tr key={reason}>
              <th scope="row">
                {alike
                  .map(({ custom_id: id }) => id)
                  .toSorted(inOrder)
                  .join(', ')}
              </th>
              <td>{reason}</td>
            </tr>
          ))}
        </Table>
      )}
      {more > 0 && <p class="facts">{t.batches.moreErrors(more)}</p>}
    </>
  );
}
