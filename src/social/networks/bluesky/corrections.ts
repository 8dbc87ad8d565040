import { z } from 'zod'
import { classifyFailure, readRefusal } from '../http.ts'
import type { CorrectCall, CorrectionCheck, CorrectionOutcome, Corrections } from '../network.ts'
import { findFacets } from './facets.ts'
import { collection, readRecord, resolveMention } from './record.ts'
import { accessOf, pdsOf } from './session.ts'
import { callXrpc, readCallRefusal, readErrorName } from './xrpc.ts'

const Stored = z.object({ cid: z.string(), value: z.looseObject({ text: z.string(), facets: z.unknown().optional() }) })

/** Replaces the record, unless it changed since it was read. Reply, images and time stay. */
async function correct(call: CorrectCall): Promise<CorrectionOutcome> {
  const { account, outside, signal, platformPostId, text } = call
  try {
    const present = await readRecord(call, platformPostId)
    if (!present.ok) return await readCallRefusal(present)
    const { cid, value } = Stored.parse(await present.json())
    const { facets: _former, ...kept } = value
    const facets = await findFacets(text, (handle) => resolveMention(call, handle))
    const [repo, , rkey] = platformPostId.replace(/^at:\/\//, '').split('/')
    const record = { ...kept, text, ...(facets.length > 0 && { facets }) }
    const response = await callXrpc(outside, pdsOf(account.metadata), 'com.atproto.repo.putRecord', {
      json: { repo, collection, rkey, record, swapRecord: cid },
      ...accessOf(account.tokens),
      signal,
    })
    if (response.ok) return { kind: 'corrected' }
    return (await readErrorName(response)) === 'InvalidSwap' ? changed : await readCallRefusal(response)
  } catch (error) {
    return classifyFailure('Bluesky', error)
  }
}

const changed: CorrectionOutcome = {
  kind: 'refused',
  code: 'provider_refused',
  message: 'The post was changed on Bluesky at the same moment. Send the correction again.',
  transient: true,
}

async function check(call: CorrectCall): Promise<CorrectionCheck> {
  try {
    const response = await readRecord(call, call.platformPostId)
    if (!response.ok) return { kind: 'unreadable', message: (await readRefusal('Bluesky', response)).message }
    const { value } = Stored.parse(await response.json())
    return { kind: value.text === call.text ? 'corrected' : 'not_corrected' }
  } catch (error) {
    return { kind: 'unreadable', message: classifyFailure('Bluesky', error).message }
  }
}

export const corrections: Corrections = {
  note: 'Bluesky doesn’t mark posts as edited. The record is replaced: likes, reposts and quotes refer to the former version, and apps can go on showing the former text.',
  correct,
  check,
}
