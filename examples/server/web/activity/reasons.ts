import { type PlainKey, t } from '../messages/text.ts';

/** Why a request was refused, for the reasons that administrators often see. */
const reasons: Record<string, PlainKey> = {
  account_disabled: 'activity.reasonDisabled',
  user_disabled: 'activity.reasonDisabled',
  username_unknown: 'activity.reasonUsernameUnknown',
  no_password: 'activity.reasonNoPassword',
  password_wrong: 'activity.reasonPasswordWrong',
  credential_unknown: 'activity.reasonPasskeyUnknown',
  counter_not_increased: 'activity.reasonPasskeyCopied',
  user_not_verified: 'activity.reasonNotVerified',
  challenge_expired: 'activity.reasonExpired',
  challenge_spent: 'activity.reasonSpent',
  reauthentication_required: 'activity.reasonNotFresh',
  passkey_required: 'activity.reasonPasskeyRequired',
  role_too_low: 'activity.reasonRoleTooLow',
  session_ended: 'activity.reasonSessionEnded',
  code_unknown: 'activity.reasonCodeUnknown',
  code_used: 'activity.reasonCodeUsed',
  code_expired: 'activity.reasonCodeExpired',
  link_unknown_or_used: 'activity.reasonLinkUsed',
  link_expired: 'activity.reasonLinkExpired',
  last_superadmin: 'activity.reasonLastSuperadmin',
  last_credential: 'activity.reasonLastCredential',
  last_organization_admin: 'activity.reasonLastOrganizationAdmin',
};

/** The reason of a refused request in words. A reason without words is shown as it is in the audit log. */
export function reasonOf(reason: string): string {
  const key = Object.hasOwn(reasons, reason) ? reasons[reason] : undefined;
  return key ? t(key) : reason.replaceAll('_', ' ');
}
