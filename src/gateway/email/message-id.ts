import { domainOf } from './address.ts'

/** The same in each attempt, and as in an outbox that sends it itself, so that receivers can drop duplicates. */
export const messageIdOf = ({ id, fromAddress }: { id: string; fromAddress: string }): string =>
  `<${id}@${domainOf(fromAddress)}>`
