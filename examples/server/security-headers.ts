import type { Middleware } from 'koa';

const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Allows resources only from the same origin, and data URLs for images. Forbids inline scripts, styles and framing. */
export function setSecurityHeaders(origin: string): Middleware {
  const https = origin.startsWith('https:');
  return (ctx, next) => {
    ctx.set({
      'Content-Security-Policy': contentSecurityPolicy,
      'Cross-Origin-Opener-Policy': 'same-origin',
      'Cross-Origin-Resource-Policy': 'same-origin',
      'Permissions-Policy': 'publickey-credentials-get=(self), publickey-credentials-create=(self)',
      'Referrer-Policy': 'same-origin',
      'X-Content-Type-Options': 'nosniff',
      ...(https && { 'Strict-Transport-Security': 'max-age=31536000' }),
    });
    return next();
  };
}
