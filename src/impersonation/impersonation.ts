/** A single-use link with which an operator opens a session as a user. The token and the URL are shown only once. */
export interface ImpersonationLink {
  /** 256 random bits in base64url. */
  token: string;
  /** The URL of the page (`impersonationPage`). The token is in the fragment, because browsers do not send fragments. */
  url: string;
  /** Five minutes after the creation (RFC 3339). */
  expiresAt: string;
}
