import { createSocket } from 'node:dgram'

/** A name server on loopback with TXT records only. */
export interface DnsServer {
  /** `127.0.0.1:<port>`, for `DNS_RESOLVER`. */
  address: string
  /** TXT records by name. */
  records: Map<string, string[]>
  /** While set, every query is answered with SERVFAIL. */
  broken: boolean
  /** The names that were queried. */
  queries: string[]
  stop(): void
}

const [notFound, failed] = [3, 2]

/** Starts it on a free port. */
export async function startDnsServer(): Promise<DnsServer> {
  const socket = createSocket('udp4')
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', () => resolve()))
  const server: DnsServer = {
    address: `127.0.0.1:${socket.address().port}`,
    records: new Map(),
    broken: false,
    queries: [],
    stop: () => void socket.close(),
  }
  socket.on('message', (query, { port, address }) => {
    const { name, question } = questionOf(query)
    server.queries.push(name)
    const found = server.broken ? undefined : server.records.get(name)
    const code = server.broken ? failed : notFound
    socket.send(answerTo(query, question, found?.map(recordOf) ?? [], found ? 0 : code), port, address)
  })
  return server
}

/** The queried name, and the query as it was sent. */
function questionOf(query: Buffer): { name: string; question: Buffer } {
  const labels: string[] = []
  let at = 12
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.subarray(at + 1, at + 1 + length).toString())
    at += length + 1
  }
  return { name: labels.join('.').toLowerCase(), question: query.subarray(12, at + 5) }
}

const shorts = (...values: number[]): Buffer => Buffer.from(values.flatMap((value) => [value >> 8, value & 255]))

const answerTo = (query: Buffer, question: Buffer, records: Buffer[], code: number): Buffer =>
  Buffer.concat([query.subarray(0, 2), shorts(0x8180 | code, 1, records.length, 0, 0), question, ...records])

/** A TXT record of the queried name with TTL 0, in parts of at most 255 bytes. */
function recordOf(text: string): Buffer {
  const parts = text.match(/.{1,255}/gs) ?? []
  const data = Buffer.concat(parts.map((part) => Buffer.concat([Buffer.from([part.length]), Buffer.from(part)])))
  return Buffer.concat([shorts(0xc00c, 16, 1, 0, 0, data.length), data])
}
