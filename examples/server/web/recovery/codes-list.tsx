import { formatDay } from '../dates.ts';
import type { CodesSheet } from './codes-text.ts';

/**
 * Allows a line break after each hyphen, for narrow pages. Without `<wbr>`, browsers do not break before a
 * digit.
 */
const breakable = (code: string) => code.split(/(?<=-)/).map((group) => [group, <wbr />]);

/** The numbered codes. The printed page also shows the site, the username and the dates. */
export function CodesList({ codes, username, createdAt, expiresAt }: CodesSheet) {
  return (
    <>
      <h2 class="print-only">Latchkey recovery codes</h2>
      <p class="print-only">
        {location.host} · {username} · created {formatDay(createdAt)}
        {expiresAt && <> · expire {formatDay(expiresAt)}</>}
      </p>
      <ol class="codes">
        {codes.map((code) => (
          <li class="codes__item" key={code}>
            <code class="codes__code">{breakable(code)}</code>
          </li>
        ))}
      </ol>
      <p class="print-only">Each code works once. To use one, go to {location.origin}/recover</p>
    </>
  );
}
