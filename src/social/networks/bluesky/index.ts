import { z } from 'zod'
import { classifyFailure, readRefusal } from '../http.ts'
import { countGraphemes } from '../limits.ts'
import type { Network, PublishCall, PublishOutcome, ReadBack, Receipt, Removal, RemoveCall } from '../network.ts'
import { NotCreatedError } from '../not-created.ts'
import { corrections } from './corrections.ts'
import { collection, readRecord, createRecord, imageRefused } from './record.ts'
import { checkAccount } from './check.ts'
import { recordKeyOf } from './record-key.ts'
import { authorization } from './oauth.ts'
import { isProven } from './proven-session.ts'
import { accessOf, pdsOf, refreshAheadMs, renew, revoke } from './session.ts'
import { signIn } from './app-password.ts'
import { callXrpc, readCallRefusal, readErrorName } from './xrpc.ts'

/** Atrium chooses a record's key, so sending twice creates one record. */
export const bluesky: Network = {
  provider: 'bluesky',
  name: 'Bluesky',
  note: 'Sign in with Bluesky, or use an app password.',
  // It also accepts GIFs, but shows them without animation.
  limits: {
    characters: 300,
    bytes: 3000,
    media: 4,
    images: { bytes: 1_000_000, types: ['image/jpeg', 'image/png', 'image/webp'] },
  },
  retrySafety: 'idempotent',
  connect: { by: 'authorize', authorization, form: { field: 'appPassword', signIn } },
  count: countGraphemes,
  postIdOf: (permalink) => {
    const [, who, key] = /^https:\/\/[^/]+\/profile\/([^/?#]+)\/post\/([A-Za-z0-9._~:-]{1,512})$/.exec(permalink) ?? []
    return who && key ? uriOf(who, key) : null
  },
  publish,
  readBack,
  renew,
  refreshAheadMs,
  revoke,
  hasOwnSession: isProven,
  remove,
  corrections,
  checkAccount,
}

const uriOf = (repo: string, key: string): string => `at://${repo}/${collection}/${key}`

const receiptOf = ({ account, key }: PublishCall): Receipt => {
  const rkey = recordKeyOf(key)
  return {
    platformPostId: uriOf(account.externalId, rkey),
    permalink: `https://bsky.app/profile/${account.externalId}/post/${rkey}`,
  }
}

async function publish(call: PublishCall): Promise<PublishOutcome> {
  try {
    const record = await createRecord(call)
    const { account, outside, signal, key } = call
    const response = await callXrpc(outside, pdsOf(account.metadata), 'com.atproto.repo.putRecord', {
      // With `swapRecord: null` it is created, or refused when it already exists.
      json: { repo: account.externalId, collection, rkey: recordKeyOf(key), record, swapRecord: null },
      ...accessOf(account.tokens),
      signal,
    })
    return response.ok ? { kind: 'published', ...receiptOf(call) } : await interpretRefusal(call, response)
  } catch (error) {
    return error instanceof NotCreatedError ? error.outcome : classifyFailure('Bluesky', error)
  }
}

async function interpretRefusal(call: PublishCall, response: Response): Promise<PublishOutcome> {
  const error = await readErrorName(response)
  if (error === 'InvalidSwap') return findExisting(call)
  const outcome = await readCallRefusal(response)
  if (outcome.kind === 'refused' && blobErrors.has(error)) return { ...outcome, ...imageRefused }
  const ofAddress = response.headers.get('ratelimit-policy') === addressPolicy
  return outcome.kind === 'refused' && ofAddress ? { ...outcome, limitOf: 'host' } : outcome
}

/** What a server says of an image when it is part of a post: it takes any bytes before. */
const blobErrors = new Set(['BlobTooLarge', 'InvalidMimeType'])

/** Of the limit for all calls from one IP address, regardless of account: 3,000 in 5 minutes. */
const addressPolicy = '3000;w=300'

async function findExisting(call: PublishCall): Promise<PublishOutcome> {
  const found = await readBack(call)
  const [receipt] = found.kind === 'read' ? found.candidates : []
  if (receipt) return { kind: 'published', ...receipt }
  return { kind: 'unclear', code: 'answer_lost', message: 'Bluesky has a post with this key that couldn’t be read.' }
}

const StoredRecord = z.object({ value: z.object({ text: z.string() }) })

async function readBack(call: PublishCall): Promise<ReadBack> {
  try {
    const receipt = receiptOf(call)
    const response = await readRecord(call, receipt.platformPostId)
    if (response.status === 400 && (await readErrorName(response)) === 'RecordNotFound')
      return { kind: 'read', candidates: [] }
    if (!response.ok) return describeUnreadable((await readRefusal('Bluesky', response)).message)
    const { value } = StoredRecord.parse(await response.json())
    return { kind: 'read', candidates: value.text === call.text ? [receipt] : [] }
  } catch (error) {
    return describeUnreadable(classifyFailure('Bluesky', error).message)
  }
}

const describeUnreadable = (message: string): ReadBack => ({ kind: 'unreadable', message, final: false })

async function remove({ account, outside, signal, platformPostId }: RemoveCall): Promise<Removal> {
  try {
    const [repo, , rkey] = platformPostId.replace(/^at:\/\//, '').split('/')
    const response = await callXrpc(outside, pdsOf(account.metadata), 'com.atproto.repo.deleteRecord', {
      json: { repo, collection, rkey },
      ...accessOf(account.tokens),
      signal,
    })
    return response.ok ? { kind: 'removed' } : await readCallRefusal(response)
  } catch (error) {
    return classifyFailure('Bluesky', error)
  }
}
