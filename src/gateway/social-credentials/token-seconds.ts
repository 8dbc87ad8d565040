import { z } from 'zod'

const tenYears = 10 * 366 * 24 * 60 * 60

/** How long a token lasts. A server can name any number, also one whose end is no date in JavaScript. */
export const TokenSeconds = z.int().positive().max(tenYears)
