import type { Role, ServiceOverview } from 'latchkey/client';
import { Ban, CircleAlert, Crown, KeyRound, Mail, ShieldAlert, Ticket, UserRoundKey } from 'lucide-static';
import { t } from '../messages/t.tsx';

/** A row of "Needs attention". */
export interface AttentionRow {
  key: string;
  /** Red: users cannot sign in, or admins have only a password. Brass: a risk. Plain: not urgent. */
  tone: 'red' | 'brass' | 'plain';
  icon: string;
  title: string;
  body: string;
  /** A page that shows the users or the invitations. */
  href: string;
}

type Kind = ServiceOverview['attention'][number]['kind'];

const rows: Record<Kind, (count: number, me: Role) => Omit<AttentionRow, 'key'>> = {
  only_superadmin: (_count, me) => ({
    tone: 'brass',
    icon: Crown,
    title: t(me === 'superadmin' ? 'overview.onlySuperadminYou' : 'overview.onlySuperadmin'),
    body: t('overview.onlySuperadminBody'),
    href: '/admin/users',
  }),
  superadmins_with_fewer_than_two_passkeys: (count) => ({
    tone: 'brass',
    icon: UserRoundKey,
    title: t('overview.superadminsFewPasskeys', { count }),
    body: t('overview.superadminsFewPasskeysBody'),
    href: '/admin/users?role=superadmin',
  }),
  superadmins_without_recovery_codes: (count) => ({
    tone: 'brass',
    icon: Ticket,
    title: t('overview.superadminsNoCodes', { count }),
    body: t('overview.superadminsNoCodesBody'),
    href: '/admin/users?role=superadmin',
  }),
  admins_without_passkey: (count) => ({
    tone: 'red',
    icon: ShieldAlert,
    title: t('overview.adminsNoPasskey', { count }),
    body: t('overview.adminsNoPasskeyBody'),
    href: '/admin/users?role=admin&passkey=no',
  }),
  users_without_way_in: (count) => ({
    tone: 'red',
    icon: CircleAlert,
    title: t('overview.usersNoWayIn', { count }),
    body: t('overview.usersNoWayInBody'),
    href: '/admin/users?status=active&passkey=no',
  }),
  users_without_passkey: (count) => ({
    tone: 'brass',
    icon: KeyRound,
    title: t('overview.usersNoPasskey', { count }),
    body: t('overview.usersNoPasskeyBody'),
    href: '/admin/users?status=active&passkey=no',
  }),
};

/** What needs the attention of an administrator. A newer service can send other kinds, which are omitted. */
export const attentionRows = ({ attention }: ServiceOverview, me: Role): AttentionRow[] =>
  attention.flatMap(({ kind, count }) => {
    const row = rows[kind]?.(count, me);
    return row ? [{ key: kind, ...row }] : [];
  });

/** What is good to know and not urgent: pending invitations and disabled users. */
export function openRows({ pendingInvitations, users }: ServiceOverview): AttentionRow[] {
  const { admin, user } = pendingInvitations;
  const invitations: AttentionRow = {
    key: 'invitations',
    tone: 'plain',
    icon: Mail,
    title: t('overview.invitationsPending', { count: admin + user }),
    body: t('overview.invitationsPendingBody', { admin, user }),
    href: '/admin/invitations?status=pending',
  };
  const disabled: AttentionRow = {
    key: 'disabled',
    tone: 'plain',
    icon: Ban,
    title: t('overview.usersDisabled', { count: users.disabled }),
    body: t('overview.usersDisabledBody'),
    href: '/admin/users?status=disabled',
  };
  return [...(admin + user > 0 ? [invitations] : []), ...(users.disabled > 0 ? [disabled] : [])];
}
