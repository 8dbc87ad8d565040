/**
 * The policy of all HTML responses, including fragments and errors: only this origin or the nonce, and only htmx can
 * turn strings into markup (Trusted Types). Style attributes are allowed, since they set custom properties.
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

export const freshNonce = (): string => crypto.getRandomValues(new Uint8Array(16)).toBase64()
