/** Codes of errors that happen in the browser. */
export type ClientErrorCode =
  /** The browser does not support passkeys. */
  | 'webauthn_unsupported'
  /** The page is not on https or localhost, or the origin of the page does not match the service's relying party ID. */
  | 'insecure_context'
  /**
   * The user closed or declined the prompt, the prompt timed out, the signal aborted, or another prompt replaced this
   * prompt.
   */
  | 'ceremony_canceled'
  /** The authenticator reported an error. */
  | 'ceremony_failed'
  /** The authenticator already has a passkey for this account. */
  | 'passkey_exists'
  /** The `signal` of the call aborted a request. */
  | 'aborted'
  /** The service is unreachable. */
  | 'network_error'
  /** The response is not from the service. For example, it is the error page of a proxy. */
  | 'invalid_response';

/** Codes of error responses of the service. */
export type ServiceErrorCode =
  | 'invalid_request'
  | 'username_unacceptable'
  | 'username_taken'
  | 'too_many_usernames'
  | 'log_changed'
  | 'webhook_name_taken'
  | 'too_many_webhooks'
  | 'password_unacceptable'
  | 'registration_failed'
  | 'passkey_already_registered'
  | 'sign_up_closed'
  | 'invitation_required'
  | 'sign_up_refused'
  | 'authentication_failed'
  | 'not_authenticated'
  | 'reauthentication_required'
  | 'passkey_required'
  | 'recovery_session'
  | 'impersonating'
  | 'cross_origin_request'
  | 'forbidden'
  | 'not_found'
  | 'last_credential'
  | 'recovery_link_waiting'
  | 'last_superadmin'
  | 'still_referenced'
  | 'account_disabled'
  | 'authenticator_not_allowed'
  | 'invitation_not_found'
  | 'invitation_unusable'
  | 'invitation_for_another_user'
  | 'invitation_already_accepted'
  | 'role_already_held'
  | 'last_organization_admin'
  | 'slug_taken'
  | 'already_a_member'
  | 'already_invited'
  | 'too_many_invitations'
  | 'log_changed'
  | 'too_many_organizations'
  | 'too_many_passkeys'
  | 'rate_limited'
  | 'internal_error'
  | 'unavailable';

/** The codes that an app can handle. The type allows other strings, because the service can send other codes. */
export type AuthClientErrorCode = ClientErrorCode | ServiceErrorCode | (string & {});

/** One invalid value in a request. */
export interface InputFault {
  /** The dotted path of the value, such as `credential.id`. Empty: the whole request. */
  path: string;
  /** Which value was expected. */
  message: string;
}

/** The optional properties of an {@link AuthClientError}. */
export interface AuthClientErrorDetails {
  status?: number | undefined;
  nextStep?: string | undefined;
  detail?: string | undefined;
  reason?: string | undefined;
  errors?: InputFault[] | undefined;
  retryAfterSeconds?: number | undefined;
  cause?: unknown;
}

/** What happened, and what to do next, for each code of an error in the browser. */
export const clientErrors: Record<ClientErrorCode, { title: string; nextStep: string }> = {
  webauthn_unsupported: {
    title: 'This browser does not support passkeys.',
    nextStep: 'Use a current version of Chrome, Edge, Firefox or Safari.',
  },
  insecure_context: {
    title: 'Passkeys do not work at this URL.',
    nextStep: 'Open this site at its https:// URL and try again.',
  },
  ceremony_canceled: {
    title: 'The passkey prompt was closed or timed out.',
    nextStep: 'Try again.',
  },
  ceremony_failed: {
    title: 'The device or security key reported an error.',
    nextStep: 'Try again, or use another passkey.',
  },
  passkey_exists: {
    title: 'This device already has a passkey for this account.',
    nextStep: 'Use another device, another password manager or a security key.',
  },
  aborted: { title: 'The request was aborted.', nextStep: 'Try again.' },
  network_error: {
    title: 'The server is unreachable.',
    nextStep: 'Check the internet connection and try again.',
  },
  invalid_response: { title: 'The server sent an unexpected response.', nextStep: 'Try again later.' },
};

/**
 * A failed call of the client rejects with this error.
 *
 * @example
 * try {
 *   await auth.signIn();
 * } catch (error) {
 *   if (error instanceof AuthClientError && error.code === 'ceremony_canceled') return;
 *   throw error;
 * }
 */
export class AuthClientError extends Error {
  override readonly name = 'AuthClientError';
  /** The stable name of the error. Use it to distinguish errors. */
  readonly code: AuthClientErrorCode;
  /** The meaning of the code. Safe to show to users. */
  readonly title: string;
  /** What to do next. Safe to show to users. Undefined if the response of the service contains no next step. */
  readonly nextStep: string | undefined;
  /** The HTTP status. Undefined if there was no response. */
  readonly status: number | undefined;
  /** Details of this occurrence of the error. Safe to show to users. */
  readonly detail: string | undefined;
  /**
   * A stable name that is more specific than the code. For example, `authentication_failed` has the reason
   * `unknown_credential` if the account no longer has the passkey, and `not_authenticated` has the reason `session_ended`
   * if the session of this browser has ended.
   */
  readonly reason: string | undefined;
  /** The invalid values of the request, if the code is `invalid_request`. */
  readonly errors: InputFault[] | undefined;
  /** The number of seconds to wait before the next attempt, if the service sent `Retry-After`. */
  readonly retryAfterSeconds: number | undefined;

  constructor(code: AuthClientErrorCode, title: string, details: AuthClientErrorDetails = {}) {
    super(details.detail ?? title, details.cause === undefined ? undefined : { cause: details.cause });
    this.code = code;
    this.title = title;
    this.nextStep = details.nextStep;
    this.status = details.status;
    this.detail = details.detail;
    this.reason = details.reason;
    this.errors = details.errors;
    this.retryAfterSeconds = details.retryAfterSeconds;
  }
}

/** Creates the error for a failure in the browser, with the title and the next step of its code. */
export const clientError = (code: ClientErrorCode, details?: AuthClientErrorDetails): AuthClientError =>
  new AuthClientError(code, clientErrors[code].title, {
    nextStep: clientErrors[code].nextStep,
    ...details,
  });

/** Whether the error is an {@link AuthClientError} with one of these codes. */
export const hasCode = (error: unknown, ...codes: AuthClientErrorCode[]): error is AuthClientError =>
  error instanceof AuthClientError && codes.includes(error.code);
