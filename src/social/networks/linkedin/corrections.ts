import { z } from 'zod'
import { classifyFailure } from '../http.ts'
import type { CorrectCall, CorrectionCheck, CorrectionOutcome, Corrections } from '../network.ts'
import { interpretRefusal, request } from './api.ts'
import { toLittleText } from './little-text.ts'

const Post = z.object({ commentary: z.string().catch('') })

const ofComment: CorrectionOutcome = {
  kind: 'refused',
  code: 'correction_not_supported',
  message: 'Later posts of a thread are comments on LinkedIn. Correct them there.',
  transient: false,
}

async function correct(call: CorrectCall): Promise<CorrectionOutcome> {
  const { platformPostId, text } = call
  if (platformPostId.includes('/')) return ofComment
  try {
    const patch = { $set: { commentary: toLittleText(text) } }
    const path = `/rest/posts/${encodeURIComponent(platformPostId)}`
    const response = await request(call, path, 'POST', { patch }, { 'x-restli-method': 'PARTIAL_UPDATE' })
    return response.ok ? { kind: 'corrected' } : await interpretRefusal(response)
  } catch (error) {
    return classifyFailure('LinkedIn', error)
  }
}

/** Only Pages' posts can be read. */
async function check(call: CorrectCall): Promise<CorrectionCheck> {
  try {
    const response = await request(call, `/rest/posts/${encodeURIComponent(call.platformPostId)}`, 'GET')
    if (!response.ok) return { kind: 'unreadable', message: (await interpretRefusal(response)).message }
    const { commentary } = Post.parse(await response.json())
    return { kind: commentary === toLittleText(call.text) ? 'corrected' : 'not_corrected' }
  } catch (error) {
    return { kind: 'unreadable', message: classifyFailure('LinkedIn', error).message }
  }
}

export const corrections: Corrections = {
  note: 'Readers see the new text, marked as edited. Files stay as they are.',
  correct,
  check,
}
