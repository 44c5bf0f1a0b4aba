import { formatDay } from '../dates.ts';
import { t } from '../messages/t.tsx';
import { brandName } from '../site-settings.ts';
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
      <h2 class="print-only">{t('recovery.sheetTitle', { brand: brandName })}</h2>
      <p class="print-only">{factsOf({ username, createdAt, expiresAt })}</p>
      <ol class="codes">
        {codes.map((code) => (
          <li class="codes__item" key={code}>
            <code class="codes__code">{breakable(code)}</code>
          </li>
        ))}
      </ol>
      <p class="print-only">{t('recovery.sheetUse', { url: `${location.origin}/recover` })}</p>
    </>
  );
}

function factsOf({
  username,
  createdAt,
  expiresAt,
}: Pick<CodesSheet, 'username' | 'createdAt' | 'expiresAt'>): string {
  const facts = { site: location.host, username, created: formatDay(createdAt) };
  return expiresAt
    ? t('recovery.sheetFactsExpiring', { ...facts, expiry: formatDay(expiresAt) })
    : t('recovery.sheetFacts', facts);
}
