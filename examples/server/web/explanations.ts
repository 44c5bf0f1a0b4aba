/** What went wrong and what to do next. */
export interface Explanation {
  tone: 'info' | 'warning' | 'danger';
  title: string;
  body: string;
}

export const broken: Explanation = {
  tone: 'danger',
  title: 'Something went wrong on the server',
  body: 'Wait a moment, then try again.',
};

/** Explanations of reasons and codes that need more words than the error's own title and next step. */
export const explanations: Record<string, Explanation> = {
  invalid_response: broken,
  webauthn_unsupported: {
    tone: 'warning',
    title: 'This browser doesn’t support passkeys',
    body: 'Use a current version of Chrome, Edge, Firefox or Safari. Browsers built into other apps often don’t support passkeys.',
  },
  ceremony_canceled: {
    tone: 'info',
    title: 'Nothing was changed',
    body: 'The passkey prompt was closed or timed out. Try again when you’re ready.',
  },
  authentication_failed: {
    tone: 'danger',
    title: 'That didn’t work',
    body: 'Try again, or use another passkey.',
  },
  unknown_credential: {
    tone: 'warning',
    title: 'That passkey no longer works here',
    body: 'The passkey was removed, or its account was deleted. Use another passkey, or sign in another way. If your device still offers this passkey, delete it there.',
  },
};

/** The tones of codes without an explanation above. If a code is not listed here either, its tone is `warning`. */
export const tones: Record<string, Explanation['tone']> = {
  network_error: 'danger',
  internal_error: 'danger',
  ceremony_failed: 'danger',
  registration_failed: 'danger',
  invitation_not_found: 'danger',
  already_a_member: 'info',
  already_invited: 'info',
  invitation_already_accepted: 'info',
  recovery_link_waiting: 'info',
  role_already_held: 'info',
};
