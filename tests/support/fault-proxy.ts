import { connect, createServer, type Server, type Socket } from 'node:net'

/** A proxy between a server and its database that simulates network faults. */
export interface FaultProxy {
  /** The database's URL through the proxy. */
  url: string
  /** Number of open connections. */
  connections(): number
  /** Delays every packet by so many milliseconds. */
  delay(ms: number): void
  /** Nothing passes and nothing is lost until `heal`: connections open without a response. */
  freeze(): void
  /** Refuses new connections; `cut` resets the open ones. */
  refuse(options?: { cut?: boolean }): void
  /** Resets every open connection now. */
  resetAll(): void
  /** Each packet resets its connection with this probability. */
  reset(probability: number): void
  /** Half-closes the database's side of every open connection (FIN); the server can still write. */
  halfCloseAll(): void
  /** Silently drops everything on open connections, permanently. New ones work. */
  blackholeOpen(): void
  /** The same for every connection, new ones too, until `heal`. */
  blackhole(): void
  /** Routes new connections to another address, as after a failover. */
  retarget(databaseUrl: string): void
  /** Ends the faults of new connections; frozen ones continue. */
  heal(): Promise<void>
  stop(): Promise<void>
}

interface Pair {
  client: Socket
  database: Socket
  /** Nothing passes any more, permanently. */
  swallowed: boolean
  /** Packets in transit, in order. */
  sending: Promise<void>
}

/** Opens one to a database, on a free port of loopback. */
export async function openFaultProxy(databaseUrl: string): Promise<FaultProxy> {
  let target = new URL(databaseUrl)
  const pairs = new Set<Pair>()
  let [delayMs, resets, swallowing] = [0, 0, false]
  let frozen: PromiseWithResolvers<void> | null = null
  let server: Server | null = null

  const end = (pair: Pair) => {
    pairs.delete(pair)
    for (const socket of [pair.client, pair.database]) socket.resetAndDestroy()
  }
  const pass = async (pair: Pair, to: Socket, data: Buffer) => {
    if (delayMs > 0) await Bun.sleep(delayMs)
    while (frozen) await frozen.promise
    if (pair.swallowed) return
    if (resets > 0 && Math.random() < resets) return end(pair)
    if (to.writable) to.write(data)
  }
  const join = (pair: Pair, from: Socket, to: Socket) => {
    from.on('data', (data: Buffer) => {
      pair.sending = pair.sending.then(() => pass(pair, to, data))
    })
    from.on('end', () => {
      pair.sending = pair.sending.then(() => void (pair.swallowed || to.end()))
    })
    from.on('error', () => pair.swallowed || end(pair))
    from.on('close', () => {
      pair.sending = pair.sending.then(() => {
        if (pair.swallowed && from === pair.database) return
        pairs.delete(pair)
        to.destroy()
      })
    })
  }
  const accept = (client: Socket) => {
    const database = connect(Number(target.port), target.hostname)
    const pair: Pair = { client, database, swallowed: swallowing, sending: Promise.resolve() }
    pairs.add(pair)
    join(pair, client, database)
    join(pair, database, client)
  }
  const listen = async (port: number) => {
    const opened = createServer({ allowHalfOpen: true, noDelay: true }, accept)
    await new Promise<void>((resolve, reject) => opened.once('error', reject).listen(port, '127.0.0.1', resolve))
    server = opened
    const address = opened.address()
    if (address === null || typeof address === 'string') throw new Error('The proxy has no port')
    return address.port
  }
  const port = await listen(0)
  const url = new URL(databaseUrl)
  url.hostname = '127.0.0.1'
  url.port = String(port)

  return {
    url: url.href,
    connections: () => pairs.size,
    delay: (ms) => void (delayMs = ms),
    freeze: () => void (frozen ??= Promise.withResolvers()),
    refuse: ({ cut = false } = {}) => {
      server?.close()
      server = null
      if (cut) for (const pair of pairs) end(pair)
    },
    resetAll: () => {
      for (const pair of pairs) end(pair)
    },
    reset: (probability) => void (resets = probability),
    halfCloseAll: () => {
      for (const { client } of pairs) client.end()
    },
    blackholeOpen: () => {
      for (const pair of pairs) pair.swallowed = true
    },
    blackhole: () => {
      swallowing = true
      for (const pair of pairs) pair.swallowed = true
    },
    retarget: (other) => void (target = new URL(other)),
    heal: async () => {
      ;[delayMs, resets, swallowing] = [0, 0, false]
      frozen?.resolve()
      frozen = null
      // The database notices through its own keepalive eventually.
      for (const pair of pairs) if (pair.swallowed) pair.database.resetAndDestroy()
      if (!server) await listen(port)
    },
    stop: async () => {
      server?.close()
      frozen?.resolve()
      for (const pair of pairs) end(pair)
    },
  }
}
