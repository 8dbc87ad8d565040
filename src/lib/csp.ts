/**
 * The policy that every HTML answer carries, fragments and errors too: scripts and styles of this origin or with
 * the nonce, no other origin at all, and strings become markup only in htmx's hands (Trusted Types).
 * Inline styles are allowed as attributes alone, where they set custom properties.
 */
export const contentSecurityPolicy = (nonce: string): string =>
  [
    "default-src 'none'",
    `script-src 'self' 'nonce-${nonce}'`,
    `style-src 'self' 'nonce-${nonce}'`,
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types htmx',
  ].join('; ')

/** A fresh nonce of 128 random bits. */
export const freshNonce = (): string => crypto.getRandomValues(new Uint8Array(16)).toBase64()
