import { SMTPServer, type SMTPServerSession } from 'smtp-server'
import { newId } from '#lib/ids.ts'
import { sql } from 'drizzle-orm'
import { sendEmail } from '../../src/gateway/email/jobs.ts'
import type { World } from '../support/world.ts'

/** A mail server that fails in every way that a connection can. */
export interface ChaoticServer {
  url: string
  /** How often each email was accepted, by Message-ID. */
  accepted: Map<string, number>
  /** Those of which the response was lost after they had been accepted: only these can arrive again. */
  lost: Map<string, number>
  faults: Map<string, number>
  /** From now on it works. */
  calm(): void
  stop(): Promise<void>
}

type Fault = 'reset' | 'refuse' | 'delay' | 'kill' | 'lose' | 'none'

/** Milliseconds of a delay, and until a killed server is up again. */
const pauseMs = 10

/** Faults follow from `seed`. `rate` is the part of commands that fail. */
export async function startChaoticServer(seed: number, rate: number): Promise<ChaoticServer> {
  let state = seed
  const random = () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return state / 2_147_483_648
  }
  let isCalm = false
  let isRestarting = false
  const accepted = new Map<string, number>()
  const lost = new Map<string, number>()
  const faults = new Map<string, number>()
  const count = (map: Map<string, number>, key: string) => void map.set(key, (map.get(key) ?? 0) + 1)
  const choose = (step: string, kinds: readonly Fault[]): Fault => {
    if (isCalm || random() > rate) return 'none'
    const fault = kinds[Math.floor(random() * kinds.length)] ?? 'none'
    count(faults, `${step} ${fault}`)
    return fault
  }
  let server = open()
  let port = 0

  function open(): SMTPServer {
    const created: SMTPServer = new SMTPServer({
      disabledCommands: ['STARTTLS', 'AUTH'],
      onConnect: (session, done) => act(session, choose('connect', ['reset', 'refuse', 'delay', 'kill']), done),
      onMailFrom: (_, session, done) => act(session, choose('from', ['reset', 'refuse', 'delay']), done),
      onRcptTo: (_, session, done) => act(session, choose('to', ['reset', 'refuse', 'delay', 'kill']), done),
      onData: (stream, session, done) => {
        const early = choose('content', ['reset'])
        const chunks: Buffer[] = []
        stream.on('data', (chunk: Buffer) => {
          chunks.push(chunk)
          if (early === 'reset') cut(session)
        })
        stream.on('end', () => {
          if (early === 'reset') return
          const fault = choose('dot', ['reset', 'refuse', 'delay', 'kill', 'lose'])
          const id = /^Message-ID: <([^@]+)@/m.exec(Buffer.concat(chunks).toString())?.[1] ?? ''
          const accept = (error?: Error | null) => {
            if (error) return done(error)
            count(accepted, id)
            // The server can have been killed in the meantime.
            if (fault !== 'lose' && isOpen(session)) return done()
            count(lost, id)
            cut(session)
          }
          act(session, fault, accept)
        })
      },
    })
    created.on('error', () => {})
    return created
  }

  const connectionsOf = (session: SMTPServerSession) =>
    [...server.connections].filter((connection) => Reflect.get(connection, 'session') === session)
  const isOpen = (session: SMTPServerSession): boolean => connectionsOf(session).length > 0
  const cut = (session: SMTPServerSession) => {
    for (const connection of connectionsOf(session)) Reflect.get(connection, '_socket').destroy()
  }

  function act(session: SMTPServerSession, fault: Fault, done: (error?: Error | null) => void): void {
    if (fault === 'reset') cut(session)
    else if (fault === 'kill' && isRestarting) cut(session)
    else if (fault === 'kill') void restart()
    else if (fault === 'refuse') done(Object.assign(new Error('Try again later'), { responseCode: 451 }))
    else if (fault === 'delay') setTimeout(done, pauseMs)
    else done()
  }

  async function restart(): Promise<void> {
    isRestarting = true
    const killed = server
    server = open()
    // What it has sent arrives.
    for (const connection of killed.connections) Reflect.get(connection, '_socket').destroySoon()
    await new Promise<void>((resolve) => killed.close(() => resolve()))
    await Bun.sleep(pauseMs)
    await listen()
    isRestarting = false
  }

  async function listen(): Promise<void> {
    const listening = Promise.withResolvers<void>()
    server.listen(port, '127.0.0.1', listening.resolve)
    await listening.promise
    const address = server.server.address()
    port = typeof address === 'object' && address ? address.port : port
  }

  await listen()
  return {
    url: `smtp://127.0.0.1:${port}`,
    accepted,
    lost,
    faults,
    calm: () => void (isCalm = true),
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  }
}

/** Queues so many emails of the platform. Returns their IDs. */
export async function queueEmails(world: World, count: number): Promise<string[]> {
  const ids = Array.from({ length: count }, () => newId())
  const body = { subject: 'Order 7', text: 'Thank you.', system: true }
  const batch = 50
  for (let from = 0; from < count; from += batch)
    await Promise.all(
      ids
        .slice(from, from + batch)
        .map((id) =>
          world.gatewayClient.fetchJson(
            'POST /platform/email/messages',
            { ...body, id, to: [`${id}@example.com`] },
            202,
          ),
        ),
    )
  return ids
}

const concurrency = 8

/** Attempts for all that are still queued, several at a time and as if each were due. */
export async function attemptAll(world: World): Promise<number> {
  const rows = await world.database.db.execute<{ id: string }>(
    sql`SELECT id FROM gateway.email_messages WHERE state = 'queued' ORDER BY id`,
  )
  const ids = rows.map(({ id }) => id)
  const left = [...ids]
  const worker = async () => {
    for (let id = left.pop(); id !== undefined; id = left.pop())
      await sendEmail.run({
        ...world.provided,
        database: world.database,
        now: () => new Date(),
        input: { id, tenant: 'platform' },
      })
  }
  await Promise.all(Array.from({ length: concurrency }, worker))
  return ids.length
}
