import type { Provided } from '#lib/call.ts'
import type { Operator } from '#views/dashboard/marketing/legal.tsx'

const linesOf = (text = ''): string[] =>
  text
    .split('|')
    .map((line) => line.trim())
    .filter(Boolean)

export const operatorOf = (config: Provided['config']): Operator => ({
  name: config.OPERATOR_NAME ?? null,
  address: linesOf(config.OPERATOR_ADDRESS),
  email: config.OPERATOR_EMAIL ?? null,
  register: linesOf(config.OPERATOR_REGISTER),
})
