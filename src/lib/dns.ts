import { promises as dns } from 'node:dns'
import { requireNoTransaction } from './outside-calls.ts'

declare module './call.ts' {
  interface Provided {
    readonly dns: Dns
  }
}

export interface Dns {
  /** Each record's parts joined; none without such a name. @throws {DnsUnavailable} after 5 s */
  txt(name: string): Promise<string[]>
}

/** It isn't known whether a record exists. */
export class DnsUnavailable extends Error {}

const attemptTimeoutMs = 2_500

/** Uses the system's name servers, or `server`: an address with or without a port. */
export function createDns(server?: string): Dns {
  const resolver = new dns.Resolver({ timeout: attemptTimeoutMs, tries: 2 })
  if (server) resolver.setServers([server])
  return {
    txt: async (name) => {
      requireNoTransaction('The name server')
      const records = await resolver.resolveTxt(name).catch((error: unknown) => {
        if (isNotFound(error)) return []
        throw new DnsUnavailable(`No name server responded to the query for ${name}.`, { cause: error })
      })
      return records.map((parts) => parts.join(''))
    },
  }
}

const isNotFound = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 'ENOTFOUND' || error.code === 'ENODATA')
