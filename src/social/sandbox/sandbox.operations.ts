import { z } from 'zod'
import { Problem } from '#lib/errors.ts'
import { Id } from '#lib/ids.ts'
import { operation } from '#lib/operation.ts'
import { reply, stream } from '#lib/reply.ts'
import { Uploaded } from '../media/input.ts'
import { behaviorOf, setBehavior } from './behavior.ts'
import { brokenOff } from './broken-off.ts'
import { Behavior, BehaviorChange, Handle, Incoming, SandboxPost, TimelineQuery } from './contract.ts'
import { fileOf, keepFile, mostBytes } from './files.ts'
import { addressOf, forget, receive, timeline } from './timeline.ts'

/** It fails with whatever status it was told to. */
const toldToFail = { sandbox_told_to_fail: 'default', rate_limited: 429, sandbox_silent: 504 } as const

const account = z.object({ handle: Handle })
/** A network of its own: it has its own limits, which one sets. */
const open = { permission: 'public', limit: null } as const

export const listSandboxPosts = operation({
  route: 'GET /dev/sandbox/api/accounts/:handle/posts',
  summary: 'List posts of a sandbox account',
  ...open,
  input: TimelineQuery.extend(account.shape),
  output: z.object({ items: z.array(SandboxPost) }),
  problems: { read_back_off: 501 },
  run: async ({ db, input }) => ({ items: await timeline(db, input.handle, input.since) }),
})

export const sendSandboxPost = operation({
  route: 'POST /dev/sandbox/api/accounts/:handle/posts',
  summary: 'Send a post to the sandbox network',
  ...open,
  input: Incoming.extend(account.shape),
  output: z.object({ id: Id, url: z.url() }),
  creates: true,
  // The receipt must be there however the answer ends.
  transaction: false,
  problems: toldToFail,
  run: async (call) => {
    const { handle, ...post } = call.input
    const reception = await receive(call.db, handle, post)
    if (reception.kind === 'silent') return noAnswer()
    await Bun.sleep(reception.latencyMs)
    if (reception.kind === 'refused') throw reception.problem
    if (reception.kind === 'cut') return stream(brokenOff(), 'application/json')
    return { id: reception.post.id, url: addressOf(call.request.url.origin, handle, reception.post) }
  },
})

export const deleteSandboxPost = operation({
  route: 'DELETE /dev/sandbox/api/accounts/:handle/posts/:postId',
  summary: 'Delete a post from the sandbox network',
  permission: 'public',
  input: account.extend({ postId: Id }),
  output: z.null(),
  run: async ({ db, input }) => {
    await forget(db, input.handle, input.postId)
    return reply(204, null)
  },
})

export const uploadSandboxMedia = operation({
  route: 'POST /dev/sandbox/api/accounts/:handle/media',
  summary: 'Upload an image to the sandbox network',
  ...open,
  input: account.extend({ file: Uploaded }),
  output: z.object({ id: Id }),
  creates: true,
  body: { as: 'file', limit: mostBytes },
  run: async ({ db, input }) => keepFile(db, input.handle, new Uint8Array(await input.file.arrayBuffer())),
})

export const readSandboxMedia = operation({
  route: 'GET /dev/sandbox/api/accounts/:handle/media/:mediaId',
  summary: 'Download an image from the sandbox network',
  ...open,
  input: account.extend({ mediaId: Id }),
  output: z.null(),
  streams: 'image/*',
  run: async ({ db, input }) => {
    const { contentType, bytes } = await fileOf(db, input.handle, input.mediaId)
    return stream(bytes, contentType, { headers: { 'Content-Security-Policy': "default-src 'none'; sandbox" } })
  },
})

export const readSandboxBehavior = operation({
  route: 'GET /dev/sandbox/api/accounts/:handle/behavior',
  summary: 'Get the behavior of a sandbox account',
  ...open,
  input: account,
  output: Behavior,
  run: (call) => behaviorOf(call.db, call.input.handle),
})

export const changeSandboxBehavior = operation({
  route: 'PUT /dev/sandbox/api/accounts/:handle/behavior',
  summary: 'Update the behavior of a sandbox account',
  ...open,
  input: BehaviorChange.extend(account.shape),
  output: Behavior,
  run: async (call) => {
    const { handle, ...behavior } = call.input
    return reply(200, await setBehavior(call.db, handle, behavior), { next: `/dev/sandbox/${handle}` })
  },
})

/** Longer than any client waits, shorter than the server's own limit for a quiet connection. */
const silenceMs = 25_000

async function noAnswer(): Promise<never> {
  await Bun.sleep(silenceMs)
  throw new Problem(504, 'sandbox_silent', 'The sandbox is set to time out.')
}
