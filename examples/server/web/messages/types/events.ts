// Written by `npm run messages`.
export interface EventsMessages {
  'events.accountSignup': { actorForm: 'choice'; actor: 'text' };
  'events.accountSignupTried': { actorForm: 'choice'; actor: 'text' };
  'events.accountUpdate': { actorForm: 'choice'; actor: 'text' };
  'events.accountUpdateTried': { actorForm: 'choice'; actor: 'text' };
  'events.accountRename': { actorForm: 'choice'; actor: 'text' };
  'events.accountRenameTried': { actorForm: 'choice'; actor: 'text' };
  'events.accountDelete': { actorForm: 'choice'; actor: 'text' };
  'events.accountDeleteTried': { actorForm: 'choice'; actor: 'text' };
  'events.passkeyLogin': { actorForm: 'choice'; actor: 'text' };
  'events.passkeyLoginTried': { actorForm: 'choice'; actor: 'text'; targetForm: 'choice'; target: 'text' };
  'events.passkeyStepup': { actorForm: 'choice'; actor: 'text' };
  'events.passkeyStepupTried': { actorForm: 'choice'; actor: 'text' };
  'events.passkeyAdd': { actorForm: 'choice'; actor: 'text'; targetForm: 'choice'; target: 'text' };
  'events.passkeyAddTried': { actorForm: 'choice'; actor: 'text' };
  'events.passkeyRename': { actorForm: 'choice'; actor: 'text'; targetForm: 'choice'; target: 'text' };
  'events.passkeyRenameTried': { actorForm: 'choice'; actor: 'text' };
  'events.passkeyRemove': { actorForm: 'choice'; actor: 'text'; targetForm: 'choice'; target: 'text' };
  'events.passkeyRemoveTried': { actorForm: 'choice'; actor: 'text'; targetForm: 'choice'; target: 'text' };
  'events.passkeyCloneSuspected': { actorForm: 'choice'; actor: 'text' };
  'events.passkeyCloneSuspectedTried': { actorForm: 'choice'; actor: 'text' };
  'events.passwordAdd': { actorForm: 'choice'; actor: 'text' };
  'events.passwordAddTried': { actorForm: 'choice'; actor: 'text' };
  'events.passwordReplace': { actorForm: 'choice'; actor: 'text' };
  'events.passwordReplaceTried': { actorForm: 'choice'; actor: 'text' };
  'events.passwordRemove': { actorForm: 'choice'; actor: 'text' };
  'events.passwordRemoveTried': { actorForm: 'choice'; actor: 'text' };
  'events.passwordLogin': { actorForm: 'choice'; actor: 'text' };
  'events.passwordLoginTried': { actorForm: 'choice'; actor: 'text'; targetForm: 'choice'; target: 'text' };
  'events.passwordStepup': { actorForm: 'choice'; actor: 'text' };
  'events.passwordStepupTried': { actorForm: 'choice'; actor: 'text' };
  'events.recoveryCodeGenerate': { actorForm: 'choice'; actor: 'text' };
  'events.recoveryCodeGenerateTried': { actorForm: 'choice'; actor: 'text' };
  'events.recoveryCodeUse': { actorForm: 'choice'; actor: 'text' };
  'events.recoveryCodeUseTried': { actorForm: 'choice'; actor: 'text'; targetForm: 'choice'; target: 'text' };
  'events.recoveryCodeRevoke': { actorForm: 'choice'; actor: 'text' };
  'events.recoveryCodeRevokeTried': { actorForm: 'choice'; actor: 'text' };
  'events.recoveryLinkCreate': { actorForm: 'choice'; actor: 'text'; targetForm: 'choice'; target: 'text' };
  'events.recoveryLinkCreateTried': {
    actorForm: 'choice';
    actor: 'text';
    targetForm: 'choice';
    target: 'text';
  };
  'events.recoveryLinkUse': { actorForm: 'choice'; actor: 'text' };
  'events.recoveryLinkUseTried': { actorForm: 'choice'; actor: 'text'; targetForm: 'choice'; target: 'text' };
  'events.recoveryLinkCancel': { actorForm: 'choice'; actor: 'text'; targetForm: 'choice'; target: 'text' };
  'events.recoveryLinkCancelTried': {
    actorForm: 'choice';
    actor: 'text';
    targetForm: 'choice';
    target: 'text';
  };
  'events.recoveryComplete': { actorForm: 'choice'; actor: 'text' };
  'events.recoveryCompleteTried': { actorForm: 'choice'; actor: 'text' };
  'events.sessionLogout': { actorForm: 'choice'; actor: 'text' };
  'events.sessionLogoutTried': { actorForm: 'choice'; actor: 'text' };
  'events.sessionRevoke': { actorForm: 'choice'; actor: 'text' };
  'events.sessionRevokeTried': { actorForm: 'choice'; actor: 'text' };
  'events.sessionRevokeOthers': { actorForm: 'choice'; actor: 'text' };
  'events.sessionRevokeOthersTried': { actorForm: 'choice'; actor: 'text' };
  'events.sessionEndOldest': { actorForm: 'choice'; actor: 'text' };
  'events.sessionEndOldestTried': { actorForm: 'choice'; actor: 'text' };
  'events.impersonationCreateLink': {
    actorForm: 'choice';
    actor: 'text';
    targetForm: 'choice';
    target: 'text';
  };
  'events.impersonationCreateLinkTried': {
    actorForm: 'choice';
    actor: 'text';
    targetForm: 'choice';
    target: 'text';
  };
  'events.impersonationStart': { actorForm: 'choice'; actor: 'text'; targetForm: 'choice'; target: 'text' };
  'events.impersonationStartTried': {
    actorForm: 'choice';
    actor: 'text';
    targetForm: 'choice';
    target: 'text';
  };
  'events.impersonationEnd': { actorForm: 'choice'; actor: 'text' };
  'events.impersonationEndTried': { actorForm: 'choice'; actor: 'text' };
  'events.superadminBootstrap': { actorForm: 'choice'; actor: 'text'; targetForm: 'choice'; target: 'text' };
  'events.superadminBootstrapTried': {
    actorForm: 'choice';
    actor: 'text';
    targetForm: 'choice';
    target: 'text';
  };
  'events.invitationList': { actorForm: 'choice'; actor: 'text' };
  'events.invitationListTried': { actorForm: 'choice'; actor: 'text' };
  'events.invitationCreate': {
    actorForm: 'choice';
    actor: 'text';
    targetForm: 'choice';
    target: 'text';
    role: 'choice';
  };
  'events.invitationCreateTried': {
    actorForm: 'choice';
    actor: 'text';
    targetForm: 'choice';
    target: 'text';
  };
  'events.invitationAccept': { actorForm: 'choice'; actor: 'text'; role: 'choice' };
  'events.invitationAcceptTried': { actorForm: 'choice'; actor: 'text' };
  'events.invitationRevoke': { actorForm: 'choice'; actor: 'text'; targetForm: 'choice'; target: 'text' };
  'events.invitationRevokeTried': {
    actorForm: 'choice';
    actor: 'text';
    targetForm: 'choice';
    target: 'text';
  };
  'events.userList': { actorForm: 'choice'; actor: 'text' };
  'events.userListTried': { actorForm: 'choice'; actor: 'text' };
  'events.userGet': { actorForm: 'choice'; actor: 'text'; targetForm: 'choice'; target: 'text' };
  'events.userGetTried': { actorForm: 'choice'; actor: 'text'; targetForm: 'choice'; target: 'text' };
  'events.userCreate': { actorForm: 'choice'; actor: 'text'; targetForm: 'choice'; target: 'text' };
  'events.userCreateTried': { actorForm: 'choice'; actor: 'text'; targetForm: 'choice'; target: 'text' };
  'events.userImport': { actorForm: 'choice'; actor: 'text'; targetForm: 'choice'; target: 'text' };
  'events.userImportTried': { actorForm: 'choice'; actor: 'text'; targetForm: 'choice'; target: 'text' };
  'events.userUpdate': { actorForm: 'choice'; actor: 'text'; targetForm: 'choice'; target: 'text' };
  'events.userUpdateTried': { actorForm: 'choice'; actor: 'text'; targetForm: 'choice'; target: 'text' };
  'events.userRename': { actorForm: 'choice'; actor: 'text'; targetForm: 'choice'; target: 'text' };
  'events.userRenameTried': { actorForm: 'choice'; actor: 'text'; targetForm: 'choice'; target: 'text' };
  'events.userChangeRole': {
    actorForm: 'choice';
    actor: 'text';
    targetForm: 'choice';
    target: 'text';
    role: 'choice';
  };
  'events.userChangeRoleTried': { actorForm: 'choice'; actor: 'text'; targetForm: 'choice'; target: 'text' };
  'events.userDisable': { actorForm: 'choice'; actor: 'text'; targetForm: 'choice'; target: 'text' };
  'events.userDisableTried': { actorForm: 'choice'; actor: 'text'; targetForm: 'choice'; target: 'text' };
  'events.userEnable': { actorForm: 'choice'; actor: 'text'; targetForm: 'choice'; target: 'text' };
  'events.userEnableTried': { actorForm: 'choice'; actor: 'text'; targetForm: 'choice'; target: 'text' };
  'events.userDelete': { actorForm: 'choice'; actor: 'text'; targetForm: 'choice'; target: 'text' };
  'events.userDeleteTried': { actorForm: 'choice'; actor: 'text'; targetForm: 'choice'; target: 'text' };
  'events.userReleaseUsername': { actorForm: 'choice'; actor: 'text'; targetForm: 'choice'; target: 'text' };
  'events.userReleaseUsernameTried': {
    actorForm: 'choice';
    actor: 'text';
    targetForm: 'choice';
    target: 'text';
  };
  'events.userErase': { actorForm: 'choice'; actor: 'text'; targetForm: 'choice'; target: 'text' };
  'events.userEraseTried': { actorForm: 'choice'; actor: 'text'; targetForm: 'choice'; target: 'text' };
  'events.userExport': { actorForm: 'choice'; actor: 'text'; targetForm: 'choice'; target: 'text' };
  'events.userExportTried': { actorForm: 'choice'; actor: 'text'; targetForm: 'choice'; target: 'text' };
  'events.userEndSessions': { actorForm: 'choice'; actor: 'text'; targetForm: 'choice'; target: 'text' };
  'events.userEndSessionsTried': { actorForm: 'choice'; actor: 'text'; targetForm: 'choice'; target: 'text' };
  'events.userEndSession': { actorForm: 'choice'; actor: 'text'; targetForm: 'choice'; target: 'text' };
  'events.userEndSessionTried': { actorForm: 'choice'; actor: 'text'; targetForm: 'choice'; target: 'text' };
  'events.organizationCreate': { actorForm: 'choice'; actor: 'text'; targetForm: 'choice'; target: 'text' };
  'events.organizationCreateTried': {
    actorForm: 'choice';
    actor: 'text';
    targetForm: 'choice';
    target: 'text';
  };
  'events.organizationUpdate': { actorForm: 'choice'; actor: 'text'; targetForm: 'choice'; target: 'text' };
  'events.organizationUpdateTried': {
    actorForm: 'choice';
    actor: 'text';
    targetForm: 'choice';
    target: 'text';
  };
  'events.organizationDelete': { actorForm: 'choice'; actor: 'text'; targetForm: 'choice'; target: 'text' };
  'events.organizationDeleteTried': {
    actorForm: 'choice';
    actor: 'text';
    targetForm: 'choice';
    target: 'text';
  };
  'events.organizationInvitationCreate': {
    actorForm: 'choice';
    actor: 'text';
    targetForm: 'choice';
    target: 'text';
    place: 'choice';
    organization: 'text';
  };
  'events.organizationInvitationCreateTried': {
    actorForm: 'choice';
    actor: 'text';
    targetForm: 'choice';
    target: 'text';
    place: 'choice';
    organization: 'text';
  };
  'events.organizationInvitationAccept': {
    actorForm: 'choice';
    actor: 'text';
    place: 'choice';
    organization: 'text';
  };
  'events.organizationInvitationAcceptTried': {
    actorForm: 'choice';
    actor: 'text';
    place: 'choice';
    organization: 'text';
  };
  'events.organizationInvitationDecline': {
    actorForm: 'choice';
    actor: 'text';
    place: 'choice';
    organization: 'text';
  };
  'events.organizationInvitationDeclineTried': {
    actorForm: 'choice';
    actor: 'text';
    place: 'choice';
    organization: 'text';
  };
  'events.organizationInvitationRevoke': {
    actorForm: 'choice';
    actor: 'text';
    targetForm: 'choice';
    target: 'text';
    place: 'choice';
    organization: 'text';
  };
  'events.organizationInvitationRevokeTried': {
    actorForm: 'choice';
    actor: 'text';
    place: 'choice';
    organization: 'text';
  };
  'events.memberAdd': {
    actorForm: 'choice';
    actor: 'text';
    targetForm: 'choice';
    target: 'text';
    place: 'choice';
    organization: 'text';
  };
  'events.memberAddTried': {
    actorForm: 'choice';
    actor: 'text';
    targetForm: 'choice';
    target: 'text';
    place: 'choice';
    organization: 'text';
  };
  'events.memberChangeRole': {
    actorForm: 'choice';
    actor: 'text';
    targetForm: 'choice';
    target: 'text';
    place: 'choice';
    organization: 'text';
    role: 'choice';
  };
  'events.memberChangeRoleTried': {
    actorForm: 'choice';
    actor: 'text';
    targetForm: 'choice';
    target: 'text';
    place: 'choice';
    organization: 'text';
  };
  'events.memberRemove': {
    actorForm: 'choice';
    actor: 'text';
    targetForm: 'choice';
    target: 'text';
    place: 'choice';
    organization: 'text';
  };
  'events.memberRemoveTried': {
    actorForm: 'choice';
    actor: 'text';
    targetForm: 'choice';
    target: 'text';
    place: 'choice';
    organization: 'text';
  };
  'events.memberLeave': { actorForm: 'choice'; actor: 'text'; place: 'choice'; organization: 'text' };
  'events.memberLeaveTried': { actorForm: 'choice'; actor: 'text'; place: 'choice'; organization: 'text' };
  'events.webhookList': { actorForm: 'choice'; actor: 'text' };
  'events.webhookListTried': { actorForm: 'choice'; actor: 'text' };
  'events.webhookCreate': { actorForm: 'choice'; actor: 'text'; targetForm: 'choice'; target: 'text' };
  'events.webhookCreateTried': { actorForm: 'choice'; actor: 'text'; targetForm: 'choice'; target: 'text' };
  'events.webhookUpdate': { actorForm: 'choice'; actor: 'text'; targetForm: 'choice'; target: 'text' };
  'events.webhookUpdateTried': { actorForm: 'choice'; actor: 'text'; targetForm: 'choice'; target: 'text' };
  'events.webhookRotateSecret': { actorForm: 'choice'; actor: 'text'; targetForm: 'choice'; target: 'text' };
  'events.webhookRotateSecretTried': {
    actorForm: 'choice';
    actor: 'text';
    targetForm: 'choice';
    target: 'text';
  };
  'events.webhookPause': { actorForm: 'choice'; actor: 'text'; targetForm: 'choice'; target: 'text' };
  'events.webhookPauseTried': { actorForm: 'choice'; actor: 'text'; targetForm: 'choice'; target: 'text' };
  'events.webhookResume': { actorForm: 'choice'; actor: 'text'; targetForm: 'choice'; target: 'text' };
  'events.webhookResumeTried': { actorForm: 'choice'; actor: 'text'; targetForm: 'choice'; target: 'text' };
  'events.webhookTest': { actorForm: 'choice'; actor: 'text'; targetForm: 'choice'; target: 'text' };
  'events.webhookTestTried': { actorForm: 'choice'; actor: 'text'; targetForm: 'choice'; target: 'text' };
  'events.webhookDisable': { actorForm: 'choice'; actor: 'text'; targetForm: 'choice'; target: 'text' };
  'events.webhookDisableTried': { actorForm: 'choice'; actor: 'text'; targetForm: 'choice'; target: 'text' };
  'events.webhookDelete': { actorForm: 'choice'; actor: 'text'; targetForm: 'choice'; target: 'text' };
  'events.webhookDeleteTried': { actorForm: 'choice'; actor: 'text'; targetForm: 'choice'; target: 'text' };
  'events.overviewGet': { actorForm: 'choice'; actor: 'text' };
  'events.overviewGetTried': { actorForm: 'choice'; actor: 'text' };
  'events.auditList': { actorForm: 'choice'; actor: 'text' };
  'events.auditListTried': { actorForm: 'choice'; actor: 'text' };
  'events.auditExport': { actorForm: 'choice'; actor: 'text' };
  'events.auditExportTried': { actorForm: 'choice'; actor: 'text' };
  'events.auditPrune': { actorForm: 'choice'; actor: 'text' };
  'events.auditPruneTried': { actorForm: 'choice'; actor: 'text' };
  'events.auditChangeMinimum': { actorForm: 'choice'; actor: 'text' };
  'events.auditChangeMinimumTried': { actorForm: 'choice'; actor: 'text' };
  'events.auditNewLog': { actorForm: 'choice'; actor: 'text' };
  'events.auditNewLogTried': { actorForm: 'choice'; actor: 'text' };
  'events.otherEvent': { actorForm: 'choice'; actor: 'text'; event: 'text' };
  'events.otherEventTried': { actorForm: 'choice'; actor: 'text'; event: 'text' };
  'events.aDeletedUser': null;
  'events.anotherUser': null;
  'events.anOperator': null;
  'events.operator': { name: 'text' };
  'events.theService': null;
  'events.someone': null;
  'events.impersonated': { actor: 'text'; impersonator: 'text' };
  'events.asYou': { impersonator: 'text' };
}
