/** For pages with a secret in their URL: other sites never receive it as the referrer. */
export const noReferrer = { 'Referrer-Policy': 'no-referrer' }
