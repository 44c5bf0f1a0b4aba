import { type PlainKey, t } from './messages/text.ts';

/** What went wrong and what to do next. */
export interface Explanation {
  tone: 'info' | 'warning' | 'danger';
  title: string;
  body: string;
}

/** An explanation from the catalogue. Reads the messages when they are shown, so that it can be a constant. */
export const explanation = (tone: Explanation['tone'], title: PlainKey, body: PlainKey): Explanation => ({
  tone,
  get title() {
    return t(title);
  },
  get body() {
    return t(body);
  },
});

export const broken = explanation('danger', 'errors.brokenTitle', 'errors.waitThenTry');

/** Explanations of reasons and codes that need more words than the error's own title and next step. */
export const explanations: Record<string, Explanation> = {
  invalid_response: broken,
  webauthn_unsupported: explanation('warning', 'errors.unsupportedTitle', 'errors.unsupportedBody'),
  ceremony_canceled: explanation('info', 'errors.canceledTitle', 'errors.canceledBody'),
  authentication_failed: explanation('danger', 'errors.failedTitle', 'errors.failedBody'),
  unknown_credential: explanation('warning', 'errors.unknownPasskeyTitle', 'errors.unknownPasskeyBody'),
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
