import { z } from 'zod'

export class DatabaseTimeout extends Error {
  readonly code: 'DATABASE_SILENT' | 'DATABASE_BUSY'

  constructor(code: DatabaseTimeout['code'], message: string) {
    super(message)
    this.name = 'DatabaseTimeout'
    this.code = code
  }
}

/** drizzle wraps errors of queries. */
const rootOf = (error: unknown): unknown => (error instanceof Error && error.cause ? rootOf(error.cause) : error)

const Fault = z.object({ message: z.string(), code: z.string(), severity: z.string().optional() })

const faultOf = (error: unknown) => Fault.safeParse(rootOf(error)).data

/** Whether a statement failed because the database is unavailable or overloaded, so that a retry can succeed. */
export function databaseAway(error: unknown): boolean {
  const fault = faultOf(error)
  if (!fault) return false
  return isFatal(fault) || (fault.severity ? passing : away).test(fault.code)
}

export function connectionLost(error: unknown): boolean {
  const fault = faultOf(error)
  return fault !== undefined && (isFatal(fault) || (!fault.severity && away.test(fault.code)))
}

/** Whether a query, the driver or PostgreSQL failed: lost connections to other servers have the same codes. */
export function isQueryOrDriverError(error: unknown): boolean {
  const fault = faultOf(error)
  if (fault?.severity !== undefined || ownCodes.test(fault?.code ?? '')) return true
  // Both the driver and drizzle put the statement on the error.
  return error instanceof Error && 'query' in error
}

/** Whether PostgreSQL rolled a transaction back because of a concurrent one, so that a retry can succeed. */
export const transactionConflict = (error: unknown): boolean => conflicts.has(faultOf(error)?.code ?? '')

export function describeFault(error: unknown): string {
  const fault = faultOf(error)
  if (!fault) return String(error)
  const { message, code } = fault
  return message.includes(code) ? message : `${message} (${code})`
}

const isFatal = ({ severity }: z.infer<typeof Fault>): boolean => severity === 'FATAL' || severity === 'PANIC'

const ownCodes = /^(CONNECTION_|CONNECT_TIMEOUT$|DATABASE_)/

/** Serialization failure and deadlock. */
const conflicts = new Set(['40001', '40P01'])

/** Out of disk, memory or connections; a timeout; another server is the primary now. */
const passing = /^(53...|57014|55P03|25006)$/

const away =
  /^(CONNECT|ECONN|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN|ERR_TLS|ERR_SSL|DATABASE_)|CERT|SIGNED|ALTNAME/
