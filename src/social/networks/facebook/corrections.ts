import { z } from 'zod'
import { request } from '../graph/api.ts'
import { interpretRefusal } from '../graph/refusal.ts'
import { classifyFailure } from '../http.ts'
import type { CorrectCall, CorrectionCheck, CorrectionOutcome, Corrections } from '../network.ts'
import { api, placeOf } from './api.ts'

const Post = z.object({ message: z.string().catch('') })

/** A Page changes posts that the same app published. */
async function correct(call: CorrectCall): Promise<CorrectionOutcome> {
  if (placeOf(call.account.metadata).isGroup) return ofGroup
  try {
    const response = await request(api, call, `/${call.platformPostId}`, {
      method: 'POST',
      form: { message: call.text },
    })
    return response.ok ? { kind: 'corrected' } : await interpretRefusal(api.name, response)
  } catch (error) {
    return classifyFailure(api.name, error)
  }
}

const ofGroup: CorrectionOutcome = {
  kind: 'refused',
  code: 'correction_not_supported',
  message: 'Facebook lets apps correct posts of Pages only.',
  transient: false,
}

async function check(call: CorrectCall): Promise<CorrectionCheck> {
  try {
    const response = await request(api, call, `/${call.platformPostId}`, { query: { fields: 'message' } })
    if (!response.ok) return { kind: 'unreadable', message: (await interpretRefusal(api.name, response)).message }
    const { message } = Post.parse(await response.json())
    return { kind: message.trim() === call.text.trim() ? 'corrected' : 'not_corrected' }
  } catch (error) {
    return { kind: 'unreadable', message: classifyFailure(api.name, error).message }
  }
}

export const corrections: Corrections = {
  note: 'Readers see the new text, and can open the edit history. Photos and the link preview stay as they are.',
  correct,
  check,
}
