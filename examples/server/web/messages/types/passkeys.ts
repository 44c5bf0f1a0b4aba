// Written by `npm run messages`.
export interface PasskeysMessages {
  'passkeys.title': null;
  'passkeys.lead': null;
  'passkeys.loading': null;
  'passkeys.noneTitle': null;
  'passkeys.noneBody': null;
  'passkeys.added': null;
  'passkeys.renamed': { name: 'text' };
  'passkeys.removed': { name: 'text' };
  'passkeys.removeTitle': null;
  'passkeys.removeConfirm': null;
  'passkeys.removeBlocks': { name: 'text' };
  'passkeys.removeEnds': null;
  'passkeys.removeStays': { place: 'text' };
  'passkeys.yourDevice': null;
  'passkeys.removePasswordLeft': null;
  'passkeys.notRemovedTitle': null;
  'passkeys.notRemovedBody': null;
  'passkeys.onlyOneTitle': null;
  'passkeys.onlyOneBody': { name: 'text' };
}
