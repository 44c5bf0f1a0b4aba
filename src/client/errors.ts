/** Codes for what goes wrong on this side of the wire. */
export type ClientErrorCode =
  /** The browser knows no passkeys. */
  | 'webauthn_unsupported'
  /** Passkeys need https (or localhost), at an address that the service was set up for. */
  | 'insecure_context'
  /** The person closed the prompt, it timed out, the call was aborted, or another ceremony took its place. */
  | 'ceremony_cancelled'
  /** The authenticator could not do what was asked of it. */
  | 'ceremony_failed'
  /** The authenticator holds a passkey for this account already. */
  | 'passkey_exists'
  /** The caller's signal ended a plain request. */
  | 'aborted'
  /** The service could not be reached. */
  | 'network_error'
  /** What came back is not an answer of this service: a proxy's page, say. */
  | 'invalid_response';

/** Codes the service answers with, as far as this client's calls can meet them. */
export type ServiceErrorCode =
  | 'invalid_request'
  | 'username_unacceptable'
  | 'username_taken'
  | 'password_unacceptable'
  | 'registration_failed'
  | 'passkey_already_registered'
  | 'authentication_failed'
  | 'not_authenticated'
  | 'reauthentication_required'
  | 'recovery_session'
  | 'cross_origin_request'
  | 'forbidden'
  | 'not_found'
  | 'last_credential'
  | 'recovery_link_waiting'
  | 'last_superadmin'
  | 'account_disabled'
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
  | 'rate_limited'
  | 'internal_error'
  | 'unavailable';

/** Every documented code; a newer service may send others, so the type stays open. */
export type AuthClientErrorCode = ClientErrorCode | ServiceErrorCode | (string & {});

/** One fault in what was sent: where it is (a dotted path) and what was expected there. */
export interface InputFault {
  path: string;
  message: string;
}

/** What an {@link AuthClientError} knows beside its code and title. */
export interface AuthClientErrorDetails {
  status?: number | undefined;
  detail?: string | undefined;
  reason?: string | undefined;
  errors?: InputFault[] | undefined;
  retryAfterSeconds?: number | undefined;
  cause?: unknown;
}

const clientTitles: Record<ClientErrorCode, string> = {
  webauthn_unsupported: 'This browser does not support passkeys.',
  insecure_context: 'Passkeys cannot be used at this address.',
  ceremony_cancelled: 'The passkey prompt was closed or timed out.',
  ceremony_failed: 'The passkey could not be used.',
  passkey_exists: 'There is a passkey for this account on this device already.',
  aborted: 'The request was aborted.',
  network_error: 'The service could not be reached.',
  invalid_response: 'The service gave an answer that makes no sense.',
};

/**
 * The one error every call of the client rejects with.
 *
 * @example
 * try {
 *   await auth.signIn();
 * } catch (error) {
 *   if (error instanceof AuthClientError && error.code === 'ceremony_cancelled') return;
 *   throw error;
 * }
 */
export class AuthClientError extends Error {
  override readonly name = 'AuthClientError';
  /** The stable name of what happened: branch on this. */
  readonly code: AuthClientErrorCode;
  /** A sentence that may be shown to a person. */
  readonly title: string;
  /** The HTTP status; undefined where nothing was answered. */
  readonly status: number | undefined;
  /** More about this occurrence, safe to show. */
  readonly detail: string | undefined;
  /**
   * A machine-readable refinement of the code. Of `authentication_failed` there is one: `unknown_credential`, where
   * the passkey belonged to an account that has it no more.
   */
  readonly reason: string | undefined;
  /** Faults of the input, where the code is `invalid_request`. */
  readonly errors: InputFault[] | undefined;
  /** How long to wait before trying again, where the service says so. */
  readonly retryAfterSeconds: number | undefined;

  constructor(code: AuthClientErrorCode, title: string, details: AuthClientErrorDetails = {}) {
    super(details.detail ?? title, details.cause === undefined ? undefined : { cause: details.cause });
    this.code = code;
    this.title = title;
    this.status = details.status;
    this.detail = details.detail;
    this.reason = details.reason;
    this.errors = details.errors;
    this.retryAfterSeconds = details.retryAfterSeconds;
  }
}

/** An error of this side, with its standing title. */
export const clientError = (code: ClientErrorCode, details?: AuthClientErrorDetails): AuthClientError =>
  new AuthClientError(code, clientTitles[code], details);

/** Whether it is an {@link AuthClientError} of one of these codes. */
export const hasCode = (error: unknown, ...codes: AuthClientErrorCode[]): error is AuthClientError =>
  error instanceof AuthClientError && codes.includes(error.code);
