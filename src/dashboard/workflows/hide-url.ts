import type { Step } from './contract.ts'

/** Its path can be a secret, such as that of a chat's incoming webhook: only people who can change workflows see it. */
export const hideUrl = (url: string): string => `${URL.parse(url)?.origin ?? ''}/…`

export const hideUrls = (steps: readonly Step[]): Step[] =>
  steps.map((step) => (step.type === 'webhook' ? { ...step, url: hideUrl(step.url) } : step))
