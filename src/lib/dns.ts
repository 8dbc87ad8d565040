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
      return joinParts(records)
    },
  }
}

/** A part of a record has at most so many bytes (RFC 1035, 3.3). */
const maxPartBytes = 255

/** Bun returns each part of a long record as a record of its own. A full part is continued by the next one. */
function joinParts(records: readonly (readonly string[])[]): string[] {
  const joined: string[] = []
  let isContinued = false
  for (const part of records.flat()) {
    if (isContinued) joined.push(`${joined.pop() ?? ''}${part}`)
    else joined.push(part)
    isContinued = Buffer.byteLength(part) === maxPartBytes
  }
  return joined
}

const isNotFound = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 'ENOTFOUND' || error.code === 'ENODATA')
