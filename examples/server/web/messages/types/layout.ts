// Written by `npm run messages`.
export interface LayoutMessages {
  'layout.theme': null;
  'layout.themeLight': null;
  'layout.themeDark': null;
  'layout.themeSystem': null;
  'layout.yourActivity': null;
}
