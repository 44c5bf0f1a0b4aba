// Written by `npm run messages`.
export interface FilesMessages {
  'files.title': null;
  'files.lead': null;
  'files.loading': null;
  'files.saved': { name: 'text' };
  'files.deleted': { name: 'text' };
  'files.personal': null;
  'files.shared': null;
  'files.create': null;
  'files.createIn': { hidden: 'tag'; name: 'text' };
  'files.empty': null;
  'files.emptyBody': null;
  'files.emptyShared': null;
  'files.columnName': null;
  'files.columnOwner': null;
  'files.columnChanged': null;
  'files.file': null;
  'files.loadingFile': null;
  'files.readOnly': { owner: 'text'; when: 'text' };
  'files.emptyFile': null;
  'files.deleteTitle': { name: 'text' };
  'files.deleteFile': null;
  'files.deleteShared': { organization: 'text' };
  'files.deletePersonal': null;
  'files.delete': null;
  'files.newTitle': null;
  'files.newTitleIn': { name: 'text' };
  'files.name': null;
  'files.enterName': null;
  'files.text': null;
  'files.tooLong': null;
  'files.overview': null;
  'files.count': { count: 'number' };
}
