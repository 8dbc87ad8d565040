const levels = ['debug', 'info', 'warn', 'error', 'silent'] as const
type Level = (typeof levels)[number]

declare module './call.ts' {
  interface Provided {
    readonly log: Log
  }
}

export interface Log {
  debug(message: string, facts?: Record<string, unknown>): void
  info(message: string, facts?: Record<string, unknown>): void
  warn(message: string, facts?: Record<string, unknown>): void
  error(message: string, facts?: Record<string, unknown>): void
}

export function createLog(minLevel: Level, pretty = process.stdout.isTTY, write = writeLine): Log {
  const written = new Set(levels.slice(levels.indexOf(minLevel)))
  const line =
    (level: Level) =>
    (message: string, facts: Record<string, unknown> = {}) => {
      if (!written.has(level)) return
      const text = pretty
        ? prettyLine(level, message, facts)
        : JSON.stringify({ time: timeText(), level, message, ...facts })
      write(maskSecrets(text))
    }
  return { debug: line('debug'), info: line('info'), warn: line('warn'), error: line('error') }
}

let latest = { at: 0, text: '' }

/** A busy server writes several lines within a millisecond. */
function timeText(): string {
  const at = Date.now()
  if (at !== latest.at) latest = { at, text: new Date(at).toISOString() }
  return latest.text
}

/** Such as `sk_live_…`, and the token at the end of URLs of invitations and confirmations. */
const maskSecrets = (line: string): string =>
  (/_(?:live|test)_/.test(line)
    ? line.replaceAll(/\b([a-z]+_(?:live|test)_[0-9A-Za-z]{1,12})\w{20,}/g, '$1…')
    : line
  ).replaceAll(/(?<=\/)[\w-]{43}(?![\w-])/g, '…')

let waiting = ''
let writtenAt = -Infinity
/** Between two calls of a busy server. */
const pauseMs = 20

/** Lines of some milliseconds in one call: for a busy server each costs as much as a query. */
function writeLine(line: string): void {
  if (waiting === '') {
    if (performance.now() - writtenAt < pauseMs) setTimeout(flushLines, pauseMs)
    else setImmediate(flushLines)
  }
  waiting += `${line}\n`
}

function flushLines(): void {
  const lines = waiting
  waiting = ''
  writtenAt = performance.now()
  if (lines !== '') process.stdout.write(lines)
}

process.on('exit', flushLines)

const prettyLine = (level: Level, message: string, facts: Record<string, unknown>): string =>
  [
    new Date().toISOString().slice(11, 23),
    level === 'info' ? '' : level.toUpperCase(),
    message,
    ...Object.entries(facts).map(([name, value]) =>
      value === undefined ? '' : `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
    ),
  ]
    .filter(Boolean)
    .join(' ')

/** The fields of an error for the log, without the values of a failed query. */
export function errorFacts(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { error: messageIn(error) ?? String(error) }
  const cause = error.cause === undefined ? {} : { cause: describeChain(error.cause) }
  return { error: messageOf(error), ...cause, stack: framesOf(error) }
}

/** Some libraries pass on a plain object instead of the error. */
const messageIn = (value: unknown): string | undefined =>
  typeof value === 'object' && value !== null && 'message' in value ? String(value.message) : undefined

const describeChain = (error: unknown): string =>
  error instanceof Error
    ? [messageOf(error), ...(error.cause === undefined ? [] : [describeChain(error.cause)])].join(': ')
    : String(error)

function messageOf(error: Error): string {
  if ('params' in error && 'query' in error) return `a query failed: ${String(error.query)}`
  if (!('code' in error) || error.name !== 'PostgresError') return error.message
  // PostgreSQL's errors about data (class 22) quote the value; others only name tables and constraints.
  const message = String(error.code).startsWith('22') ? error.message.replace(/:? ".*$/s, '') : error.message
  return `${message} (${String(error.code)})`
}

const framesOf = ({ stack }: Error): string | undefined =>
  stack
    ?.split('\n')
    .filter((line) => /^\s+at /.test(line))
    .join('\n')
