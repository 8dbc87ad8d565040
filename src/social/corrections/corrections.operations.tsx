import { operation } from '#lib/operation.ts'
import { reply } from '#lib/reply.ts'
import { PostCorrection } from '../contract.ts'
import { addressOf, expecting } from '../posts/versioned.ts'
import { correct } from './correct.ts'
import { CorrectionInput } from './input.ts'
import { addNames } from './list.ts'

export const correctPost = operation({
  route: 'POST /api/posts/:id/corrections',
  summary: 'Correct a published post',
  permission: 'posts:write',
  machine: true,
  ifMatch: true,
  input: CorrectionInput,
  output: PostCorrection,
  transaction: false,
  example: { text: 'Maple oat latte is back on Monday.', reason: 'Wrong day' },
  problems: {
    test_key_not_allowed: 403,
    version_conflict: 409,
    not_published: 409,
    not_correctable: 409,
    correction_not_supported: 409,
    correction_in_progress: 409,
    publishing_in_progress: 409,
    approval_required: 409,
    connection_missing: 409,
    too_many_corrections: 409,
    signed_out: 502,
    permission_missing: [409, 502],
    outcome_unknown: 502,
    provider_refused: 502,
  },
  run: async (call) => {
    const [correction] = await addNames(call, [await correct(call, await expecting(call, call.input.id))])
    if (!correction) throw new Error('A correction has no names')
    return reply(200, correction, { next: addressOf({ id: correction.postId }), toast: 'Corrected', leavesPage: true })
  },
})
