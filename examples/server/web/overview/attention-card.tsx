import type { Account, ServiceOverview } from 'latchkey/client';
import { ShieldCheck } from 'lucide-static';
import { has, mayOpenInvitations } from '../capabilities.ts';
import { Icon } from '../icons/icon.tsx';
import { T, t } from '../messages/t.tsx';
import { Badge } from '../ui/badge.tsx';
import { CardSection } from '../ui/card.tsx';
import { hidden } from '../ui/hidden.tsx';
import { type AttentionRow, attentionRows, openRows } from './attention.ts';

/** What needs attention, each with a link to the page where an administrator can act. */
export function AttentionCard({ overview, user }: { overview: ServiceOverview; user: Account }) {
  const urgent = attentionRows(overview, user.role);
  const canOpen = ({ href }: AttentionRow) =>
    href.startsWith('/admin/users') ? has(user.role, 'user:read') : mayOpenInvitations(user.role);
  return (
    <CardSection
      title={t('overview.attention')}
      action={urgent.length > 0 && <Badge tone="warning">{urgent.length}</Badge>}
    >
      <ul>
        {urgent.length === 0 && <NothingUrgent />}
        {[...urgent, ...openRows(overview)].map((row) => (
          <Row key={row.key} row={row} canOpen={canOpen(row)} />
        ))}
      </ul>
    </CardSection>
  );
}

const Row = ({
  row: { tone, icon, title, body, href },
  canOpen,
}: {
  row: AttentionRow;
  canOpen: boolean;
}) => (
  <li class="row attention">
    <span class={`row__icon tile--${tone}`}>
      <Icon of={icon} />
    </span>
    <div class="row__text">
      <p class="row__title">{title}</p>
      <p class="row__meta">{body}</p>
    </div>
    {canOpen && (
      <a class="button button--secondary button--small" href={href}>
        <T id="overview.viewMore" values={{ what: title, hidden }} />
      </a>
    )}
  </li>
);

const NothingUrgent = () => (
  <li class="row">
    <span class="row__icon tile--green">
      <Icon of={ShieldCheck} />
    </span>
    <div class="row__text">
      <p class="row__title">{t('overview.attentionNone')}</p>
      <p class="row__meta">{t('overview.attentionNoneBody')}</p>
    </div>
  </li>
);
