import type { Socket } from 'bun'

/** A proxy between a server and its database that can hide notifications from the server. */
export interface SilentProxy {
  /** The database's URL through the proxy. */
  url: string
  /** From now on no data and no end of the database reaches a listening connection. */
  silence(): void
  /** Number of listening connections. */
  countListening(): number
  stop(): void
}

interface Side {
  /** The other end, once it is connected; until then data is queued. */
  other?: Socket<Side>
  waiting: Uint8Array[]
  /** A connection that sent LISTEN, and its end at the database. */
  listens: boolean
}

/** Opens one to a database, on a free port of loopback. */
export function openSilentProxy(databaseUrl: string): SilentProxy {
  const target = new URL(databaseUrl)
  const listeners = new Set<Socket<Side>>()
  let silenced = false

  const pass = (socket: Socket<Side>, data: Uint8Array) => {
    const { other, waiting } = socket.data
    if (other) other.write(data)
    else waiting.push(new Uint8Array(data))
  }
  const server = Bun.listen<Side>({
    hostname: '127.0.0.1',
    port: 0,
    socket: {
      open: async (client) => {
        client.data = { waiting: [], listens: false }
        const database = await Bun.connect<Side>({
          hostname: target.hostname,
          port: Number(target.port),
          socket: {
            data: (_, data) => {
              if (!(silenced && client.data.listens)) client.write(data)
            },
            close: () => void client.end(),
          },
          data: { other: client, waiting: [], listens: false },
        })
        client.data.other = database
        for (const data of client.data.waiting) database.write(data)
      },
      data: (client, data) => {
        if (/listen "atrium"/i.test(Buffer.from(data).toString('latin1'))) {
          client.data.listens = true
          listeners.add(client)
        }
        pass(client, data)
      },
      close: (client) => {
        listeners.delete(client)
        client.data.other?.end()
      },
    },
  })
  const url = new URL(databaseUrl)
  url.hostname = '127.0.0.1'
  url.port = String(server.port)
  return {
    url: url.href,
    silence: () => void (silenced = true),
    countListening: () => listeners.size,
    stop: () => server.stop(true),
  }
}
