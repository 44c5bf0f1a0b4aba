// Written by `npm run messages`.
export interface PaletteMessages {
  'palette.addPasskey': null;
  'palette.disabledUser': { username: 'text' };
  'palette.found': { count: 'number' };
  'palette.group': { group: 'choice' };
  'palette.helpKeywords': null;
  'palette.helpLockedOut': null;
  'palette.helpLockedOutBody': null;
  'palette.helpLost': null;
  'palette.helpLostBody': { link: 'tag' };
  'palette.helpSearch': null;
  'palette.helpSearchBody': { key: 'text' };
  'palette.helpUnknown': null;
  'palette.helpUnknownBody': { link: 'tag' };
  'palette.keys': { key: 'tag' };
  'palette.languageKeywords': null;
  'palette.none': { query: 'text' };
  'palette.passkeyAdded': null;
  'palette.personDetail': { username: 'text'; role: 'text' };
  'palette.placeholder': null;
  'palette.results': null;
  'palette.searching': null;
  'palette.themeKeywords': null;
  'palette.title': null;
  'palette.useLanguage': { language: 'text' };
  'palette.useTheme': { theme: 'choice' };
  'palette.usersFailed': null;
  'palette.working': null;
}
