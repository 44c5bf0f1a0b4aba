import { formatDay } from '../dates.ts';
import type { CodesSheet } from './codes-text.ts';

/** The numbered codes. A printout also says what they are for. */
export function CodesList({ codes, username, madeAt, expiresAt }: CodesSheet) {
  return (
    <>
      <h2 class="print-only">Latchkey recovery codes</h2>
      <p class="print-only">
        {location.host} · {username} · made {formatDay(madeAt)}
        {expiresAt && <> · expire {formatDay(expiresAt)}</>}
      </p>
      <ol class="codes">
        {codes.map((code) => (
          <li class="codes__item" key={code}>
            <code class="codes__code">{code}</code>
          </li>
        ))}
      </ol>
      <p class="print-only">Each code works once. To use one, go to {location.origin}/recover</p>
    </>
  );
}
