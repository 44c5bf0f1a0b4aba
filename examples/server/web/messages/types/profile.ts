// Written by `npm run messages`.
export interface ProfileMessages {
  'profile.title': null;
  'profile.lead': null;
  'profile.nameTitle': null;
  'profile.nameLead': null;
  'profile.preview': null;
  'profile.displayName': null;
  'profile.saved': null;
  'profile.unsaved': null;
  'profile.accountTitle': null;
  'profile.accountLead': null;
  'profile.usernameHint': null;
  'profile.createdOn': { when: 'text' };
}
