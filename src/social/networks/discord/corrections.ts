import { z } from 'zod'
import { classifyFailure } from '../http.ts'
import type { CorrectCall, CorrectionCheck, CorrectionOutcome, Corrections } from '../network.ts'
import { interpretRefusal } from './refusal.ts'
import { webhookUrl } from './webhook.ts'

const Message = z.object({ content: z.string() })

const addressOf = ({ account, outside, platformPostId }: CorrectCall): URL =>
  outside.at(webhookUrl(account, `/messages/${encodeURIComponent(platformPostId)}`))

/** Files stay, since `attachments` is left out. Mentions notify no one, as in the message itself. */
async function correct(call: CorrectCall): Promise<CorrectionOutcome> {
  try {
    const response = await call.outside.fetch(addressOf(call), {
      method: 'PATCH',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ content: call.text, allowed_mentions: { parse: [] } }),
      signal: call.signal,
    })
    return response.ok ? { kind: 'corrected' } : await interpretRefusal(response)
  } catch (error) {
    return classifyFailure('Discord', error)
  }
}

/** A webhook reads its own messages, although not its channel. */
async function check(call: CorrectCall): Promise<CorrectionCheck> {
  try {
    const response = await call.outside.fetch(addressOf(call), { signal: call.signal })
    if (!response.ok) return { kind: 'unreadable', message: (await interpretRefusal(response)).message }
    const { content } = Message.parse(await response.json())
    // Discord removes spaces at both ends.
    return { kind: content.trim() === call.text.trim() ? 'corrected' : 'not_corrected' }
  } catch (error) {
    return { kind: 'unreadable', message: classifyFailure('Discord', error).message }
  }
}

export const corrections: Corrections = {
  note: 'Readers see the new text, marked as edited. Its mentions notify no one.',
  correct,
  check,
}
