import { z } from 'zod'
import { createBrokenStream } from '#lib/counterpart.ts'
import { Problem } from '#lib/errors.ts'
import { Id } from '#lib/ids.ts'
import { operation } from '#lib/operation.ts'
import { reply, stream } from '#lib/reply.ts'
import { SandboxBehavior, SandboxTimeline } from '#views/social/sandbox/sandbox-timeline.tsx'
import { Uploaded } from '../media/input.ts'
import { getBehavior, setBehavior } from './behavior.ts'
import { Behavior, BehaviorChange, Edited, Handle, Incoming, SandboxPost, Timeline, TimelineQuery } from './contract.ts'
import { getFile, storeFile, maxBytes } from './files.ts'
import { deletePost, editPost, listPosts, listReadable, postUrl, receivePost, type Reception } from './timeline.ts'

const configuredFailures = { sandbox_failure: 'default', rate_limited: 429, sandbox_silent: 504 } as const

const account = z.object({ handle: Handle })
/** Its rate limit is part of the behavior of an account. */
const open = { permission: 'public', limit: null } as const

export const listSandboxPosts = operation({
  route: 'GET /dev/sandbox/api/accounts/:handle/posts',
  summary: 'List posts of a sandbox account',
  ...open,
  input: TimelineQuery.extend(account.shape),
  output: z.object({ items: z.array(SandboxPost) }),
  problems: { read_back_off: 501 },
  run: async ({ db, input }) => ({ items: await listReadable(db, input.handle, input.since) }),
})

export const getSandboxTimeline = operation({
  route: 'GET /dev/sandbox/api/accounts/:handle/timeline',
  summary: 'Get the timeline of a sandbox account',
  ...open,
  input: account,
  output: Timeline,
  run: async ({ db, input: { handle } }) => ({ handle, posts: await listPosts(db, handle) }),
  view: (timeline) => <SandboxTimeline {...timeline} />,
})

export const createSandboxPost = operation({
  route: 'POST /dev/sandbox/api/accounts/:handle/posts',
  summary: 'Send a post to the sandbox network',
  ...open,
  input: Incoming.extend(account.shape),
  output: z.object({ id: Id, url: z.url() }),
  creates: true,
  // The receipt must be stored however the response ends.
  transaction: false,
  problems: configuredFailures,
  run: async (call) => {
    const { handle, ...post } = call.input
    return respondTo(await receivePost(call.db, handle, post), call.request.url.origin, handle)
  },
})

export const editSandboxPost = operation({
  route: 'PATCH /dev/sandbox/api/accounts/:handle/posts/:postId',
  summary: 'Edit a post on the sandbox network',
  ...open,
  input: Edited.extend({ ...account.shape, postId: Id }),
  output: z.object({ id: Id, url: z.url() }),
  transaction: false,
  problems: configuredFailures,
  run: async (call) => {
    const { handle, postId, text } = call.input
    const reception = await editPost(call.db, handle, postId, { text })
    return respondTo(reception, call.request.url.origin, handle)
  },
})

export const deleteSandboxPost = operation({
  route: 'DELETE /dev/sandbox/api/accounts/:handle/posts/:postId',
  summary: 'Delete a post from the sandbox network',
  permission: 'public',
  input: account.extend({ postId: Id }),
  output: z.null(),
  run: async ({ db, input }) => {
    await deletePost(db, input.handle, input.postId)
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
  body: { as: 'file', limit: maxBytes },
  run: async ({ db, input }) => storeFile(db, input.handle, new Uint8Array(await input.file.arrayBuffer())),
})

export const downloadSandboxMedia = operation({
  route: 'GET /dev/sandbox/api/accounts/:handle/media/:mediaId',
  summary: 'Download an image from the sandbox network',
  ...open,
  input: account.extend({ mediaId: Id }),
  output: z.null(),
  streams: 'image/*',
  run: async ({ db, input }) => {
    const { contentType, bytes } = await getFile(db, input.handle, input.mediaId)
    return stream(bytes, contentType, { headers: { 'Content-Security-Policy': "default-src 'none'; sandbox" } })
  },
})

export const getSandboxBehavior = operation({
  route: 'GET /dev/sandbox/api/accounts/:handle/behavior',
  summary: 'Get the behavior of a sandbox account',
  ...open,
  input: account,
  output: Behavior,
  run: (call) => getBehavior(call.db, call.input.handle),
  view: (behavior, { input }) => <SandboxBehavior handle={input.handle} behavior={behavior} />,
})

export const updateSandboxBehavior = operation({
  route: 'PUT /dev/sandbox/api/accounts/:handle/behavior',
  summary: 'Update the behavior of a sandbox account',
  ...open,
  input: BehaviorChange.extend(account.shape),
  output: Behavior,
  run: async (call) => {
    const { handle, ...behavior } = call.input
    const next = `/dev/sandbox/${handle}`
    return reply(200, await setBehavior(call.db, handle, behavior), { next, toast: 'Saved' })
  },
  view: (behavior, { input }) => <SandboxBehavior handle={input.handle} behavior={behavior} />,
})

async function respondTo(reception: Reception, origin: string, handle: string) {
  if (reception.kind === 'silent') return neverRespond()
  await Bun.sleep(reception.latencyMs)
  if (reception.kind === 'refused') throw reception.problem
  if (reception.kind === 'cut') return stream(createBrokenStream(), 'application/json')
  return { id: reception.post.id, url: postUrl(origin, handle, reception.post) }
}

/** Longer than any client waits, shorter than the server's own limit for a quiet connection. */
const silenceMs = 25_000

async function neverRespond(): Promise<never> {
  await Bun.sleep(silenceMs)
  throw new Problem(504, 'sandbox_silent', 'The sandbox is set to time out.')
}
