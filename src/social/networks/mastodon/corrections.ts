import { z } from 'zod'
import { classifyFailure } from '../http.ts'
import type { CorrectCall, CorrectionCheck, CorrectionOutcome, Corrections } from '../network.ts'
import { interpretRefusal } from './refusal.ts'
import { request } from './status.ts'

const Shown = z.object({
  media_attachments: z.array(z.object({ id: z.string() })).catch([]),
  sensitive: z.boolean().catch(false),
  spoiler_text: z.string().catch(''),
  language: z.string().nullish().catch(null),
})
const Source = z.object({ text: z.string() })

const pathOf = ({ platformPostId }: CorrectCall): string => `/api/v1/statuses/${encodeURIComponent(platformPostId)}`

/** Servers before Mastodon 3.5, and some others, have no such request. */
const unknownStatuses = [405, 501]

/** What isn't sent with an edit is removed from the status: its files, warning and language are sent again. */
async function correct(call: CorrectCall): Promise<CorrectionOutcome> {
  try {
    const present = await request(call, pathOf(call))
    if (!present.ok) return await interpretRefusal(present)
    const { media_attachments: media, sensitive, spoiler_text, language } = Shown.parse(await present.json())
    const response = await request(call, pathOf(call), {
      method: 'PUT',
      json: {
        status: call.text,
        media_ids: media.map(({ id }) => id),
        sensitive,
        spoiler_text,
        ...(language && { language }),
      },
    })
    if (response.ok) return { kind: 'corrected' }
    // The status was there a moment ago, so the server doesn't know the request.
    if (response.status === 404 || unknownStatuses.includes(response.status)) return notSupported
    return await interpretRefusal(response)
  } catch (error) {
    return classifyFailure('Mastodon', error)
  }
}

const notSupported: CorrectionOutcome = {
  kind: 'refused',
  code: 'correction_not_supported',
  message: 'This Mastodon server doesn’t let apps correct statuses.',
  transient: false,
}

async function check(call: CorrectCall): Promise<CorrectionCheck> {
  try {
    const response = await request(call, `${pathOf(call)}/source`)
    if (!response.ok) return { kind: 'unreadable', message: (await interpretRefusal(response)).message }
    const { text } = Source.parse(await response.json())
    return { kind: text.trim() === call.text.trim() ? 'corrected' : 'not_corrected' }
  } catch (error) {
    return { kind: 'unreadable', message: classifyFailure('Mastodon', error).message }
  }
}

export const corrections: Corrections = {
  note: 'Readers see the new text, marked as edited, and can open former versions. People who boosted the post are notified.',
  correct,
  check,
}
