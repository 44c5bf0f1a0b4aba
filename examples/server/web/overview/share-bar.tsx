import { t } from '../messages/t.tsx';
import { shareOf } from './shares.ts';

interface Part {
  name: string;
  count: number;
  tone: 'green' | 'pale' | 'brass' | 'gray';
}

const gap = 0.6;

/** Parts of a whole: a bar, and the same numbers in a table. The bar omits empty parts. */
export function ShareBar({ label, parts }: { label: string; parts: readonly Part[] }) {
  const total = parts.reduce((sum, { count }) => sum + count, 0);
  const drawn = parts.filter(({ count }) => count > 0);
  const room = 100 - gap * (drawn.length - 1);
  let x = 0;
  return (
    <>
      <svg class="share-bar" viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true">
        {total === 0 && <rect class="share--gray" width="100" height="1" />}
        {drawn.map(({ name, count, tone }) => {
          const width = shareOf(count, total) * room;
          const start = x;
          x += width + gap;
          return <rect key={name} class={`share--${tone}`} x={start} width={width} height="1" />;
        })}
      </svg>
      <table class="shares">
        <caption class="visually-hidden">{label}</caption>
        <tbody>
          {parts.map(({ name, count, tone }) => (
            <tr key={name}>
              <th scope="row">
                <span class={`shares__key share--${tone}`} />
                {name}
              </th>
              <td class="shares__count">{t('overview.number', { count })}</td>
              <td class="shares__share">{t('overview.share', { share: shareOf(count, total) })}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}
