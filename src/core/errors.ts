import { bounds } from './bounds.ts';

/**
 * All error codes, each with its HTTP status, what happened (`title`) and what to do next (`nextStep`). Both texts are
 * safe to show to users. Responses, the terminal, the pages, `docs/reference/errors.md` and the OpenAPI document take them
 * from this table.
 */
export const errorTable = {
  invalid_request: {
    status: 400,
    title: 'The request is invalid.',
    nextStep: 'Correct the values and try again.',
  },
  username_unacceptable: {
    status: 400,
    title: 'This username cannot be used.',
    nextStep:
      'Choose another one. A username has 3 to 32 characters: a to z, 0 to 9 and, except at the ends, . _ -',
  },
  password_unacceptable: {
    status: 400,
    title: 'This password cannot be used.',
    nextStep: 'Choose another password.',
  },
  registration_failed: {
    status: 400,
    title: 'The passkey could not be verified.',
    nextStep: 'Try again. If the device saved the passkey, delete it there.',
  },
  not_authenticated: { status: 401, title: 'You are not signed in.', nextStep: 'Sign in and try again.' },
  authentication_failed: {
    status: 401,
    title: 'Authentication failed.',
    nextStep: 'Try again, or sign in another way.',
  },
  cross_origin_request: {
    status: 403,
    title: 'This request came from another site.',
    nextStep: 'Open this site and try again there.',
  },
  forbidden: {
    status: 403,
    title: "You don't have permission to do this.",
    nextStep: 'Ask a user with a higher role.',
  },
  invitation_for_another_user: {
    status: 403,
    title: 'This invitation is for another user.',
    nextStep: 'Sign in as the invited user.',
  },
  feature_disabled: {
    status: 403,
    title: 'This service does not have this feature.',
    nextStep: 'Change the option organizations, adminInvitations, impersonation or webhooks to enable it.',
  },
  authenticator_not_allowed: {
    status: 403,
    title: 'This kind of passkey is not allowed here.',
    nextStep:
      'Use another device or security key. If the device saved the passkey, delete it there. The operator of this site knows which ones are allowed.',
  },
  sign_up_closed: {
    status: 403,
    title: 'Sign-up is closed.',
    nextStep: 'If you have an account, sign in.',
  },
  invitation_required: {
    status: 403,
    title: 'Sign-up needs an invitation.',
    nextStep: 'Open the link of your invitation, or ask for an invitation.',
  },
  sign_up_refused: {
    status: 403,
    title: 'The request was refused.',
    nextStep: 'Change the values and try again, or contact the operator of this site.',
  },
  recovery_session: {
    status: 403,
    title: 'Finish recovering your account first.',
    nextStep: 'Add a passkey to finish the recovery.',
  },
  impersonating: {
    status: 403,
    title: 'This is not possible while you use the account of another user.',
    nextStep: 'End the impersonation. Only the owner of the account can do this.',
  },
  reauthentication_required: {
    status: 403,
    title: 'This requires a recent sign-in.',
    nextStep: "Confirm that it's you and try again.",
  },
  passkey_required: {
    status: 403,
    title: 'This requires a passkey.',
    nextStep:
      'Confirm with your passkey and try again. If the account has no passkey yet, add one. If you lost your passkey, recover the account.',
  },
  not_found: {
    status: 404,
    title: 'Not found.',
    nextStep: 'Check the name or ID. It may have been deleted.',
  },
  invitation_not_found: {
    status: 404,
    title: 'Invitation not found.',
    nextStep: 'Open the complete link again, or ask for a new invitation.',
  },
  method_not_allowed: {
    status: 405,
    title: 'Method not allowed.',
    nextStep: 'Use a method in the `Allow` header.',
  },
  request_timeout: {
    status: 408,
    title: 'The request took too long to arrive.',
    nextStep: 'Check the connection and try again.',
  },
  username_taken: { status: 409, title: 'This username is taken.', nextStep: 'Choose another username.' },
  too_many_usernames: {
    status: 409,
    title: `This account had ${bounds.heldUsernames} other usernames.`,
    nextStep: 'Go back to one of them, or keep the current username.',
  },
  passkey_already_registered: {
    status: 409,
    title: 'This passkey is already registered.',
    nextStep: 'Sign in with this passkey, or add another one.',
  },
  too_many_passkeys: {
    status: 409,
    title: `This account has ${bounds.passkeys} passkeys.`,
    nextStep: 'Remove a passkey that is no longer used.',
  },
  account_disabled: {
    status: 409,
    title: 'This account is disabled.',
    nextStep: 'An administrator can enable the account.',
  },
  already_bootstrapped: {
    status: 409,
    title: 'The first superadmin was already created.',
    nextStep:
      'List superadmins with `latchkey users list --role superadmin`. If none of them is active, run `latchkey bootstrap --again`.',
  },
  role_already_held: {
    status: 409,
    title: 'This account already has that role or a higher one.',
    nextStep: 'The user does not need an invitation.',
  },
  invitation_already_accepted: {
    status: 409,
    title: 'This invitation was already accepted.',
    nextStep: 'Change the role of the user instead.',
  },
  slug_taken: { status: 409, title: 'This short name is taken.', nextStep: 'Choose another short name.' },
  already_a_member: {
    status: 409,
    title: 'This user is already a member.',
    nextStep: 'Find the user in the list of members.',
  },
  already_invited: {
    status: 409,
    title: 'This user already has a pending invitation to the organization.',
    nextStep: 'Revoke the pending invitation first.',
  },
  too_many_invitations: {
    status: 409,
    title: `There are already ${bounds.organizationInvitations} pending invitations.`,
    nextStep: 'Revoke one of them, or try again when one was answered or has expired.',
  },
  log_changed: {
    status: 409,
    title: 'The audit log does not contain this event.',
    nextStep: 'Continue from the start or from the end of the log.',
  },
  webhook_name_taken: {
    status: 409,
    title: 'A webhook with this name already exists.',
    nextStep: 'Choose another name, or update the existing webhook.',
  },
  too_many_webhooks: {
    status: 409,
    title: `There are already ${bounds.webhooks} webhooks.`,
    nextStep: 'Delete a webhook that is no longer used.',
  },
  too_many_organizations: {
    status: 409,
    title: `This user belongs to ${bounds.organizations} organizations.`,
    nextStep: 'Leave an organization first.',
  },
  last_organization_admin: {
    status: 409,
    title: 'This is the last organization admin.',
    nextStep: 'Make another member an organization admin first.',
  },
  last_superadmin: {
    status: 409,
    title: 'This is the last active superadmin.',
    nextStep: 'Make another user a superadmin first.',
  },
  still_referenced: {
    status: 409,
    title: 'Data of this application still depends on this account or organization.',
    nextStep: 'Delete this data first, or contact the operator of this site.',
  },
  recovery_link_waiting: {
    status: 409,
    title: 'This recovery link does not work yet.',
    nextStep: 'Open the link again later.',
  },
  last_credential: {
    status: 409,
    title: 'This is the last way to sign in to the account.',
    nextStep: 'Add another passkey or a password first.',
  },
  invitation_unusable: {
    status: 410,
    title: 'This invitation no longer works.',
    nextStep: 'Ask for a new invitation.',
  },
  body_too_large: { status: 413, title: 'The request body is too large.', nextStep: 'Send at most 64 KiB.' },
  unsupported_media_type: {
    status: 415,
    title: 'The request body has an unsupported media type.',
    nextStep: 'Send the body as application/json.',
  },
  rate_limited: { status: 429, title: 'Too many attempts.', nextStep: 'Try again later.' },
  internal_error: { status: 500, title: 'Something went wrong on the server.', nextStep: 'Try again later.' },
  unavailable: {
    status: 503,
    title: 'The service is temporarily unavailable.',
    nextStep: 'Try again later.',
  },
} as const satisfies Record<string, { status: number; title: string; nextStep: string }>;

/** The stable name of an error, for comparisons in code. */
export type ErrorCode = keyof typeof errorTable;

/** One invalid value in a request. */
export interface InputFault {
  /** Dotted path to the value. Empty: the request as a whole. */
  path: string;
  /** What was expected. */
  message: string;
}

export interface AuthErrorOptions {
  /**
   * A message about this occurrence, safe to show to users. Default: the title of the code. If given, the response
   * contains the message as `detail`.
   */
  message?: string;
  /** For logs only. Never sent. The `detail` of a response contains the `message` instead. */
  detail?: string;
  /** For logs only. Never sent. */
  cause?: unknown;
  /** The invalid values of the request. Sent as `errors`. */
  errors?: InputFault[];
  /** A stable name that is more specific than the code. Sent as `reason`. */
  reason?: string;
  /** What to do next, safe to show to users. Default: the `nextStep` of the code. */
  nextStep?: string;
  /** Response headers, such as `Retry-After`. */
  headers?: Record<string, string>;
}

/**
 * The error of a rejected or failed operation.
 *
 * To distinguish errors, compare `code`. `message` and `nextStep` are safe to show to users. `detail` and `cause` are
 * for logs only. Incorrect use of the API throws a `TypeError` instead.
 *
 * A guard such as `requireSession` can throw the error in the application's routes. Koa's error handling then reads
 * `status`, `expose` and `headers`, so the response has the right status.
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
  /** What to do next. Safe to show to users. */
  readonly nextStep: string;
  readonly expose: boolean;
  readonly detail: string | undefined;
  readonly errors: InputFault[] | undefined;
  readonly reason: string | undefined;
  readonly headers: Record<string, string>;

  constructor(code: ErrorCode, options: AuthErrorOptions = {}) {
    const { status, title, nextStep } = errorTable[code];
    super(options.message ?? title, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.status = status;
    this.nextStep = options.nextStep ?? nextStep;
    this.expose = status < 500 || code === 'unavailable';
    this.detail = options.detail;
    this.errors = options.errors;
    this.reason = options.reason;
    this.headers = options.headers ?? (code === 'unavailable' ? { 'Retry-After': '1' } : {});
  }
}
