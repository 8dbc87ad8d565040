import { z } from 'zod'
import { graphemes } from '../count.ts'
import { lostAnswer, refusal } from '../http.ts'
import type { Network, PublishCall, PublishOutcome, ReadBack, Receipt, Removal, RemoveCall } from '../network.ts'
import { NotMade } from '../not-made.ts'
import { collection, readRecord, recordOf } from './record.ts'
import { recordKeyOf } from './record-key.ts'
import { pdsOf, renew, revoke, signIn, Tokens } from './session.ts'
import { errorName, refusesToken, xrpc } from './xrpc.ts'

/** Bluesky and every other server of the AT Protocol. A record's key is ours to choose, so sending twice makes one. */
export const bluesky: Network = {
  provider: 'bluesky',
  name: 'Bluesky',
  note: 'Connect with your handle and an app password.',
  // It takes GIFs too, and shows them without their movement.
  limits: {
    characters: 300,
    bytes: 3000,
    media: 4,
    images: { bytes: 1_000_000, types: ['image/jpeg', 'image/png', 'image/webp'] },
  },
  retrySafety: 'idempotent',
  connect: { by: 'form', signIn },
  count: graphemes,
  postIdOf: (permalink) => {
    const [, who, key] = /^https:\/\/[^/]+\/profile\/([^/?#]+)\/post\/([A-Za-z0-9._~:-]{1,512})$/.exec(permalink) ?? []
    return who && key ? uriOf(who, key) : null
  },
  publish,
  readBack,
  renew,
  revoke,
  remove,
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
    const record = await recordOf(call)
    const { account, outside, signal, key } = call
    const response = await xrpc(outside, pdsOf(account.metadata), 'com.atproto.repo.putRecord', {
      // Without a record to swap it is made new, or refused when it is there already.
      json: { repo: account.externalId, collection, rkey: recordKeyOf(key), record, swapRecord: null },
      token: Tokens.parse(account.tokens).access,
      signal,
    })
    return response.ok ? { kind: 'published', ...receiptOf(call) } : await refused(call, response)
  } catch (error) {
    return error instanceof NotMade ? error.outcome : lostAnswer('Bluesky', error)
  }
}

async function refused(call: PublishCall, response: Response): Promise<PublishOutcome> {
  if ((await errorName(response)) === 'InvalidSwap') return alreadyThere(call)
  const unauthorized = await refusesToken(response)
  const outcome = await refusal('Bluesky', response)
  if (unauthorized) return { kind: 'unauthorized', message: outcome.message }
  const ofAddress = response.headers.get('ratelimit-policy') === policyOfAddresses
  return outcome.kind === 'refused' && ofAddress ? { ...outcome, limitOf: 'host' } : outcome
}

/** By which a server limits all calls from one address, whatever their account: 3,000 in 5 minutes. */
const policyOfAddresses = '3000;w=300'

/** An earlier request made the record after all. */
async function alreadyThere(call: PublishCall): Promise<PublishOutcome> {
  const found = await readBack(call)
  const [receipt] = found.kind === 'read' ? found.candidates : []
  if (receipt) return { kind: 'published', ...receipt }
  return { kind: 'unclear', code: 'answer_lost', message: 'Bluesky has a post with this key that couldn’t be read.' }
}

const Kept = z.object({ value: z.object({ text: z.string() }) })

async function readBack(call: PublishCall): Promise<ReadBack> {
  try {
    const receipt = receiptOf(call)
    const response = await readRecord(call, receipt.platformPostId)
    if (response.status === 400 && (await errorName(response)) === 'RecordNotFound')
      return { kind: 'read', candidates: [] }
    if (!response.ok) return unreadable((await refusal('Bluesky', response)).message)
    const { value } = Kept.parse(await response.json())
    return { kind: 'read', candidates: value.text === call.text ? [receipt] : [] }
  } catch (error) {
    return unreadable(lostAnswer('Bluesky', error).message)
  }
}

const unreadable = (message: string): ReadBack => ({ kind: 'unreadable', message, final: false })

async function remove({ account, outside, signal, platformPostId }: RemoveCall): Promise<Removal> {
  try {
    const [repo, , rkey] = platformPostId.replace(/^at:\/\//, '').split('/')
    const response = await xrpc(outside, pdsOf(account.metadata), 'com.atproto.repo.deleteRecord', {
      json: { repo, collection, rkey },
      token: Tokens.parse(account.tokens).access,
      signal,
    })
    if (response.ok) return { kind: 'removed' }
    const unauthorized = await refusesToken(response)
    const outcome = await refusal('Bluesky', response)
    return unauthorized ? { kind: 'unauthorized', message: outcome.message } : outcome
  } catch (error) {
    return lostAnswer('Bluesky', error)
  }
}
