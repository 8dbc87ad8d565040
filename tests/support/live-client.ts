import type { ServerFrame } from '#lib/live/protocol.ts'
import { eventually } from '../boot/program.ts'

type FrameOf<Type> = Extract<ServerFrame, { type: Type }>

/** A client of `/api/live` and the frames it received. */
export interface LiveClient {
  frames: ServerFrame[]
  send(frame: object): void
  /** The first frame of a type that wasn't returned before. @throws when none comes. */
  next<Type extends ServerFrame['type']>(type: Type): Promise<FrameOf<Type>>
  /** Waits until the server reports a change of the topic: a busy server can request a full reload instead. */
  nextChange(topic: string): Promise<void>
  /** Resolves when the server accepts the token, so that a test for its refusal fails at once. */
  ready: Promise<ServerFrame>
  /** The close code and reason of the server. */
  closed: Promise<{ code: number; reason: string }>
  close(): void
}

/** Opens a WebSocket to a server. */
export async function openLive(url: URL): Promise<LiveClient> {
  const at = new URL('/api/live', url)
  at.protocol = 'ws:'
  const socket = new WebSocket(at)
  const frames: ServerFrame[] = []
  const requested = new Set<ServerFrame>()
  const closed = Promise.withResolvers<{ code: number; reason: string }>()
  const opened = Promise.withResolvers<void>()
  socket.addEventListener('open', () => opened.resolve())
  const ready = Promise.withResolvers<ServerFrame>()
  socket.addEventListener('message', ({ data }) => {
    const frame: ServerFrame = JSON.parse(String(data))
    frames.push(frame)
    if (frame.type === 'ready') ready.resolve(frame)
  })
  socket.addEventListener('close', ({ code, reason }) => {
    closed.resolve({ code, reason })
    opened.reject(new Error(`The handshake was refused: ${code}`))
  })
  await opened.promise
  return {
    frames,
    ready: ready.promise,
    closed: closed.promise,
    send: (frame) => socket.send(JSON.stringify(frame)),
    close: () => socket.close(),
    nextChange: async (topic) => {
      const find = () =>
        frames.find(
          (frame) =>
            !requested.has(frame) &&
            (frame.type === 'resync' || (frame.type === 'invalidate' && frame.topics.includes(topic))),
        )
      await eventually(() => find() !== undefined)
      const found = find()
      if (!found) throw new Error(`No change of ${topic} was reported, but ${JSON.stringify(frames)}`)
      requested.add(found)
    },
    next: async (type) => {
      const find = () => frames.find((frame) => frame.type === type && !requested.has(frame))
      await eventually(() => find() !== undefined)
      const found = find()
      if (!isOf(found, type)) throw new Error(`No ${type} came, but ${JSON.stringify(frames)}`)
      requested.add(found)
      return found
    },
  }
}

const isOf = <Type extends ServerFrame['type']>(frame: ServerFrame | undefined, type: Type): frame is FrameOf<Type> =>
  frame?.type === type
