/**
 * All error codes, each with its HTTP status and a title that is safe to show to users. A test checks that the README
 * and the OpenAPI document agree with this table.
 */
export const errorTable = {
  invalid_request: { status: 400, title: 'The request is invalid.' },
  username_unacceptable: { status: 400, title: 'This username cannot be used.' },
  password_unacceptable: { status: 400, title: 'This password cannot be used.' },
  registration_failed: { status: 400, title: 'The passkey could not be registered.' },
  not_authenticated: { status: 401, title: 'Sign in first.' },
  authentication_failed: { status: 401, title: 'Authentication failed.' },
  cross_origin_request: { status: 403, title: 'This request came from another site.' },
  forbidden: { status: 403, title: "You don't have permission to do this." },
  invitation_for_another_user: { status: 403, title: 'This invitation is for another user.' },
  recovery_session: { status: 403, title: 'Finish recovering your account first.' },
  reauthentication_required: { status: 403, title: "Confirm that it's you, then try again." },
  not_found: { status: 404, title: 'Not found.' },
  invitation_not_found: { status: 404, title: 'Invitation not found.' },
  method_not_allowed: { status: 405, title: 'Method not allowed.' },
  request_timeout: { status: 408, title: 'The request took too long to arrive.' },
  username_taken: { status: 409, title: 'This username is taken.' },
  passkey_already_registered: { status: 409, title: 'This passkey is already registered.' },
  account_disabled: { status: 409, title: 'This account is disabled. Enable it first.' },
  already_bootstrapped: { status: 409, title: 'The first superadmin was already created.' },
  role_already_held: { status: 409, title: 'This account already has that role or a higher one.' },
  invitation_already_accepted: { status: 409, title: 'This invitation was already accepted.' },
  slug_taken: { status: 409, title: 'This short name is taken.' },
  already_a_member: { status: 409, title: 'This user is already a member.' },
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
    title: 'This recovery link cannot be used yet. Try again later.',
  },
  last_credential: { status: 409, title: 'This is the last way to sign in to the account.' },
  invitation_unusable: { status: 410, title: 'This invitation no longer works.' },
  body_too_large: { status: 413, title: 'The request body is too large.' },
  unsupported_media_type: { status: 415, title: 'Send the body as application/json.' },
  rate_limited: { status: 429, title: 'Too many attempts. Try again later.' },
  internal_error: { status: 500, title: 'Something went wrong on the server.' },
  unavailable: { status: 503, title: 'The service is temporarily unavailable.' },
} as const satisfies Record<string, { status: number; title: string }>;

/** The stable name of an error. Branch on this. */
export type ErrorCode = keyof typeof errorTable;

/** One invalid value in a request. */
export interface InputFault {
  /** Dotted path to the value. Empty: the request as a whole. */
  path: string;
  /** What was expected. */
  message: string;
}

export interface AuthErrorOptions {
  /** More about this occurrence. Safe to show to users; sent as `detail`. Default: the title of the code. */
  message?: string;
  /** For logs only. Never sent. */
  detail?: string;
  /** For logs only. Never sent. */
  cause?: unknown;
  /** The invalid values of the request. Sent as `errors`. */
  errors?: InputFault[];
  /** A machine-readable refinement of the code. Sent as `reason`. */
  reason?: string;
  /** Response headers, such as `Retry-After`. */
  headers?: Record<string, string>;
}

/**
 * The error of a rejected or failed operation.
 *
 * Branch on `code`. `message` is safe to show to users; `detail` and `cause` are for logs only. Incorrect use of the
 * API throws a `TypeError` instead. Koa's error handling reads `status`, `expose` and `headers`, so guards answer with
 * the right status outside of the router, too.
 *
 * @example
 * try {
 *   await auth.asOperator('ops').users.disable('ada');
 * } catch (error) {
 *   if (!(error instanceof AuthError && error.code === 'last_superadmin')) throw error;
 * }
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
