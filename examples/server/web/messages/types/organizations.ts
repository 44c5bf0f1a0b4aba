// Written by `npm run messages`.
export type OrganizationsMessages = Record<never, never>;
