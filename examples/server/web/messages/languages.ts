/** The languages of the pages. Each name is written in its own language. */
export const languages = [
  { code: 'en', name: 'English', direction: 'ltr' },
  { code: 'de', name: 'Deutsch', direction: 'ltr' },
] as const satisfies readonly { code: string; name: string; direction: 'ltr' | 'rtl' }[];

export type Language = (typeof languages)[number]['code'];
