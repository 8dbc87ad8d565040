import { z } from 'zod'
import { operation } from '#lib/operation.ts'
import { sse } from '#lib/sse.ts'
import { contextOf, kernelOf } from '../lib/kernel.tsx'

// Measures 500 open event streams that receive only heartbeats: memory of this process, which holds both ends, and
// processor time. Then all clients disconnect at once: how long until the last end hook ran.

const count = 500
/** KiB per stream, milliseconds until the last end. */
const bounds = { memory: 64, ends: 1_000 }
const heartbeat = 1_000

let ended = 0
const wait = operation({
  route: 'GET /api/wait',
  summary: 'Wait',
  permission: 'public',
  streams: 'text/event-stream',
  input: z.object({}),
  output: z.null(),
  run: async ({ signal }) => {
    const events = async function* () {
      await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()))
      yield { data: 'late' }
    }
    return sse(events(), { heartbeatMs: heartbeat, onEnd: () => void ended++ })
  },
})
const handle = kernelOf([contextOf({ operations: { wait } })], { database: { db: null } as never })
const server = Bun.serve({ port: 0, development: false, fetch: (request) => handle(request, '127.0.0.1') })

// The first streams load and compile shared code.
await leave(await open(50), 50)
const before = memory()
const sockets = await open(count)
const used = (memory() - before) / count / 1024
const cpu = process.cpuUsage()
await Bun.sleep(5_000)
const { user, system } = process.cpuUsage(cpu)
const ms = await leave(sockets, 50 + count)
console.log(`memory of a stream, both ends: ${used.toFixed(1)} KiB (at most ${bounds.memory})`)
console.log(`processor time of ${count} quiet streams: ${((user + system) / 5_000 / 10).toFixed(2)} % of a core`)
console.log(`from the clients' leaving to the last end hook: ${ms.toFixed(0)} ms (at most ${bounds.ends})`)
await server.stop(true)
process.exit(used <= bounds.memory && ms <= bounds.ends ? 0 : 1)

/** Opens streams and waits for the first heartbeat of each. */
async function open(many: number): Promise<Bun.Socket<{ hasBegun: PromiseWithResolvers<void> }>[]> {
  const opened = await Promise.all(
    Array.from({ length: many }, () =>
      Bun.connect({
        hostname: '127.0.0.1',
        port: server.port ?? 0,
        data: { hasBegun: Promise.withResolvers<void>() },
        socket: {
          open: (socket) => void socket.write('GET /api/wait HTTP/1.1\r\nHost: localhost\r\n\r\n'),
          data: (socket, bytes) => {
            if (bytes.includes(':\n\n')) socket.data.hasBegun.resolve()
          },
        },
      }),
    ),
  )
  await Promise.all(opened.map(({ data }) => data.hasBegun.promise))
  return opened
}

/** Closes them; returns the milliseconds until `all` hooks ran. */
async function leave(leaving: Bun.Socket<{ hasBegun: PromiseWithResolvers<void> }>[], all: number): Promise<number> {
  const left = performance.now()
  for (const socket of leaving) socket.terminate()
  while (ended < all) await Bun.sleep(1)
  return performance.now() - left
}

function memory(): number {
  Bun.gc(true)
  return process.memoryUsage.rss()
}
