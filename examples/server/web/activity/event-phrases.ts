import type { Key } from '../messages/text.ts';

/** The messages of an event. `done` describes a success, `tried` a refused attempt. */
type Phrases = readonly [done: Key, tried: Key];

/** The messages of each event. A test compiles only if every event of the service has messages. */
export const eventPhrases = {
  'account.signup': ['events.accountSignup', 'events.accountSignupTried'],
  'account.update': ['events.accountUpdate', 'events.accountUpdateTried'],
  'account.rename': ['events.accountRename', 'events.accountRenameTried'],
  'account.delete': ['events.accountDelete', 'events.accountDeleteTried'],
  'passkey.login': ['events.passkeyLogin', 'events.passkeyLoginTried'],
  'passkey.stepup': ['events.passkeyStepup', 'events.passkeyStepupTried'],
  'passkey.add': ['events.passkeyAdd', 'events.passkeyAddTried'],
  'passkey.rename': ['events.passkeyRename', 'events.passkeyRenameTried'],
  'passkey.remove': ['events.passkeyRemove', 'events.passkeyRemoveTried'],
  'passkey.clone_suspected': ['events.passkeyCloneSuspected', 'events.passkeyCloneSuspectedTried'],
  'password.add': ['events.passwordAdd', 'events.passwordAddTried'],
  'password.replace': ['events.passwordReplace', 'events.passwordReplaceTried'],
  'password.remove': ['events.passwordRemove', 'events.passwordRemoveTried'],
  'password.login': ['events.passwordLogin', 'events.passwordLoginTried'],
  'password.stepup': ['events.passwordStepup', 'events.passwordStepupTried'],
  'recovery_code.generate': ['events.recoveryCodeGenerate', 'events.recoveryCodeGenerateTried'],
  'recovery_code.use': ['events.recoveryCodeUse', 'events.recoveryCodeUseTried'],
  'recovery_code.revoke': ['events.recoveryCodeRevoke', 'events.recoveryCodeRevokeTried'],
  'recovery_link.create': ['events.recoveryLinkCreate', 'events.recoveryLinkCreateTried'],
  'recovery_link.use': ['events.recoveryLinkUse', 'events.recoveryLinkUseTried'],
  'recovery_link.cancel': ['events.recoveryLinkCancel', 'events.recoveryLinkCancelTried'],
  'recovery.complete': ['events.recoveryComplete', 'events.recoveryCompleteTried'],
  'session.logout': ['events.sessionLogout', 'events.sessionLogoutTried'],
  'session.revoke': ['events.sessionRevoke', 'events.sessionRevokeTried'],
  'session.revoke_others': ['events.sessionRevokeOthers', 'events.sessionRevokeOthersTried'],
  'session.end_oldest': ['events.sessionEndOldest', 'events.sessionEndOldestTried'],
  'impersonation.create_link': ['events.impersonationCreateLink', 'events.impersonationCreateLinkTried'],
  'impersonation.start': ['events.impersonationStart', 'events.impersonationStartTried'],
  'impersonation.end': ['events.impersonationEnd', 'events.impersonationEndTried'],
  'superadmin.bootstrap': ['events.superadminBootstrap', 'events.superadminBootstrapTried'],
  'invitation.list': ['events.invitationList', 'events.invitationListTried'],
  'invitation.create': ['events.invitationCreate', 'events.invitationCreateTried'],
  'invitation.accept': ['events.invitationAccept', 'events.invitationAcceptTried'],
  'invitation.revoke': ['events.invitationRevoke', 'events.invitationRevokeTried'],
  'user.list': ['events.userList', 'events.userListTried'],
  'user.get': ['events.userGet', 'events.userGetTried'],
  'user.create': ['events.userCreate', 'events.userCreateTried'],
  'user.import': ['events.userImport', 'events.userImportTried'],
  'user.update': ['events.userUpdate', 'events.userUpdateTried'],
  'user.rename': ['events.userRename', 'events.userRenameTried'],
  'user.change_role': ['events.userChangeRole', 'events.userChangeRoleTried'],
  'user.disable': ['events.userDisable', 'events.userDisableTried'],
  'user.enable': ['events.userEnable', 'events.userEnableTried'],
  'user.delete': ['events.userDelete', 'events.userDeleteTried'],
  'user.release_username': ['events.userReleaseUsername', 'events.userReleaseUsernameTried'],
  'user.erase': ['events.userErase', 'events.userEraseTried'],
  'user.export': ['events.userExport', 'events.userExportTried'],
  'user.end_sessions': ['events.userEndSessions', 'events.userEndSessionsTried'],
  'organization.create': ['events.organizationCreate', 'events.organizationCreateTried'],
  'organization.update': ['events.organizationUpdate', 'events.organizationUpdateTried'],
  'organization.delete': ['events.organizationDelete', 'events.organizationDeleteTried'],
  'organization_invitation.create': [
    'events.organizationInvitationCreate',
    'events.organizationInvitationCreateTried',
  ],
  'organization_invitation.accept': [
    'events.organizationInvitationAccept',
    'events.organizationInvitationAcceptTried',
  ],
  'organization_invitation.decline': [
    'events.organizationInvitationDecline',
    'events.organizationInvitationDeclineTried',
  ],
  'organization_invitation.revoke': [
    'events.organizationInvitationRevoke',
    'events.organizationInvitationRevokeTried',
  ],
  'member.add': ['events.memberAdd', 'events.memberAddTried'],
  'member.change_role': ['events.memberChangeRole', 'events.memberChangeRoleTried'],
  'member.remove': ['events.memberRemove', 'events.memberRemoveTried'],
  'member.leave': ['events.memberLeave', 'events.memberLeaveTried'],
  'overview.get': ['events.overviewGet', 'events.overviewGetTried'],
  'audit.list': ['events.auditList', 'events.auditListTried'],
  'audit.export': ['events.auditExport', 'events.auditExportTried'],
  'audit.prune': ['events.auditPrune', 'events.auditPruneTried'],
  'audit.change_minimum': ['events.auditChangeMinimum', 'events.auditChangeMinimumTried'],
  'audit.new_log': ['events.auditNewLog', 'events.auditNewLogTried'],
} as const satisfies Record<string, Phrases>;

/** The messages of an event that these pages do not know, because the service is newer. */
const unknownEvent: Phrases = ['events.otherEvent', 'events.otherEventTried'];

export const phrasesOf = (event: string): Phrases =>
  Object.hasOwn(eventPhrases, event) ? eventPhrases[event as keyof typeof eventPhrases] : unknownEvent;
