/** The features that the configuration can switch off. */
export interface Features {
  organizations: boolean;
  impersonation: boolean;
  /** Invitations to become an admin. */
  adminInvitations: boolean;
  /** Invitations to sign up. */
  userInvitations: boolean;
  /** Any invitations to the service. */
  invitations: boolean;
  webhooks: boolean;
}

export type Feature = keyof Features;

export const allFeatures: Features = {
  organizations: true,
  impersonation: true,
  adminInvitations: true,
  userInvitations: true,
  invitations: true,
  webhooks: true,
};

/** The settings that decide the features, as in `auth.config`. */
interface FeatureSettings {
  readonly organizations: object | null;
  readonly impersonation: boolean;
  readonly adminInvitations: boolean;
  readonly signUpMode: string;
  readonly webhooks: object | null;
}

export function featuresOf({
  organizations,
  impersonation,
  adminInvitations,
  signUpMode,
  webhooks,
}: FeatureSettings) {
  const userInvitations = signUpMode !== 'closed';
  return {
    organizations: organizations !== null,
    impersonation,
    adminInvitations,
    userInvitations,
    invitations: adminInvitations || userInvitations,
    webhooks: webhooks !== null,
  } satisfies Features;
}
