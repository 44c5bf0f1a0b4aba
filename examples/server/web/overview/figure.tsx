import { ArrowDown, ArrowUp } from 'lucide-static';
import type { ComponentChildren } from 'preact';
import { Icon } from '../icons/icon.tsx';
import { t } from '../messages/t.tsx';

interface FigureProps {
  name: string;
  value: string;
  /** A smaller text after the value, such as "of 148". */
  of?: string;
  /** The link of the whole figure. */
  href?: string;
  /** One line below the value. */
  children?: ComponentChildren;
}

/** A number with its name. */
export const Figure = ({ name, value, of, href, children }: FigureProps) => (
  <div class="figure">
    <dt class="figure__name">{href ? <a href={href}>{name}</a> : name}</dt>
    <dd class="figure__value">
      {value}
      {of && <span class="figure__of"> {of}</span>}
    </dd>
    {children && <dd class="figure__detail">{children}</dd>}
  </div>
);

interface ChangeProps {
  now: number;
  before: number;
  /** Whether an increase is bad, such as an increase in refused sign-ins. */
  isBadIfUp?: boolean;
  /** `percent`: in relation to `before`. `count`: the difference. */
  unit: 'percent' | 'count';
}

/** Whether the change can be shown. An increase from zero has no percentage. */
export const isComparable = ({ now, before, unit }: ChangeProps): boolean =>
  unit === 'count' || before > 0 || now === before;

/** The change since the previous period, with an arrow. The text says the same as the arrow and the color. */
export function Change({ now, before, isBadIfUp = false, unit }: ChangeProps) {
  const difference = now - before;
  if (difference === 0) return <span class="change">{t('overview.unchanged')}</span>;
  if (!isComparable({ now, before, unit })) return <span class="change">{t('overview.noneBefore')}</span>;
  const isUp = difference > 0;
  const tone = isBadIfUp ? (isUp ? ' change--bad' : ' change--good') : isUp ? ' change--good' : '';
  const size = Math.abs(difference);
  return (
    <span class={`change${tone}`}>
      <Icon of={isUp ? ArrowUp : ArrowDown} inline />
      <span class="visually-hidden">{t(isUp ? 'overview.up' : 'overview.down')} </span>
      {unit === 'percent'
        ? t('overview.share', { share: size / before })
        : t('overview.number', { count: size })}
    </span>
  );
}
