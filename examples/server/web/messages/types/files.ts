// Written by `npm run messages`.
export type FilesMessages = Record<never, never>;
