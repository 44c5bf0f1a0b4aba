import type { AuditEvent } from 'latchkey/client';
import {
  Ban,
  Building2,
  ChartColumn,
  Crown,
  LifeBuoy,
  Link2,
  LogOut,
  Mail,
  RectangleEllipsis,
  ScrollText,
  Ticket,
  TriangleAlert,
  UserRound,
  UserRoundCog,
  UserRoundKey,
  Users,
  VenetianMask,
} from 'lucide-static';

type Described = Pick<AuditEvent, 'event' | 'outcome'>;

/** The icon for each kind of event: the part of the name before the dot. */
const icons: Record<string, string> = {
  account: UserRound,
  passkey: UserRoundKey,
  password: RectangleEllipsis,
  recovery_code: Ticket,
  recovery_link: Link2,
  recovery: LifeBuoy,
  session: LogOut,
  impersonation: VenetianMask,
  superadmin: Crown,
  invitation: Mail,
  user: UserRoundCog,
  organization: Building2,
  organization_invitation: Mail,
  member: Users,
  overview: ChartColumn,
  audit: ScrollText,
};

const kindOf = (event: string): string => event.split('.')[0] ?? '';

export function iconOf({ event, outcome }: Described): string {
  if (outcome === 'failure') return Ban;
  if (event === 'passkey.clone_suspected') return TriangleAlert;
  return icons[kindOf(event)] ?? ScrollText;
}

/**
 * Green: sign-ins and sign-ups. Brass: recovery, impersonation and the first superadmin. Blue: users, invitations,
 * organizations and members. Red: refusals and copied passkeys.
 */
export type Tone = 'green' | 'brass' | 'blue' | 'red' | 'plain';

const signIns = new Set(['passkey.login', 'password.login', 'account.signup']);
const tones: Record<string, Tone> = {
  recovery_code: 'brass',
  recovery_link: 'brass',
  recovery: 'brass',
  impersonation: 'brass',
  superadmin: 'brass',
  invitation: 'blue',
  user: 'blue',
  organization: 'blue',
  organization_invitation: 'blue',
  member: 'blue',
};

export function toneOf({ event, outcome }: Described): Tone {
  if (outcome === 'failure' || event === 'passkey.clone_suspected') return 'red';
  return signIns.has(event) ? 'green' : (tones[kindOf(event)] ?? 'plain');
}
