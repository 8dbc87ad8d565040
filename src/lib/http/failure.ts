import { Problem } from '../errors.ts'

/** 500 for what failed before anything was saved. */
export const internalError = (cause: unknown): Problem =>
  new Problem(500, 'internal_error', 'Something failed on our side. Nothing was changed; try again.', { cause })
