import type { Exchange } from './types.ts'

/** Says which model responded, after how many others, and which soft limits are used up. */
export const exchangeHeaders = ({
  candidate,
  fallbacks,
  hold,
  timings,
}: Exchange<unknown>): Record<string, string> => ({
  'x-atrium-provider': candidate.provider,
  'x-atrium-model': candidate.model,
  'x-atrium-fallbacks': String(fallbacks),
  'Server-Timing': timings.toString(),
  ...(hold.warnings.length > 0 && {
    'x-atrium-budget-warning': hold.warnings.map(({ limitId }) => limitId).join(', '),
  }),
})
