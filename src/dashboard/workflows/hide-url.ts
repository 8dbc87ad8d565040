import type { Step } from './contract.ts'

/** Its path can be a secret, such as that of a chat's incoming webhook: only people who can change workflows see it. */
export const hideUrl = (url: string): string => `${URL.parse(url)?.origin ?? ''}/…`

/** Only then its signing secret is of use. */
export const callsWebhook = ({ steps }: { steps: readonly Step[] }): boolean =>
  steps.some(({ type }) => type === 'webhook')

export const hideUrls = (steps: readonly Step[]): Step[] =>
  steps.map((step) => (step.type === 'webhook' ? { ...step, url: hideUrl(step.url) } : step))
