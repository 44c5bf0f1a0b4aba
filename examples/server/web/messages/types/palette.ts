// Written by `npm run messages`.
export type PaletteMessages = Record<never, never>;
