import { z } from 'zod'

export const Token = z.string().regex(/^[\w-]{20,100}$/)

/** The URL is all that is needed to read a receipt: other sites never receive it. */
export const noReferrer = { 'Referrer-Policy': 'no-referrer' }
