import { z } from 'zod'
import { exampleId, Id } from '#lib/ids.ts'
import { operation } from '#lib/operation.ts'
import { reply } from '#lib/reply.ts'
import { optionalField } from '#lib/text.ts'
import { Editors } from '#views/social/posts/composer-people.tsx'
import { PostEditorList } from '../../contract.ts'
import { endEditing, listEditors, reportEditing } from './editors.ts'

const OfPost = z.object({ id: Id })
const OfTab = z.object({ id: Id, tabId: Id.describe('Chosen by the caller for each open composer: a new UUID.') })

export const listPostEditors = operation({
  route: 'GET /api/posts/:id/editors',
  summary: 'List people who are editing a post',
  permission: 'posts:read',
  input: OfPost,
  output: PostEditorList,
  run: (call) => listEditors(call, call.input.id),
})

export const reportPostEditor = operation({
  route: 'POST /api/posts/:id/editors',
  summary: 'Report that you are editing a post',
  permission: 'posts:write',
  input: OfTab.extend({
    version: optionalField(z.coerce.number().int().min(1)).describe(
      'The version that you are editing: the page names a newer one.',
    ),
  }),
  output: PostEditorList,
  example: { id: exampleId, tabId: exampleId },
  // Composers send it every 20 s, and it is kept for a day.
  audit: false,
  problems: { session_required: 403 },
  run: async (call) => {
    await reportEditing(call, call.input)
    return listEditors(call, call.input.id)
  },
  view: (list, { input: { version }, actor }) => (
    <Editors list={list} personId={actor.principal.id} version={version} />
  ),
})

export const leavePostEditors = operation({
  route: 'DELETE /api/posts/:id/editors/:tabId',
  summary: 'Leave a post that you were editing',
  permission: 'posts:write',
  input: OfTab,
  output: z.null(),
  audit: false,
  problems: { session_required: 403 },
  run: async (call) => {
    await endEditing(call, call.input)
    return reply(204, null)
  },
})
