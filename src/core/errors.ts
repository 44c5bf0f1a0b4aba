/**
 * Every code an answer can carry, with its HTTP status and a sentence that is safe to show a person.
 * The README and the OpenAPI document are held against this table by a test.
 */
export const errorTable = {
  invalid_request: { status: 400, title: 'The request is not of the expected form.' },
  username_unacceptable: { status: 400, title: 'This username cannot be used.' },
  password_unacceptable: { status: 400, title: 'This password cannot be used.' },
  registration_failed: { status: 400, title: 'The passkey could not be registered.' },
  not_authenticated: { status: 401, title: 'Sign in first.' },
  authentication_failed: { status: 401, title: 'Signing in did not work.' },
  cross_origin_request: { status: 403, title: 'This request came from another site.' },
  forbidden: { status: 403, title: 'You may not do this.' },
  invitation_for_another_user: { status: 403, title: 'This invitation is for somebody else.' },
  recovery_session: { status: 403, title: 'Finish recovering the account first.' },
  reauthentication_required: { status: 403, title: 'Confirm that it is you, then try again.' },
  not_found: { status: 404, title: 'There is nothing here.' },
  invitation_not_found: { status: 404, title: 'There is no such invitation.' },
  method_not_allowed: { status: 405, title: 'This method is not allowed here.' },
  request_timeout: { status: 408, title: 'The request took too long to arrive.' },
  username_taken: { status: 409, title: 'This username is taken.' },
  passkey_already_registered: { status: 409, title: 'This passkey is registered already.' },
  account_disabled: { status: 409, title: 'This account is disabled. Enable it first.' },
  already_bootstrapped: { status: 409, title: 'There is a superadmin already, or there has been one.' },
  role_already_held: { status: 409, title: 'This account has that role already, or a higher one.' },
  invitation_already_accepted: { status: 409, title: 'This invitation has been accepted already.' },
  slug_taken: { status: 409, title: 'This short name is taken by another organization.' },
  already_a_member: { status: 409, title: 'This person is a member already.' },
  already_invited: {
    status: 409,
    title: 'This user already has a pending invitation to the organization. Revoke it first.',
  },
  too_many_invitations: {
    status: 409,
    title: 'The organization has 100 pending invitations. Revoke one first.',
  },
  last_organization_admin: { status: 409, title: 'This is the last admin of the organization.' },
  last_superadmin: { status: 409, title: 'This is the last active superadmin.' },
  recovery_link_waiting: {
    status: 409,
    title: 'This recovery link cannot be used yet. Try again after the time in Retry-After.',
  },
  last_credential: { status: 409, title: 'This is the last way into the account.' },
  invitation_unusable: { status: 410, title: 'This invitation can no longer be used.' },
  body_too_large: { status: 413, title: 'The request body is too large.' },
  unsupported_media_type: { status: 415, title: 'Send the body as application/json.' },
  rate_limited: { status: 429, title: 'Too many attempts. Wait a little, then try again.' },
  internal_error: { status: 500, title: 'Something went wrong on our side.' },
  unavailable: { status: 503, title: 'The service is briefly unavailable.' },
} as const satisfies Record<string, { status: number; title: string }>;

/** The stable, documented name of an error. */
export type ErrorCode = keyof typeof errorTable;

/** One fault in a request: where it is (a dotted path, empty for the whole) and what was expected there. */
export interface InputFault {
  path: string;
  message: string;
}

export interface AuthErrorOptions {
  /** Safe to show a person; sent as `detail`. */
  message?: string;
  /** For the log only; never sent. */
  detail?: string;
  cause?: unknown;
  /** Faults of the input, sent as `errors`. */
  errors?: InputFault[];
  /** A machine-readable refinement of the code, sent as `reason`. */
  reason?: string;
  /** Response headers that belong to the error, `Retry-After` say. */
  headers?: Record<string, string>;
}

/**
 * The one error the service throws for what a caller did or met.
 *
 * `code` is API; `message` may be shown; `detail` and `cause` are for logs alone. A programmer's mistake is a
 * `TypeError` instead. `status`, `expose` and `headers` are what Koa's own error handling reads, so a guard
 * used outside our router still answers with the right status.
 */
export class AuthError extends Error {
  override readonly name = 'AuthError';
  readonly code: ErrorCode;
  readonly status: number;
  readonly expose: boolean;
  readonly detail: string | undefined;
  readonly errors: InputFault[] | undefined;
  readonly reason: string | undefined;
  readonly headers: Record<string, string>;

  constructor(code: ErrorCode, options: AuthErrorOptions = {}) {
    const { status, title } = errorTable[code];
    super(options.message ?? title, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.status = status;
    this.expose = status < 500 || code === 'unavailable';
    this.detail = options.detail;
    this.errors = options.errors;
    this.reason = options.reason;
    this.headers = options.headers ?? (code === 'unavailable' ? { 'Retry-After': '1' } : {});
  }
}
