const ofUsr = 'usr (steps up|updates|renames|names|adds|removes|changes|generates|deletes|becomes|accepts).*';
const byLinkOrInvitationOfSam = 'kim completes the recovery|(ann|usr) becomes admin';
const byInvitationOfBob =
  'ann accepts|(ann|eve) joins by link|eve (joins by that link|accepts that invitation)';
const asAdminOfHere = 'bob (invites .*|creates .*|removes .*|demotes .*)';
const helpForUsr = 'adm (helps|updates|renames|ends (a session|sessions) of|creates a link for) usr';

/** After the first operation has succeeded, the second one must be refused. */
const rules: readonly (readonly [first: string, stopped: string])[] = [
  ['(sue|ops) (demotes|disables|deletes) sam', byLinkOrInvitationOfSam],
  ['(sue|ops) (demotes|disables|deletes) sam', 'kim uses that link'],
  ['sue (promotes|disables) kim', 'kim (completes the recovery|uses that link)'],
  ['kim leaves the recovery', 'kim completes the recovery'],
  ['sue (demotes|disables) adm', 'lea uses the link|joy signs up invited|usr uses that link'],
  ['(lea|ops) cancels the link( of lea)?', 'lea uses the link'],
  ['sue promotes usr|usr becomes admin|usr accepts that invitation', helpForUsr],
  ['sue promotes usr|usr becomes admin|usr accepts that invitation', 'usr uses that link'],
  ['adm removes usr|usr leaves', `${helpForUsr}|usr uses that link`],
  ['(sue|ops) (disables|deletes) usr', `${ofUsr}|usr (signs in|uses).*`],
  ['usr (signs out|ends a session)|ops ends (a session|sessions) of usr', ofUsr],
  ['usr (generates|revokes) codes', 'usr uses a (new )?code'],
  ['usr (removes|changes) password', 'usr signs in by password'],
  ['usr removes passkey', 'usr (signs in|steps up)'],
  ['(ann|usr) becomes admin', '(ann|usr) becomes admin|(sue|ops) revokes the admin invitation'],
  ['usr uses a code', 'usr uses a code'],
  ['lea uses the link', 'lea uses the link'],
  ['sue revokes the admin invitation|ops revokes the admin invitation', '(ann|usr) becomes admin'],
  ['adm demotes bob|ops demotes bob in here|adm removes bob|bob leaves', asAdminOfHere],
  ['adm demotes bob|ops demotes bob in here|adm removes bob|bob leaves', byInvitationOfBob],
  ['(sam|sue) (disables|deletes) bob|bob deletes the account', `${asAdminOfHere}|${byInvitationOfBob}`],
  ['(adm|ops) deletes here', `${byInvitationOfBob}|(bob|usr|adm) leaves|${asAdminOfHere}`],
  ['ops bootstraps( again| another)?', 'ops bootstraps.*'],
];

export const stops = rules.map(
  ([first, stopped]) => [new RegExp(`^(${first})$`), new RegExp(`^(${stopped})$`)] as const,
);

/**
 * Whether a successful operation must stop another one that begins later. The comparison with serial orders cannot show
 * this, because a serial order can have the same defect.
 */
export const mustStop = (first: string, second: string): boolean =>
  stops.some(([stopping, stopped]) => stopping.test(first) && stopped.test(second));
